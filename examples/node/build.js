// Builds the generated files of the package: `npm run build [-- FOLDER]`. FOLDER contains the components; default
// `../../dist`.
//
//     generated/component.wasm   the core module of messaging_plugin_sans_io.wasm
//     generated/component.js     the same module as a string, because browsers cannot read files
//     generated/interface.js     the types of wit/sans-io.wit, as data for src/abi.js
//     generated/interface.d.ts   the types of wit/sans-io.wit for TypeScript
//     generated/once-*           the same four files for messaging_once_sans_io.wasm and wit/sans-io-once.wit
//     cjs/                       the sources and the generated files as CommonJS
//     LICENSE                    the repository's license

import { copyFileSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { coreModuleOf } from './build/component.js';
import { readInterface, typingsOf } from './build/wit.js';

const { default: ts } = await import('typescript').catch(() => {
  console.error('typescript is not installed. Run in this directory: npm ci');
  process.exit(1);
});
const here = import.meta.dirname;
const source = resolve(process.argv[2] ?? `${here}/../../dist`);

function read(file) {
  try {
    return readFileSync(resolve(source, file));
  } catch {
    console.error(`${resolve(source, file)} cannot be read. Build the components in the repository's root:`);
    console.error('  cargo pack --out dist');
    process.exit(1);
  }
}

function empty(folder) {
  rmSync(`${here}/${folder}`, { recursive: true, force: true });
  mkdirSync(`${here}/${folder}`, { recursive: true });
}

const COMPONENTS = [
  { component: 'messaging_plugin_sans_io.wasm', wit: 'sans-io', prefix: '' },
  { component: 'messaging_once_sans_io.wasm', wit: 'sans-io-once', prefix: 'once-' },
].map(({ component, wit, prefix }) => ({
  component,
  prefix,
  file: `${wit}.wit`,
  core: coreModuleOf(read(component)),
  wit: readInterface(String(read(`wit/${wit}.wit`)), wit, String(read('wit/types.wit'))),
}));

empty('generated');
for (const { prefix, file, core, wit } of COMPONENTS) {
  const made = (name, content) => writeFileSync(`${here}/generated/${prefix}${name}`, content);
  made('component.wasm', core);
  made('component.js', `// The core module, in base64.\nexport default '${core.toString('base64')}';\n`);
  made('interface.js', `// The types of wit/${file}.\nexport default ${JSON.stringify(wit.data, undefined, 1)};\n`);
  made('interface.d.ts', typingsOf(wit, file));
}

empty('cjs/src');
empty('cjs/generated');
writeFileSync(`${here}/cjs/package.json`, '{ "type": "commonjs" }\n');
for (const folder of ['src', 'generated']) {
  for (const file of readdirSync(`${here}/${folder}`)) {
    const text = readFileSync(`${here}/${folder}/${file}`, 'utf8');
    // CommonJS needs its own copy of the declarations next to its files.
    if (file.endsWith('.d.ts')) writeFileSync(`${here}/cjs/${folder}/${file}`, text);
    if (!file.endsWith('.js')) continue;
    const { outputText } = ts.transpileModule(text, {
      compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022, esModuleInterop: true },
    });
    writeFileSync(`${here}/cjs/${folder}/${file}`, outputText);
  }
}
copyFileSync(`${here}/../../LICENSE`, `${here}/LICENSE`);
for (const name of ['node', 'inbox', 'once-node', 'proofs']) {
  const exported = createRequire(import.meta.url)(`./cjs/src/${name}.js`);
  const names = Object.keys(exported).filter((name) => name !== '__esModule');
  writeFileSync(`${here}/cjs/${name}.mjs`, [
    '// Exports the classes of the CommonJS files, so that `import` and `require` return the same classes.',
    `import exported from './src/${name}.js';`,
    `export const { ${names.sort().join(', ')} } = exported;`,
    '',
  ].join('\n'));
}
for (const { component, core } of COMPONENTS) {
  console.log(`${component} -> generated/, cjs/: a core module of ${core.length} bytes`);
}
