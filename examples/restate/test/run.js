// node test/run.js [KILLS]             runs the scenario, then a campaign with KILLS kills (default 12; 0: none)
// node test/run.js campaign [KILLS]    runs only the campaign
//
// Starts three nodes of Restate, a worker, `messaging serve` and the simulated service, and checks the service's
// ledger. Exit code 0: all checks passed.

import { loadavg } from 'node:os';
import { campaign } from './campaign.js';
import { scenario } from './scenario.js';
import { World } from './world.js';

const [first, ...others] = process.argv.slice(2);
const isOnlyCampaign = first === 'campaign';
const [given, ...more] = isOnlyCampaign ? others : process.argv.slice(2);
const kills = Number(given ?? 12);
if (!Number.isSafeInteger(kills) || kills < 0 || more.length > 0) {
  console.error('usage: node test/run.js [campaign] [KILLS]');
  process.exit(2);
}

async function step(name, run) {
  try {
    const seen = await run();
    console.log(`✓ ${name}\n    ${seen}`);
  } catch (error) {
    console.log(`✗ ${name}`);
    throw error;
  }
}

async function inWorld(options, run) {
  const world = await World.start(options).catch((error) => {
    console.error(`✗ setting up\n    ${error.message}`);
    process.exit(1);
  });
  try {
    console.log(`Restate: three nodes, two copies of all data; ready after ${(world.startMs / 1000).toFixed(1)} s\n`);
    await run(world);
    await world.stop();
  } catch (error) {
    console.error(error, `\nlogs: ${world.folder}`);
    process.exit(1);
  }
}

const began = performance.now();
// The deadline is longer than the replacement or restart of a node, even on busy processors, and shorter than Restate's
// inactivity timeout of one minute.
if (!isOnlyCampaign) await inWorld({ deadlineMs: 50_000 }, (world) => scenario(world, step));
if (kills > 0) {
  if (!isOnlyCampaign) console.log('');
  await inWorld({ deadlineMs: 5_000 }, (world) => campaign(world, kills, step));
}
console.log(`\nas promised in ${((performance.now() - began) / 1000).toFixed(0)} s, load ${loadavg()[0].toFixed(1)}`);
process.exit(0);
