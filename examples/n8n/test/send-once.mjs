// Sends one message over n8n's own HTTP helper to the base URL given, and prints what became of it.

import { Plugin, fetch } from './helper.mjs';

const plugin = await Plugin.load({ baseUrl: process.argv[2], apiKey: 'simulated-key', allowHttp: true, fetch });
await plugin.sendMessage({ phone: '+34600111222', message: 'hi' }).then(
  ({ id }) => console.log(id),
  (error) => console.log(error.case),
);
process.exit();
