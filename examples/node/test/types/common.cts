// Uses the types of the package in CommonJS.

import { MessagingError, Plugin } from 'messaging-plugin';
import { Inbox } from 'messaging-plugin/inbox';
import { Once, SqliteJournal } from 'messaging-plugin/once';

export async function send(): Promise<string | undefined> {
  const plugin = await Plugin.load({ baseUrl: 'https://api.example.com', apiKey: 'key' });
  try {
    return (await plugin.sendMessage({ phone: '+34600111222', message: 'hi' })).id;
  } catch (error) {
    return error instanceof MessagingError ? error.case : undefined;
  }
}

export const inbox = (token: string): Inbox => new Inbox({ url: 'https://inbox.example', token });

export const once = async (plugin: Plugin): Promise<Once> => new Once(plugin, await SqliteJournal.open('journal.sqlite'));
