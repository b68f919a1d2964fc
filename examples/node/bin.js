#!/usr/bin/env node
// Prints the version, the components and a first program: `npx messaging-plugin [--json]`.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

const args = process.argv.slice(2);
if (args.some((arg) => arg !== '--json')) {
  console.error('usage: messaging-plugin [--json]');
  process.exit(2);
}
const read = (file) => readFileSync(new URL(file, import.meta.url));
const { name, version } = JSON.parse(read('package.json'));
const components = ['component.wasm', 'once-component.wasm'].map((file) => {
  const bytes = read(`generated/${file}`);
  const [{ module }] = WebAssembly.Module.imports(new WebAssembly.Module(bytes));
  return {
    file: `${name}/${file}`,
    interface: module.replace('[export]', ''),
    bytes: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  };
});
const runtime = `Node ${process.versions.node}`;
if (args.length > 0) {
  console.log(JSON.stringify({ name, version, runtime, components }, undefined, 2));
  process.exit();
}
console.log(`${name} ${version} on ${runtime}

Components:
${components.map(({ file, interface: exported, bytes, sha256 }) => `- ${file}: ${exported}, ${bytes} bytes\n  sha256 ${sha256}`).join('\n')}

Send a message (first.mjs):

    import { Plugin } from '${name}';

    const plugin = await Plugin.load({
      baseUrl: process.env.MESSAGING_BASE_URL,
      apiKey: process.env.MESSAGING_API_KEY,
    });
    const { id } = await plugin.sendMessage({ phone: '+34 600 111 222', message: 'Your order is ready.' });
    console.log(id);
    await plugin.close();

${name}/once sends at most once, ${name}/proofs verifies deliveries, ${name}/inbox processes events: see README.md.`);
