// Checked by `tsc`, never run: what a TypeScript user gets to write.

import {
  DeniedError,
  MessagingError,
  OutcomeUnknownError,
  Plugin,
  Pool,
  RateLimitedError,
} from 'messaging-plugin';
import type { CreatedMessage, Event, Stage, TemplatePage } from 'messaging-plugin';
import type { IncomingMessage } from 'node:http';

export async function program(request: IncomingMessage, body: string): Promise<void> {
  const pool = new Pool({ size: 8 });
  await using plugin = await Plugin.load({
    baseUrl: 'https://api.example.com',
    apiKey: 'key',
    deadlineMs: 5_000,
    allow: ['https://api.example.com'],
    pool,
  });

  const created: CreatedMessage = await plugin.sendMessage({ phone: '+34600111222', message: 'hi' });
  const page: TemplatePage = await plugin.listTemplates({ parameters: { language: 'es' }, everyPage: 'page' });
  const event: Event = await plugin.handleEvent({ headers: request.headersDistinct, body });
  if (event.kind.tag === 'other') console.log(event.kind.val.length);
  console.log(created.id.length + page.total, page.incompleteReason === 'cap-reached');

  // @ts-expect-error a message needs a recipient
  await plugin.sendMessage({ message: 'hi' });
  // @ts-expect-error a misspelt option
  await Plugin.load({ baseUri: 'https://api.example.com' });
  // @ts-expect-error made by `load` alone
  new Plugin();
}

export function policy(error: unknown): number | Stage | undefined {
  if (error instanceof RateLimitedError) return error.retryAfterMs;
  if (error instanceof OutcomeUnknownError) return error.payload.stage;
  if (error instanceof DeniedError) return error.payload.length;
  if (error instanceof MessagingError && error.retry === 'safe') return 0;
  // @ts-expect-error there are two answers only
  if (error instanceof MessagingError && error.retry === 'maybe') return 1;
  return undefined;
}
