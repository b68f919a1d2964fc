// Loads the built package with n8n's HTTP helper, for `conform.js --with`. Nodes receive this helper as
// `this.helpers.httpRequest`. The environment variable `N8N` names the directory of the n8n installation.

import { createRequire } from 'node:module';

const installed = createRequire(`${process.env.N8N}/node_modules/`);
installed('reflect-metadata');
const { getRequestHelperFunctions } = installed(
  `${process.env.N8N}/node_modules/n8n-core/dist/execution-engine/node-execution-context/utils/request-helper-functions.js`,
);

const own = createRequire(import.meta.url);
own('../dist/nodes/MessagingPlugin/driver.js');

export const { Plugin, MessagingError, PluginCrashedError } = own('../dist/nodes/MessagingPlugin/generated/plugin.js');
export const name = `n8n ${installed('n8n/package.json').version}`;
export const fetch = getRequestHelperFunctions({}, { name: 'conform' }, {}).httpRequest;
export const limits = {};
