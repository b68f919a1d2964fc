// The simulated service, and the real Node-RED with an example's flow that sends to it, for the tests of one file.

import { after, before } from 'node:test';
import { simulatedService } from '../../node/host-test.js';
import { post as postTo, start, userFolder } from './node-red.mjs';

/** The service, Node-RED as it was started last, and its user folder. */
export let service, red, folder;

/** Starts them before the tests, with what `add` adds to the nodes of the example's flow, and ends them after. */
export function world(example, add) {
  let user;
  before(async () => {
    service = await simulatedService();
    user = await userFolder(example, add);
    folder = user.folder;
    await begin();
  });
  after(async () => {
    await red?.stop();
    await service?.stop();
    await user?.remove();
  });
}

/** Starts Node-RED, which has stopped. */
export async function begin(baseUrl = service.baseUrl) {
  red = await start(folder, { MESSAGING_BASE_URL: baseUrl, MESSAGING_API_KEY: service.apiKey });
}

export async function restart(signal, baseUrl) {
  await red.stop(signal);
  await begin(baseUrl);
}

/** Posts to a path of the flow. */
export const post = (path, ...given) => postTo(red.url + path, ...given);
