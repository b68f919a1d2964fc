// Checked by `tsc`, never run: what a TypeScript user gets to write.

import {
  DeniedError,
  MessagingError,
  OtherError,
  OutcomeUnknownError,
  Plugin,
  RateLimitedError,
} from 'messaging-plugin';
import type { CreatedMessage, Event, Field, Stage, TemplatePage } from 'messaging-plugin';
import type { IncomingMessage } from 'node:http';

export async function program(request: IncomingMessage, body: string): Promise<void> {
  await using plugin = await Plugin.load({
    baseUrl: 'https://api.example.com',
    apiKey: 'key',
    deadlineMs: 5_000,
    allow: ['https://api.example.com'],
    fetch,
  });

  const signal = AbortSignal.timeout(1_000);
  const created: CreatedMessage = await plugin.sendMessage({ phone: '+34600111222', message: 'hi' }, { signal });
  const page: TemplatePage = await plugin.listTemplates({ parameters: { language: 'es' }, everyPage: 'page' });
  const event: Event = await plugin.handleEvent({ headers: request.headersDistinct, body });
  if (event.kind !== 'message:in:new') console.log(event.kind.length);
  console.log(created.id.length + page.total, page.incomplete === 'cap-reached');
  const fields: Field[] = [{ name: 'reference', json: '"4711"' }];
  await plugin.sendMessage({ phone: '+34600111222', message: 'hi', fields });
  await plugin.sendMessage({ phone: '+34600111222', message: 'hi', fields: { device: 7, template: { name: 'a' } } });

  // @ts-expect-error a message needs a recipient
  await plugin.sendMessage({ message: 'hi' });
  // @ts-expect-error a list is of names and JSON
  await plugin.sendMessage({ phone: '+34600111222', message: 'hi', fields: [{ name: 'reference', value: '4711' }] });
  // @ts-expect-error a misspelt option
  await Plugin.load({ baseUri: 'https://api.example.com' });
  // @ts-expect-error there are no threads
  await Plugin.load({ size: 8 });
  // @ts-expect-error made by `load` alone
  new Plugin();
}

export function policy(error: unknown): number | string | Stage | undefined {
  if (error instanceof RateLimitedError) return error.retryAfterMs;
  if (error instanceof OutcomeUnknownError) return error.payload.refusal?.message ?? error.payload.stage;
  if (error instanceof DeniedError) return error.payload.detail;
  if (error instanceof OtherError) return error.payload.code;
  if (error instanceof MessagingError && error.retry === 'safe') return error.retryAfterMs ?? 0;
  // @ts-expect-error there are two answers only
  if (error instanceof MessagingError && error.retry === 'maybe') return 1;
  return undefined;
}
