// Prints the tables of scale.md: the measurements, and the cores and disk space that a volume needs.
//
//   node examples/scale.mjs
//
// cores = units per second at the peak x processor time for each / utilization

/** Volumes in units per day. A unit is a received event or a sent message. */
const VOLUMES = [10e6, 1000e6];
/** Ratio of the busiest minute to the mean. */
const PEAK = 5;
/** Planned share of a core. The rest is for recovery after kills, and for draining queues. */
const UTILISATION = 0.5;
const CORES_OF_A_MACHINE = 8;
/** Number of days for which a unit is kept. */
const DAYS = 7;

/** For each unit: processor time in milliseconds, bytes kept in all copies, and the source of the measurement. */
const MEASURED = [
  {
    name: 'receive: `serve` on SQLite',
    ms: 2000 / 6896,
    bytes: 806,
    from: 'two cores, their sender included, keep [6,896 a second](../host-test/benches/README.md#receiving-events), signed and compared; [sizes](operate/README.md#sizes)',
    splits: 'a file for each `serve`; the balancer chooses by a hash of the key',
  },
  {
    name: 'receive: `serve` on PostgreSQL',
    ms: 0.227 + 0.136,
    bytes: 936,
    from: '[`cargo bench --bench servers`](../host-test/postgres/README.md#three-servers): three servers and the database, 64 at once, unsigned',
    splits: 'one database, then several, by a hash of the key',
  },
  {
    name: 'receive: webhook on wasmCloud, bucket with three replicas',
    ms: 12.0,
    // Three copies. The JSON of 90 bytes takes 443 bytes there; here it has 464 bytes, as above.
    bytes: 3 * (443 - 90 + 464),
    from: '[`cluster/run`](wasmcloud/README.md#two-hosts-three-nats-servers): hosts and servers together',
    splits: 'a bucket is one leader: several, each with its own workloads, by a hash of the key',
  },
  {
    name: 'send: the package for JavaScript, alone',
    ms: 0.15,
    bytes: 0,
    from: '[`npm run bench`](node/README.md#figures), 32 at once',
    splits: 'any number of processes',
  },
  {
    name: 'send: at most once, journal in SQLite',
    ms: 2000 / 2421,
    from: '[`cargo bench --bench once`](../guest/once/README.md#what-was-measured): two cores, the service and the callers included, 64 at once',
    splits: 'a file for each machine; what splits the keys is the key',
  },
  {
    name: 'send: at most once, journal in PostgreSQL',
    ms: 2000 / 2014,
    from: 'the same, the database included',
    splits: 'any number of processes; then several databases, by a hash of the key',
  },
  {
    name: 'send: at most once, on Restate with two copies',
    ms: 5.1 + 1.5,
    from: '[`npm test`](restate/README.md#from-a-fresh-clone): nodes and the worker in JavaScript together',
    splits: 'partitions of the key, led by all nodes; workers behind a balancer',
  },
];

const number = (value) => Math.round(value).toLocaleString('en-GB');

function size(bytes) {
  for (const [unit, factor] of [['TB', 1e12], ['GB', 1e9]]) {
    if (bytes >= factor) return `${number(bytes / factor)} ${unit}`;
  }
  return `${number(bytes / 1e6)} MB`;
}

function plan({ ms, bytes }, volume) {
  if (ms === undefined) return '';
  const peak = volume / 86_400 * PEAK;
  const cores = peak * ms / 1000 / UTILISATION;
  const machines = Math.max(1, Math.ceil(cores / CORES_OF_A_MACHINE));
  const kept = bytes ? `, ${size(volume * DAYS * bytes)}` : '';
  return `${cores < 1 ? cores.toFixed(1) : number(cores)} cores: ${number(machines)} of ${CORES_OF_A_MACHINE}${kept}`;
}

console.log(`| | ms of a core | measured | ${VOLUMES.map((volume) => `${number(volume / 1e6)} million a day, ${number(volume / 86_400 * PEAK)} a second at the peak`).join(' | ')} | beyond one |`);
console.log('|---|---|---|---|---|---|');
for (const one of MEASURED) {
  console.log(`| ${one.name} | ${one.ms?.toFixed(2) ?? ''} | ${one.from} | ${VOLUMES.map((volume) => plan(one, volume)).join(' | ')} | ${one.splits} |`);
}
