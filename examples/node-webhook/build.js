// `npm run build [-- FOLDER]` transpiles the webhook component into `component/`. FOLDER contains the component; default
// `../../dist`.

import { readFile, rm, mkdir, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { transpileBytes } from '@bytecodealliance/jco-transpile';

const here = import.meta.dirname;
const source = resolve(process.argv[2] ?? `${here}/../../dist`);

await build('messaging_webhook_files.wasm', 'webhook');

async function build(file, name) {
  const bytes = await readFile(resolve(source, file)).catch(() => {
    console.error(`${resolve(source, file)} cannot be read. Build the components in the repository's root:`);
    console.error('  cargo pack --out dist');
    process.exit(1);
  });
  const { files } = await transpileBytes(bytes, {
    name,
    // The caller passes the imports, so that each instance has only its own settings and its own directory.
    instantiation: 'sync',
    wasiShim: false,
    noNodejsCompat: true,
    base64Cutoff: 0,
    // The bindings throw the error value of a `result` itself, without a wrapper. Any other exception is a trap.
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
