// Creates screenshot.png, a picture of the sending workflow in n8n's editor. Run `npm run screenshot` with Node 24. The
// environment variable `N8N` names the directory of the n8n installation.

import { readFileSync, statSync } from 'node:fs';
import { picture } from '../../node-red/test/chromium.mjs';
import { N8n } from './n8n.mjs';

const file = `${import.meta.dirname}/../screenshot.png`;
const workflow = JSON.parse(readFileSync(`${import.meta.dirname}/../workflows/send.json`, 'utf8'));
const n8n = await N8n.make();
try {
  await n8n.import('credentials', [{
    id: 'messagingAccount1', name: 'simulated service', type: 'messagingPluginApi',
    data: { baseUrl: 'https://api.example.com', apiKey: 'a-key' },
  }]);
  await n8n.import('workflow', [workflow]);
  await n8n.start('/rest/login');
  await n8n.login();
  await picture({
    url: `${n8n.url}/workflow/${workflow.id}`,
    cookies: [n8n.cookie],
    width: 1240,
    height: 420,
    ready: 'document.querySelectorAll("[data-test-id=canvas-node]").length === 5',
    file,
  });
  console.log(`screenshot.png: ${statSync(file).size} bytes`);
} finally {
  await n8n.remove();
}
