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
      description: 'URL of "messaging serve --workers --journal". Needed only for idempotency keys.',
    },
    {
      displayName: 'Journal Token',
      name: 'journalToken',
      type: 'string',
      typeOptions: { password: true },
      default: '',
      description: 'One of the journal\'s MESSAGING_JOURNAL_TOKENS',
    },
    {
      displayName: 'Allow HTTP',
      name: 'allowHttp',
      type: 'boolean',
      default: false,
      description: 'Whether to allow http: for URLs of other machines. The API key and the token are then sent unencrypted.',
    },
  ];

  // n8n gives the credentials only to nodes of this package. Otherwise, the node "HTTP Request" could send the API key
  // anywhere.
  restrictToSupportedNodes = true as const;

  // Used only by `test`. The nodes add the API key to their requests without this function.
  authenticate: IAuthenticate = async ({ baseUrl, apiKey, allowHttp }, request) => {
    const { url, headers } = await firstRequest(String(baseUrl), String(apiKey), allowHttp === true);
    return { ...request, baseURL: undefined, url, headers, disableFollowRedirect: true };
  };

  // Lists templates and creates nothing. `authenticate` replaces URL and headers of this request.
  test: ICredentialTestRequest = {
    request: { baseURL: '={{$credentials.baseUrl}}', url: '/v1/waba/templates' },
    rules: [
      {
        type: 'responseSuccessBody',
        properties: {
          key: 'data.length',
          value: undefined,
          message: 'The server at this base URL is not the messaging service: the reply is not a list of templates',
        },
      },
    ],
  };
}

/** Returns the component's first request for a list of templates. Throws for invalid settings, such as a base URL that
 *  would expose the API key. */
async function firstRequest(baseUrl: string, apiKey: string, allowHttp: boolean): Promise<IHttpRequestOptions> {
  let first: IHttpRequestOptions | undefined;
  const remember = async (request: IHttpRequestOptions) => {
    first = request;
    throw new Error('n8n makes this request');
  };
  const plugin = await Plugin.load({ baseUrl, apiKey, allowHttp, maxAttempts: 1, fetch: remember as never });
  const outcome = await plugin.listTemplates().catch((error: Error) => error);
  if (first) return first;
  throw outcome;
}
