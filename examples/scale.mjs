// Prints the table of host-test/docs/scaling.md: the cores, machines and disk space that a volume needs, from measured costs.
//
//   node examples/scale.mjs
//
// cores = units per second at the peak x processor time of a unit / utilization

/** Volumes in units per day. A unit is an event received or a message sent. */
const VOLUMES = [10e6, 1000e6];
/** Ratio of the busiest minute to the mean. */
const PEAK = 5;
/** Planned share of each core. The rest is for restarts after a failure, and for the work that has queued up. */
const UTILIZATION = 0.5;
const CORES_OF_A_MACHINE = 8;
/** Days for which a unit is stored. */
const DAYS = 7;

/** Processor time in milliseconds per unit, and stored bytes per unit in all replicas. host-test/docs/scaling.md lists the sources. */
const MEASURED = [
  { name: 'receive: `serve` on SQLite', ms: 2000 / 6896, bytes: 806 },
  // The sum of servers and database.
  { name: 'receive: `serve` on PostgreSQL', ms: 0.227 + 0.136, bytes: 936 },
  // An event with 90 bytes of JSON takes 443 bytes in each of three replicas. This row assumes 464 bytes of JSON.
  { name: 'receive: webhook on wasmCloud, three replicas', ms: 12.0, bytes: 3 * (443 - 90 + 464) },
  { name: 'send: Node package', ms: 0.15, bytes: 0 },
  { name: 'send once: journal in SQLite', ms: 2000 / 2421 },
  { name: 'send once: journal in PostgreSQL', ms: 2000 / 2014 },
  // The sum of nodes and worker.
  { name: 'send once: Restate, two replicas', ms: 5.1 + 1.5 },
];

const number = (value) => Math.round(value).toLocaleString('en-US');

function size(bytes) {
  for (const [unit, factor] of [['TB', 1e12], ['GB', 1e9]]) {
    if (bytes >= factor) return `${number(bytes / factor)} ${unit}`;
  }
  return `${number(bytes / 1e6)} MB`;
}

function plan({ ms, bytes }, volume) {
  const peak = volume / 86_400 * PEAK;
  const cores = peak * ms / 1000 / UTILIZATION;
  const machines = Math.max(1, Math.ceil(cores / CORES_OF_A_MACHINE));
  const stored = bytes ? `, ${size(volume * DAYS * bytes)}` : '';
  return `${cores < 10 ? cores.toFixed(1) : number(cores)} cores, ${number(machines)} machine${machines === 1 ? '' : 's'}${stored}`;
}

console.log(`| workload | ms of a core per unit | ${VOLUMES.map((volume) => `${number(volume / 1e6)} million per day`).join(' | ')} |`);
console.log('|---|---|---|---|');
for (const measured of MEASURED) {
  console.log(`| ${measured.name} | ${measured.ms.toFixed(2)} | ${VOLUMES.map((volume) => plan(measured, volume)).join(' | ')} |`);
}
