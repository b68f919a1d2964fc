// Sends one message over n8n's HTTP helper to the given base URL, and prints the outcome.

import { Plugin, fetch } from './helper.mjs';

const plugin = await Plugin.load({ baseUrl: process.argv[2], apiKey: 'simulated-key', allowHttp: true, fetch });
await plugin.sendMessage({ phone: '+34600111222', message: 'hi' }).then(
  ({ id }) => console.log(id),
  (error) => console.log(error.case),
);
process.exit();
