import type {
  IAuthenticate,
  Icon,
  ICredentialTestRequest,
  ICredentialType,
  IHttpRequestOptions,
  INodeProperties,
} from 'n8n-workflow';
import '../nodes/MessagingPlugin/driver';
import { Plugin } from '../nodes/MessagingPlugin/generated/plugin';

export class MessagingPluginApi implements ICredentialType {
  name = 'messagingPluginApi';

  displayName = 'Messaging Plugin API';

  icon: Icon = { light: 'file:../icons/messaging.svg', dark: 'file:../icons/messaging.dark.svg' };

  documentationUrl = 'https://example.com/messaging-plugin';

  properties: INodeProperties[] = [
    {
      displayName: 'Base URL',
      name: 'baseUrl',
      type: 'string',
      default: '',
      required: true,
      placeholder: 'https://api.example.com',
      description: 'Address of the service; may have a port and a path',
    },
    {
      displayName: 'API Key',
      name: 'apiKey',
      type: 'string',
      typeOptions: { password: true },
      default: '',
      required: true,
    },
    {
      displayName: 'Journal URL',
      name: 'journalUrl',
      type: 'string',
      default: '',
      placeholder: 'https://journal.example.com',
      description: 'Where "messaging serve --workers" keeps a journal of sends. Needed for idempotency keys alone.',
    },
    {
      displayName: 'Journal Token',
      name: 'journalToken',
      type: 'string',
      typeOptions: { password: true },
      default: '',
      description: 'One of the journal\'s MESSAGING_JOURNAL_TOKENS',
    },
  ];

  // n8n gives it to the nodes of this package alone, and not to "HTTP Request", which sends it anywhere.
  restrictToSupportedNodes = true as const;

  // For the test alone: the nodes put the key into their requests themselves.
  authenticate: IAuthenticate = async ({ baseUrl, apiKey }, request) => {
    const { url, headers } = await firstRequest(String(baseUrl), String(apiKey));
    return { ...request, baseURL: undefined, url, headers, disableFollowRedirect: true };
  };

  // Reads a list: nothing is created. What is read is what `authenticate` says.
  test: ICredentialTestRequest = {
    request: { baseURL: '={{$credentials.baseUrl}}', url: '/v1/waba/templates' },
    rules: [
      {
        type: 'responseSuccessBody',
        properties: {
          key: 'data.length',
          value: undefined,
          message: 'What answers at this base URL is not the messaging service: it gave no list of templates',
        },
      },
    ],
  };
}

/** The request with which the component would begin to list templates. Settings that it refuses, such as a
 *  base URL over which others could read the key, are thrown. */
async function firstRequest(baseUrl: string, apiKey: string): Promise<IHttpRequestOptions> {
  let first: IHttpRequestOptions | undefined;
  const remember = async (request: IHttpRequestOptions) => {
    first = request;
    throw new Error('made by n8n');
  };
  const plugin = await Plugin.load({ baseUrl, apiKey, maxAttempts: 1, fetch: remember as never });
  const outcome = await plugin.listTemplates().catch((error: Error) => error);
  if (first) return first;
  throw outcome;
}
