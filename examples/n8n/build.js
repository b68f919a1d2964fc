// Builds the files of the package in dist/: `npm run build`, after `npm run build` in ../node.
//
//     nodes/MessagingPlugin/generated/plugin.js   ../node's sources with both components inlined, and answered events
//     dist/                                       this file, the compiled nodes and credentials, their icons

const { spawnSync } = require('node:child_process');
const { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } = require('node:fs');

const NODE = `${__dirname}/../node`;
const GENERATED = 'nodes/MessagingPlugin/generated';

process.chdir(__dirname);
if (!existsSync('node_modules/esbuild')) {
  console.error('esbuild is not installed. Type, in this folder: npm install --ignore-scripts');
  process.exit(1);
}
const { buildSync } = require('esbuild');
if (!existsSync(`${NODE}/generated/component.js`)) {
  console.error('Build the package of examples/node first: npm ci && npm run build');
  process.exit(1);
}
for (const folder of ['dist', GENERATED]) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
}
buildSync({
  stdin: {
    contents: [
      "export { Plugin } from './plugin.js';",
      "export { setPlatform } from './platform.js';",
      "export { Once } from './send-once.js';",
      "export { HttpJournal } from './http-journal.js';",
      "export { invalidInput } from './arguments.js';",
      "export * from './errors.js';",
      "export * from './http.js';",
      "export { SeenKeys } from '../../node-red/src/seen-keys.js';",
    ].join('\n'),
    resolveDir: `${NODE}/src`,
  },
  bundle: true,
  format: 'cjs',
  platform: 'neutral',
  target: 'es2022',
  outfile: `${GENERATED}/plugin.js`,
});
const typings = readFileSync(`${NODE}/src/index.d.ts`, 'utf8').replaceAll('../generated/interface.js', './interface');
const onceTypings = readFileSync(`${NODE}/src/once.d.ts`, 'utf8')
  .replaceAll('../generated/once-interface.js', './once-interface')
  .replaceAll('./index.js', './plugin');
writeFileSync(`${GENERATED}/once.d.ts`, onceTypings);
writeFileSync(`${GENERATED}/plugin.d.ts`, `${typings}
export { HttpJournal, Once } from './once';
/** How requests are made, given the option \`fetch\`, and how time passes. */
export function setPlatform(given: {
  driverOf(fetch: unknown): object;
  pause(milliseconds: number, signal?: AbortSignal): Promise<void>;
  randomBytes(size: number): Uint8Array;
}): void;
/** The refusal of a value. */
export function invalidInput(field: string, detail: string): InvalidInputError;
export function pathOf(url: string): string;
export function isBodyRead(method: string, status: number): boolean;
export class Pieces {
  constructor(most: number);
  take(piece: Uint8Array): boolean;
  bytes(): Uint8Array;
}
export const CERTIFICATE_CODES: Set<string>;
/** The outcome of a request whose deadline has passed before it was written. */
export const TOO_LATE: object;
/** Answered events, in memory. */
export class SeenKeys {
  isNew(event: { idempotencyKey: string; json: string }, answer: object): Promise<boolean>;
}
`);
for (const name of ['interface', 'once-interface']) cpSync(`${NODE}/generated/${name}.d.ts`, `${GENERATED}/${name}.d.ts`);

const { status } = spawnSync('node_modules/.bin/tsc', { stdio: 'inherit' });
if (status !== 0) process.exit(1);
cpSync(`${GENERATED}/plugin.js`, `dist/${GENERATED}/plugin.js`);
// The inlined sources and components have the repository's license.
cpSync('../../LICENSE', `dist/${GENERATED}/LICENSE`);
cpSync('icons', 'dist/icons', { recursive: true });
