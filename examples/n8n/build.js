// Builds the package in dist/. Run `npm run build` in ../node first, then `npm run build` here.
//
//     nodes/MessagingPlugin/generated/plugin.js   the sources of ../node with the components inlined, and `SeenKeys`
//     dist/                                       plugin.js, the compiled nodes and credentials, and icons

const { spawnSync } = require('node:child_process');
const { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } = require('node:fs');

const NODE = `${__dirname}/../node`;
const GENERATED = 'nodes/MessagingPlugin/generated';

process.chdir(__dirname);
if (!existsSync('node_modules/esbuild')) {
  console.error('esbuild is not installed. Run in this directory: npm install --ignore-scripts');
  process.exit(1);
}
const { buildSync } = require('esbuild');
if (!existsSync(`${NODE}/generated/component.js`)) {
  console.error('generated/component.js is missing. Run in examples/node: npm ci && npm run build');
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
/** Sets the functions that make requests, wait, and create random bytes. \`driverOf\` receives the option \`fetch\` of a
 *  plugin or a journal. */
export function setPlatform(given: {
  driverOf(fetch: unknown): object;
  pause(milliseconds: number, signal?: AbortSignal): Promise<void>;
  randomBytes(size: number): Uint8Array;
}): void;
/** Returns the error for an invalid value of a field. */
export function invalidInput(field: string, detail: string): InvalidInputError;
export function pathOf(url: string): string;
export function isBodyRead(method: string, status: number): boolean;
export class Pieces {
  constructor(most: number);
  take(piece: Uint8Array): boolean;
  bytes(): Uint8Array;
}
export const CERTIFICATE_CODES: Set<string>;
/** The outcome of a request that was not written because its deadline had passed. */
export const TOO_LATE: object;
/** Keys of answered events, in memory. */
export class SeenKeys {
  isNew(event: { idempotencyKey: string; json: string }, answer: object): Promise<boolean>;
}
`);
for (const name of ['interface', 'once-interface']) cpSync(`${NODE}/generated/${name}.d.ts`, `${GENERATED}/${name}.d.ts`);

const { status } = spawnSync('node_modules/.bin/tsc', { stdio: 'inherit' });
if (status !== 0) process.exit(1);
cpSync(`${GENERATED}/plugin.js`, `dist/${GENERATED}/plugin.js`);
// The repository's license, not the license of this package, covers the inlined sources and components.
cpSync('../../LICENSE', `dist/${GENERATED}/LICENSE`);
cpSync('icons', 'dist/icons', { recursive: true });
