// `npm run screenshot` creates screenshot.png, a picture of the example's flow in Node-RED's editor.

import { statSync } from 'node:fs';
import { picture } from './chromium.mjs';
import { start, userFolder } from './node-red.mjs';

const file = `${import.meta.dirname}/../screenshot.png`;
const user = await userFolder();
const red = await start(user.folder, { MESSAGING_BASE_URL: 'https://api.example.com', MESSAGING_API_KEY: 'a-key' });
try {
  await picture({
    url: red.url,
    width: 1180,
    height: 520,
    ready: 'document.querySelectorAll(".red-ui-flow-node").length > 15',
    prepare: `
      RED.actions.invoke('core:toggle-right-sidebar', false);
      for (const header of document.querySelectorAll('.red-ui-palette-header')) {
        if (header.innerText.trim() !== 'messaging') header.parentElement.style.display = 'none';
      }`,
    file,
  });
  console.log(`screenshot.png: ${statSync(file).size} bytes`);
} finally {
  await red.stop();
  await user.remove();
}
