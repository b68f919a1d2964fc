// Certificates for TLS servers of the tests.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Creates a key and a self-signed certificate for localhost, as files in a directory. */
export function selfSigned(folder, name = 'own') {
  const [keyFile, file] = [join(folder, `${name}.key`), join(folder, `${name}.pem`)];
  const made = spawnSync('openssl', ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes',
    '-keyout', keyFile, '-out', file, '-days', '2', '-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'], { encoding: 'utf8' });
  assert.equal(made.status, 0, made.stderr);
  return { key: readFileSync(keyFile, 'utf8'), cert: readFileSync(file, 'utf8'), file };
}
