// Transpiles the webhook into `component/`: `npm run build [-- FOLDER]`, where FOLDER holds it;
// `../../dist` unless given.

import { readFile, rm, mkdir, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { transpileBytes } from '@bytecodealliance/jco-transpile';

const here = import.meta.dirname;
const source = resolve(process.argv[2] ?? `${here}/../../dist`);

await build('messaging_webhook_files.wasm', 'webhook');

async function build(file, name) {
  const bytes = await readFile(resolve(source, file)).catch(() => {
    console.error(`${resolve(source, file)} cannot be read. Build the components, in the repository's root:`);
    console.error('  cargo verify pack --out dist');
    process.exit(1);
  });
  const { files } = await transpileBytes(bytes, {
    name,
    // The imports are passed in, so that each instance gets its own settings and
    // its own folder, and nothing that is not passed in.
    instantiation: 'sync',
    wasiShim: false,
    noNodejsCompat: true,
    base64Cutoff: 0,
    // A `result`'s error is thrown as it is; whatever else is thrown is a trap.
    noComponentErrorWrapping: true,
  });
  const folder = `${here}/component/${name}`;
  await rm(folder, { recursive: true, force: true });
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(resolve(folder, path)), { recursive: true });
    await writeFile(resolve(folder, path), content);
  }
  console.log(`${file} -> component/${name}`);
}
