// The metrics, read by Prometheus with the files of examples/operate. Needs Debian's package prometheus.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { freePort, startInbox } from './inbox.mjs';

const TOKEN = 'a-metrics-token-of-this-test-0001';

const FILES = join(import.meta.dirname, '../../../examples/operate');
const installed = ['prometheus', 'promtool'].every((program) => spawnSync(program, ['--version']).status === 0);
const options = { skip: installed ? false : 'no prometheus', timeout: 120_000 };
if (!installed) console.error('NOT RUN: prometheus is not installed; install Debian\'s package prometheus');

/** Starts Prometheus for an inbox, with the files of `examples/operate`. Returns a query function. */
async function startPrometheus(t, inbox) {
  const folder = await mkdtemp(join(tmpdir(), 'prometheus-'));
  await cp(join(FILES, 'alerts.yml'), join(folder, 'alerts.yml'));
  await writeFile(join(folder, 'token'), TOKEN);
  const config = (await readFile(join(FILES, 'prometheus.yml'), 'utf8'))
    .replace('15s', '1s').replace('127.0.0.1:8090', new URL(inbox.page).host)
    .replace('/etc/prometheus/messaging-metrics-token', join(folder, 'token'));
  await writeFile(join(folder, 'prometheus.yml'), `global:\n  evaluation_interval: 1s\n${config}`);
  const address = `127.0.0.1:${await freePort()}`;
  const child = spawn('prometheus', [`--config.file=${folder}/prometheus.yml`, `--storage.tsdb.path=${folder}/data`,
    `--web.listen-address=${address}`], { stdio: 'ignore' });
  t.after(async () => {
    child.kill();
    await once(child, 'exit');
    await rm(folder, { recursive: true, force: true });
  });
  const ask = async (path) => (await (await fetch(`http://${address}/api/v1/${path}`)).json()).data;
  /** Waits until an expression has a wanted value. Returns its samples, each with labels and value. */
  return async (expression, wanted) => {
    let samples;
    for (const end = Date.now() + 60_000; Date.now() < end; await new Promise((done) => setTimeout(done, 200))) {
      const data = await ask(`query?query=${encodeURIComponent(expression)}`).catch(() => null);
      samples = data?.result.map(({ metric, value }) => [metric, Number(value[1])]) ?? [];
      if (samples.some(([metric, value]) => wanted(value, metric))) return samples;
    }
    const targets = await ask('targets').catch(() => null);
    return assert.fail(`${expression}: ${JSON.stringify(samples)}; ${targets?.activeTargets.map(({ lastError }) => lastError)}`);
  };
}

test('Prometheus reads the metrics and fires an alert', options, async (t) => {
  const inbox = await startInbox(t, { settings: { MESSAGING_METRICS_TOKENS: TOKEN } });
  for (const key of ['evt-1', 'evt-2', 'evt-3']) await inbox.deliver(key);
  await inbox.deliver('evt-1', { text: 'another one' });
  await inbox.kill((await inbox.lease())[0]);
  const samples = await startPrometheus(t, inbox);
  await samples('up{job="messaging"}', (value) => value === 1);
  await samples('messaging_ready', (value) => value === 1);
  await samples('messaging_events{state="dead"}', (value) => value === 1);
  await samples('messaging_events{state="quarantined"}', (value) => value === 1);
  await samples('messaging_oldest_waiting_seconds', (value) => value > 0);
  await samples('messaging_deliveries_total{status="200"}', (value) => value === 4);
  await samples('messaging_events_put_total{outcome="stored"}', (value) => value === 3);
  await samples('process_resident_memory_bytes', (value) => value > 1e6);
  // Without its last bucket, +Inf, a histogram has no quantiles.
  await samples('messaging_commit_seconds_bucket{le="+Inf"}', (value) => value >= 4);
  await samples('ALERTS{alertname="MessagingEventsNeedOperator"}', (value, { state }) => state === 'dead');
});

test('alert rules are valid and pass their test', options, () => {
  for (const command of [['check', 'rules', 'alerts.yml'], ['test', 'rules', 'alerts.test.yml'], ['check', 'config', '--syntax-only', 'prometheus.yml']]) {
    const { status, stdout, stderr } = spawnSync('promtool', command, { cwd: FILES, encoding: 'utf8' });
    assert.equal(status, 0, stdout + stderr);
  }
});
