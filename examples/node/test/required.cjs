// Sends one message from CommonJS.

const { Plugin } = require('messaging-plugin');

(async () => {
  const plugin = await Plugin.load({ baseUrl: process.env.MESSAGING_BASE_URL, apiKey: process.env.MESSAGING_API_KEY });
  const { id } = await plugin.sendMessage({ phone: '+34600111222', message: 'hi' });
  console.log(`created ${id}`);
  await plugin.close();
})();
