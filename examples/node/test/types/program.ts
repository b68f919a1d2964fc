// Code of a TypeScript caller. `tsc` checks its types, and no test runs it.

import {
  DeniedError,
  MessagingError,
  OtherError,
  OutcomeUnknownError,
  Plugin,
  RateLimitedError,
} from 'messaging-plugin';
import type { CreatedMessage, Event, Field, Stage, TemplatePage } from 'messaging-plugin';
import { Inbox, InboxError, LeaseLostError } from 'messaging-plugin/inbox';
import type { LeasedEvent, ListedEvent } from 'messaging-plugin/inbox';
import { BusyError, HttpJournal, JournalFailure, NotRecordedError, Once, SqliteJournal, checkJournal } from 'messaging-plugin/once';
import type { Journal, JournalEntry, OnceCreated } from 'messaging-plugin/once';
import { Proofs, UnverifiedError } from 'messaging-plugin/proofs';
import type { IncomingMessage } from 'node:http';

export async function program(request: IncomingMessage, body: Buffer): Promise<void> {
  await using plugin = await Plugin.load({
    baseUrl: 'https://api.example.com',
    apiKey: 'key',
    deadlineMs: 5_000,
    settings: process.env,
    allow: ['https://api.example.com'],
    fetch,
  });

  const signal = AbortSignal.timeout(1_000);
  const created: CreatedMessage = await plugin.sendMessage({ phone: '+34600111222', message: 'hi' }, { signal });
  const page: TemplatePage = await plugin.listTemplates({ parameters: { language: 'es' }, everyPage: 'page' }, { deadlineMs: 2_000 });
  const proofs = new Proofs({ signatureSecret: 'secret', signed: 'timestamped', timestampToleranceSeconds: 300, settings: process.env });
  const event: Event = await plugin.handleEvent(proofs.verify(request.headersDistinct, body, { path: request.url }));
  if (event.kind !== 'message:in:new') console.log(event.kind.length);
  console.log(created.id.length + page.total, page.incomplete === 'cap-reached');
  const fields: Field[] = [{ name: 'reference', json: '"4711"' }];
  await plugin.sendMessage({ phone: '+34600111222', message: 'hi', fields });
  await plugin.sendMessage({ phone: '+34600111222', message: 'hi', fields: { device: 7, template: { name: 'a' } } });

  const { MESSAGING_BASE_URL: baseUrl, MESSAGING_API_KEY: apiKey } = process.env;
  await Plugin.load({ baseUrl, apiKey, deadlineMs: undefined, allowHttp: undefined, settings: undefined });

  // @ts-expect-error an unknown scheme
  new Proofs({ signed: 'headers' });
  // @ts-expect-error members of the service belong in `fields`
  await plugin.sendMessage({ phone: '+34600111222', message: 'hi', template: 1 });
  // @ts-expect-error a message needs a recipient
  await plugin.sendMessage({ message: 'hi' });
  // @ts-expect-error each list entry has a name and JSON
  await plugin.sendMessage({ phone: '+34600111222', message: 'hi', fields: [{ name: 'reference', value: '4711' }] });
  // @ts-expect-error a misspelled option
  await Plugin.load({ baseUri: 'https://api.example.com' });
  // @ts-expect-error an unknown option
  await Plugin.load({ size: 8 });
  // @ts-expect-error only `load` creates a plugin
  new Plugin();
}

export function policy(error: unknown): number | string | Stage | undefined {
  if (error instanceof RateLimitedError) return error.retryAfterMs;
  if (error instanceof OutcomeUnknownError) return error.payload.refusal?.message ?? error.payload.stage;
  if (error instanceof DeniedError) return error.payload.detail;
  if (error instanceof OtherError) return error.payload.code;
  if (error instanceof UnverifiedError) return error.message;
  if (error instanceof MessagingError && error.retry === 'safe') return error.retryAfterMs ?? 0;
  // @ts-expect-error `retry` has two values
  if (error instanceof MessagingError && error.retry === 'maybe') return 1;
  return undefined;
}

export async function worker(signal: AbortSignal): Promise<void> {
  const onError = (error: unknown, event?: LeasedEvent) => console.error(event?.key, error);
  const inbox = new Inbox({ url: 'https://inbox.example', token: 'token', leaseMs: 30_000, kinds: ['message:in:new'], signal, onError });
  for await (const event of inbox) {
    if (event.json().text) await event.ack();
    else if ((await event.nack(new Error('no'), { pauseMs: 1_000, deadAfter: 5 })) === 'dead') break;
  }
  await inbox.run(async (event, { signal }) => {
    await fetch(`https://shop.example/${event.key}`, { method: 'POST', body: event.payload, signal });
    await event.extend(120_000);
  }, { concurrency: 8, pauseMs: (event) => 1_000 * event.failures, deadAfter: 20 });
  const [dead]: ListedEvent[] = await inbox.list({ state: 'dead', timeoutMs: 2_000 });
  if (dead) console.log((await inbox.show(dead.id)).payload);

  // @ts-expect-error a token is required
  new Inbox({ url: 'https://inbox.example' });
  // @ts-expect-error invalid state
  await inbox.list({ state: 'new' });
}

export function ofTheInbox(error: unknown): string | undefined {
  if (error instanceof LeaseLostError) return error.detail;
  return error instanceof InboxError ? error.code : undefined;
}

export async function once(plugin: Plugin): Promise<void> {
  const own: Journal = {
    get: async () => undefined,
    swap: async () => { throw new JournalFailure('no room', { refused: true }); },
    listItems: async () => ({ items: [] }),
  };
  const onServer = new HttpJournal({ url: 'https://journal.example', token: 'token', ca: ['-----BEGIN CERTIFICATE-----'] });
  for (const journal of [await SqliteJournal.open('journal.sqlite', { timeoutMs: 1_000 }), onServer, own]) {
    await checkJournal(() => journal);
    const once = new Once(plugin, journal, { deadlineMs: 5_000, onWait: ({ key, reason }) => console.log(key, reason === 'sender') });
    const sent: OnceCreated = await once.sendOnce('order-17-shipped', { phone: '+34600111222', message: 'hi', fields: { device: 7 } });
    const entry: JournalEntry | undefined = await once.lookUp(sent.id);
    if (entry?.state === 'unknown') {
      await once.resolve(entry.key, { attempt: entry.attempts, found: { created: 'msg-1' }, by: 'Ada', reason: 'looked' });
    }
    console.log(entry?.resolutions.map(({ found, at }) => (found === 'not-created' ? at : found.created)), sent.replayed);
    console.log((await once.listEntries()).entries.length);
    await once.forget('k');
    // @ts-expect-error `sendOnce` requires a key
    await once.sendOnce({ phone: '+34600111222', message: 'hi' });
    // @ts-expect-error `by` and `reason` are required
    await once.resolve('k', { attempt: 1, found: 'not-created' });
  }
  await new Once({ sendMessage: async () => ({ id: 'a', json: '{}' }) }, own).sendOnce('k', { phone: '+34600111222', message: 'hi' });
  // @ts-expect-error only `open` creates a journal
  new SqliteJournal();
}

export function ofOnce(error: unknown): number | string | undefined {
  if (error instanceof BusyError) return error.payload.retryAfterMs;
  return error instanceof NotRecordedError ? error.payload.error : undefined;
}
