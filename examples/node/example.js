// node example.mjs "+34 600 111 222" "Your order is ready."

import { MessagingError, Plugin } from 'messaging-plugin';

const plugin = await Plugin.load({
  baseUrl: process.env.MESSAGING_BASE_URL,
  apiKey: process.env.MESSAGING_API_KEY,
  deadlineMs: 10_000,
});
const [phone, message] = process.argv.slice(2);

try {
  const created = await plugin.sendMessage({ phone, message });
  console.log(`created ${created.id}`);
} catch (error) {
  if (!(error instanceof MessagingError)) throw error;
  console.error(error.message);
  if (error.mayExist) console.error('the message may exist: check before you send again');
  if (error.retry === 'safe') console.error('nothing was created: try again later');
  process.exitCode = 1;
} finally {
  await plugin.close();
}
