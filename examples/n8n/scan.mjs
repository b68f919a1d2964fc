// `npm run scan` checks the packed package as n8n's scanner checks a published package.
//
// The scanner takes the name of a published package, and reads the package, its provenance and its sources from
// registries. This program runs the scanner's two analyses locally: on the sources, and on the files of `npm pack`.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { SOURCE_FILE_PATTERNS, analyzePackage } from '@n8n/scan-community-package/scanner/scanner.mjs';

const folder = mkdtempSync(join(import.meta.dirname, 'scan-'));
let failed = false;
try {
  run('npm', 'pack', '--ignore-scripts', '--silent', '--pack-destination', folder);
  const [file] = readdirSync(folder);
  run('tar', '-xzf', join(folder, file), '-C', folder);
  for (const [name, path, patterns] of [
    ['sources', import.meta.dirname, SOURCE_FILE_PATTERNS],
    ['package', join(folder, 'package'), ['**/*.js', 'package.json']],
  ]) {
    const { passed, message, details } = await analyzePackage(path, patterns);
    console.log(`${name}: ${passed ? 'passed' : `${message}\n${details ?? ''}`}`);
    failed ||= !passed;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit(failed ? 1 : 0);

function run(command, ...args) {
  const { status, stderr } = spawnSync(command, args, { cwd: import.meta.dirname, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command}: ${stderr}`);
}
