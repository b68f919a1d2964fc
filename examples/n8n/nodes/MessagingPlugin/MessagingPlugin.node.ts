import {
  NodeConnectionTypes,
  NodeOperationError,
  type IDataObject,
  type IExecuteFunctions,
  type INodeExecutionData,
  type INodeType,
  type INodeTypeDescription,
} from 'n8n-workflow';
import './driver';
import type { HttpRequest } from './driver';
import { HttpJournal, Once, Plugin, invalidInput, type Fields, type MessageRequest } from './generated/plugin';
import { adviceOf, failureOf, type Failure } from './failure';
import { Outcomes } from './outcomes';

export class MessagingPlugin implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Messaging Plugin',
    name: 'messagingPlugin',
    icon: { light: 'file:../../icons/messaging.svg', dark: 'file:../../icons/messaging.dark.svg' },
    group: ['output'],
    version: 1,
    subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
    description: 'Sends messages through a business messaging service, and lists its templates',
    defaults: { name: 'Messaging Plugin' },
    usableAsTool: true,
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: 'messagingPluginApi', required: true }],
    properties: [
      {
        displayName: 'Resource',
        name: 'resource',
        type: 'options',
        noDataExpression: true,
        options: [
          { name: 'Message', value: 'message' },
          { name: 'Template', value: 'template' },
        ],
        default: 'message',
      },
      {
        displayName: 'Operation',
        name: 'operation',
        type: 'options',
        noDataExpression: true,
        displayOptions: { show: { resource: ['message'] } },
        options: [{ name: 'Send', value: 'send', action: 'Send a message', description: 'Create one message. The result does not confirm delivery.' }],
        default: 'send',
      },
      {
        displayName: 'Operation',
        name: 'operation',
        type: 'options',
        noDataExpression: true,
        displayOptions: { show: { resource: ['template'] } },
        options: [{ name: 'List', value: 'list', action: 'List templates', description: 'List message templates, in one item' }],
        default: 'list',
      },
      {
        displayName: 'Phone',
        name: 'phone',
        type: 'string',
        required: true,
        default: '',
        placeholder: '+34 600 111 222',
        description: 'Recipient in international format: a plus sign, the country code, the number',
        displayOptions: { show: { resource: ['message'] } },
      },
      {
        displayName: 'Message',
        name: 'message',
        type: 'string',
        typeOptions: { rows: 4 },
        required: true,
        default: '',
        description: 'Text of the message',
        displayOptions: { show: { resource: ['message'] } },
      },
      {
        displayName: 'Options',
        name: 'options',
        type: 'collection',
        placeholder: 'Add option',
        default: {},
        displayOptions: { show: { resource: ['message'] } },
        options: [
          {
            displayName: 'Device',
            name: 'device',
            type: 'string',
            default: '',
            description: 'The sender number, if the account has several',
          },
          {
            displayName: 'Fields (JSON)',
            name: 'fields',
            type: 'json',
            default: '{}',
            description: 'Additional members of the request, for fields that this node does not have',
          },
          {
            displayName: 'Idempotency Key',
            name: 'idempotencyKey',
            type: 'string',
            default: '',
            placeholder: 'order-17-shipped',
            description: 'Creates at most one message per key, even if the workflow runs again. Use the reason for the message as key. Requires a journal in the credentials.',
          },
        ],
      },
      {
        displayName: 'Options',
        name: 'options',
        type: 'collection',
        placeholder: 'Add option',
        default: {},
        displayOptions: { show: { resource: ['template'] } },
        options: [
          {
            displayName: 'Page Parameter',
            name: 'everyPage',
            type: 'string',
            default: '',
            description: 'Name of the page parameter of the service. If empty, only one page is listed.',
          },
          { displayName: 'Status', name: 'status', type: 'string', default: '', placeholder: 'approved' },
        ],
      },
      {
        displayName: 'Deadline (Ms)',
        name: 'deadlineMs',
        type: 'number',
        typeOptions: { minValue: 1, maxValue: 600000 },
        default: 30000,
        description: 'Time limit for one item, including retries',
      },
    ],
  };

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    const items: INodeExecutionData[] = [];
    const outcomes = await Outcomes.of(this);
    const count = this.getInputData().length;
    for (let index = 0; index < count; index++) {
      const json = await outcomeOf(this, outcomes, index);
      const failure = json.failure as unknown as Failure | undefined;
      // n8n can retry a tool that throws. The tool therefore returns the failure if a message can exist, or if a retry
      // cannot succeed.
      const isAnswer = this.isToolExecution?.() && failure?.retry === 'never';
      if (failure && !isAnswer && !this.continueOnFail()) throw errorOf(this, failure, index);
      // n8n treats an item with exactly these members as an error, and routes it to the error output.
      const item = failure ? { error: failure.message, message: adviceOf(failure), details: json.failure } : json;
      items.push({ json: item, pairedItem: { item: index } });
    }
    return [items];
  }
}

/** @returns the result of an item, or `{ failure }` */
async function outcomeOf(context: IExecuteFunctions, outcomes: Outcomes, index: number): Promise<IDataObject> {
  try {
    const account = await context.getCredentials<Account>('messagingPluginApi', index);
    const plugin = await pluginOf(context, account, index);
    if (context.getNodeParameter('resource', index) !== 'message') return await list(context, plugin, index);
    const request = requestOf(context, index);
    const options = optionsOf(context, index);
    // The condition is true even if an expression returned no key. `sendOnce` then rejects the call. Otherwise, the
    // message would be sent without a key.
    if ('idempotencyKey' in options) return await sendOnce(context, account, plugin, options.idempotencyKey as string, request);
    const signal = context.getExecutionCancelSignal?.();
    return await outcomes.once(index, request, signal, async () => {
      const { id, json } = await plugin.sendMessage(request, { signal });
      return { id, json };
    });
  } catch (error) {
    return { failure: failureOf(error, false) as unknown as IDataObject };
  }
}

interface Account {
  baseUrl: string;
  apiKey: string;
  journalUrl?: string;
  journalToken?: string;
  allowHttp?: boolean;
}

async function pluginOf(context: IExecuteFunctions, { baseUrl, apiKey, allowHttp }: Account, index: number): Promise<Plugin> {
  return await Plugin.load({
    baseUrl,
    apiKey,
    allowHttp,
    deadlineMs: context.getNodeParameter('deadlineMs', index) as number,
    fetch: helperOf(context) as never,
  });
}

function helperOf(context: IExecuteFunctions): HttpRequest {
  return async (options) => await context.helpers.httpRequest(options);
}

/** Sends with a key. The journal holds the outcome for all executions, so the node's stored outcomes are not
 *  used. */
async function sendOnce(
  context: IExecuteFunctions,
  { journalUrl, journalToken, allowHttp = false }: Account,
  plugin: Plugin,
  key: string,
  request: MessageRequest,
): Promise<IDataObject> {
  if (!journalUrl || !journalToken) throw invalidInput('idempotencyKey', 'needs a journal: its URL and token in the credentials');
  const journal = new HttpJournal({ url: journalUrl, token: journalToken, allowHttp, fetch: helperOf(context) as never });
  try {
    return { ...(await new Once(plugin, journal).sendOnce(key, request)) };
  } catch (error) {
    return { failure: failureOf(error, true) as unknown as IDataObject };
  }
}

/** Returns the message of an item. An expression can return a number, an object or nothing instead of a string.
 *  `Plugin` rejects such values. */
function requestOf(context: IExecuteFunctions, index: number): MessageRequest {
  const { device, fields } = optionsOf(context, index);
  return {
    phone: context.getNodeParameter('phone', index) as string,
    message: context.getNodeParameter('message', index) as string,
    device: given(device),
    fields: typeof fields === 'string' ? fieldsOf(fields) : (fields as Fields | undefined),
  };
}

interface SendOptions {
  device?: string;
  fields?: string | object;
  idempotencyKey?: unknown;
}

function optionsOf(context: IExecuteFunctions, index: number): SendOptions {
  return context.getNodeParameter('options', index, {}) as SendOptions;
}

async function list(context: IExecuteFunctions, plugin: Plugin, index: number): Promise<IDataObject> {
  const { status, everyPage } = context.getNodeParameter('options', index, {}) as { status?: string; everyPage?: string };
  const page = await plugin.listTemplates(
    { status: given(status), everyPage: given(everyPage) },
    { signal: context.getExecutionCancelSignal?.() },
  );
  return page as unknown as IDataObject;
}

/** Converts an empty option to an absent option. */
function given(value?: string): string | undefined {
  return value === '' ? undefined : value;
}

function fieldsOf(text: string): Fields {
  let fields: unknown;
  try {
    fields = JSON.parse(text || '{}', asWritten);
  } catch (error) {
    throw invalidInput('fields', `is not JSON: ${(error as Error).message}`);
  }
  if (typeof fields === 'object' && fields !== null && !Array.isArray(fields)) return fields as Fields;
  throw invalidInput('fields', 'is not a JSON object');
}

/** Keeps all digits of a JSON number, because they can exceed the precision of a JavaScript number. */
function asWritten(_name: string, value: unknown, context?: { source: string }): unknown {
  if (typeof value !== 'number' || context === undefined) return value;
  return (JSON as unknown as { rawJSON(text: string): object }).rawJSON(context.source);
}

function errorOf(context: IExecuteFunctions, failure: Failure, index: number): NodeOperationError {
  const error = new NodeOperationError(context.getNode(), failure.message, {
    itemIndex: index,
    description: adviceOf(failure),
  });
  // Sets the message again, because n8n replaces a message that contains ECONNRESET with advice to retry.
  error.message = failure.message;
  error.context.failure = failure;
  return error;
}
