import {
  NodeConnectionTypes,
  NodeOperationError,
  type IHookFunctions,
  type INodeType,
  type INodeTypeDescription,
  type IWebhookFunctions,
  type IWebhookResponseData,
} from 'n8n-workflow';
import '../MessagingPlugin/driver';
import { failureOf } from '../MessagingPlugin/failure';
import { Plugin, SeenKeys, type Event } from '../MessagingPlugin/generated/plugin';

/** ID of the webhook in this package's example workflow. The ID is published, so the webhook's URL is not secret. */
const SHIPPED_ID = '00000000-0000-0000-0000-000000000000';

/** Events that the triggers in this process have answered, by workflow and node. The workflow's static data cannot hold
 *  the events, because n8n 2.40.5 does not save a webhook's changes of static data. */
const seen = new Map<string, SeenKeys>();

export class MessagingPluginTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Messaging Plugin Trigger',
    name: 'messagingPluginTrigger',
    icon: { light: 'file:../../icons/messaging.svg', dark: 'file:../../icons/messaging.dark.svg' },
    group: ['trigger'],
    version: 1,
    subtitle: '={{ "POST, answered " + ($parameter["responseMode"] === "lastNode" ? "at the end" : "at once") }}',
    description: 'Starts the workflow when the messaging service reports an event',
    defaults: { name: 'Messaging Plugin Trigger' },
    inputs: [],
    outputs: [NodeConnectionTypes.Main],
    webhooks: [
      {
        name: 'default',
        httpMethod: 'POST',
        responseMode: '={{ $parameter["responseMode"] }}',
        // The answer needs no body, because the service reads only the status.
        responseData: 'noData',
        path: 'messaging-event',
      },
    ],
    properties: [
      {
        displayName: 'Enter the address above in the messaging service. Keep the address secret: its unguessable identifier is the only proof of an event\'s origin.',
        name: 'notice',
        type: 'notice',
        default: '',
      },
      {
        displayName: 'Answer',
        name: 'responseMode',
        type: 'options',
        options: [
          { name: 'At Once', value: 'onReceived', description: 'When n8n has stored the execution' },
          { name: 'At the End', value: 'lastNode', description: 'When the workflow has finished; a failure is answered with status 500' },
        ],
        default: 'onReceived',
      },
    ],
  };

  // The service has no endpoint that sets the webhook's address, so an operator enters the address in the service.
  webhookMethods = {
    default: {
      async checkExists() {
        return false;
      },
      async create(this: IHookFunctions) {
        if (this.getNode().webhookId !== SHIPPED_ID) return true;
        throw new NodeOperationError(this.getNode(), 'This trigger has the public address of the shipped example', {
          description: 'Replace the trigger with a new trigger, which gets an unguessable address.',
        });
      },
      async delete() {
        return true;
      },
    },
  };

  async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
    const request = this.getRequestObject();
    const response = this.getResponseObject();
    const plugin = await Plugin.load({});
    let event: Event;
    try {
      event = await plugin.handleEvent({ headers: request.headersDistinct, body: request.rawBody });
    } catch (error) {
      response.status(400).json({ error: failureOf(error, false).message });
      return { noWebhookResponse: true };
    }
    const trigger = `${this.getWorkflow().id}.${this.getNode().id}`;
    const keys = seen.get(trigger) ?? new SeenKeys();
    seen.set(trigger, keys);
    if (this.getMode() !== 'manual' && !(await keys.isNew(event, response))) {
      response.status(200).json({ message: 'repeated' });
      return { noWebhookResponse: true };
    }
    // `returnJsonArray` would use the member `json` of the event as the whole item.
    return { workflowData: [[{ json: { ...event } }]] };
  }
}
