// Node-RED's nodes over the package messaging-plugin: an account, and what can be done with it.

const { InvalidInputError, InvalidSettingsError, MessagingError, Plugin } = require('messaging-plugin');
const { SeenKeys } = require('./seen-keys.js');

/** Shorter than the 15 s for which Node-RED waits for a node that it stops. */
const DEADLINE_MS = 10_000;

module.exports = (RED) => {
  function Account(config) {
    RED.nodes.createNode(this, config);
    const plugin = Plugin.load({
      baseUrl: config.baseUrl || undefined,
      apiKey: this.credentials.apiKey || undefined,
      deadlineMs: config.deadlineMs || DEADLINE_MS,
    });
    this.plugin = plugin;
    plugin.catch((error) => this.error(error));
    this.on('close', (done) => plugin.then((loaded) => loaded.close()).then(() => done(), done));
  }

  function SendMessage(config) {
    RED.nodes.createNode(this, config);
    const property = properties(RED, this, config);
    answer(RED, this, async (msg) => {
      const request = {
        phone: text(property('phone', msg), 'phone'),
        message: text(property('message', msg), 'message'),
        device: optionalText(property('device', msg), 'device'),
        fields: record(property('fields', msg), 'fields'),
      };
      return { payload: await (await pluginOf(RED, config)).sendMessage(request) };
    });
  }

  function ListTemplates(config) {
    RED.nodes.createNode(this, config);
    const property = properties(RED, this, config);
    answer(RED, this, async (msg) => {
      const query = {
        status: optionalText(property('status', msg), 'status'),
        everyPage: optionalText(config.everyPage, 'everyPage'),
      };
      return { payload: await (await pluginOf(RED, config)).listTemplates(query) };
    });
  }

  function ReceiveEvent(config) {
    RED.nodes.createNode(this, config);
    const plugin = Plugin.load({});
    const seen = new SeenKeys(this.context(), (error) => this.error(error));
    answer(RED, this, async (msg) => {
      const event = await (await plugin).handleEvent({ headers: headersOf(msg), body: bodyOf(msg) });
      const isNew = await seen.isNew(event.idempotencyKey, msg.res?._res);
      return { payload: event, output: isNew ? 0 : 1 };
    });
  }

  RED.nodes.registerType('messaging-account', Account, { credentials: { apiKey: { type: 'password' } } });
  RED.nodes.registerType('messaging-send', SendMessage);
  RED.nodes.registerType('messaging-templates', ListTemplates);
  RED.nodes.registerType('messaging-event', ReceiveEvent);
};

/** Passes each message on with the payload that `work` gives. Where it fails, the flow's catch nodes get
 *  the message, with what can be done about it in `msg.failure`. */
function answer(RED, node, work) {
  const underWay = new Set();
  let isStopped = false;
  // Of a flow that stops no other node takes anything, and nothing logs its errors.
  const log = (text) => RED.log.warn(`[${node.type}:${node.name || node.id}] after the flow was stopped: ${text}`);
  const handle = async (msg, send, done) => {
    delete msg.failure;
    try {
      const { payload, output = 0 } = await work(msg);
      if (isStopped) log(`created ${payload.id ?? 'nothing'}`);
      msg.payload = payload;
      node.status({});
      send(output === 0 ? msg : [null, msg]);
      done();
    } catch (error) {
      if (isStopped) log(error.message);
      msg.failure = failureOf(error);
      node.status({ fill: 'red', shape: 'dot', text: msg.failure.case });
      done(error);
    }
  };
  node.on('input', (msg, send, done) => {
    const one = handle(msg, send, done).finally(() => underWay.delete(one));
    underWay.add(one);
  });
  // A message that is being sent is waited for, so that its outcome is known.
  node.on('close', (done) => {
    isStopped = true;
    Promise.allSettled(underWay).then(() => done());
  });
}

function failureOf(error) {
  if (error instanceof MessagingError) {
    const { case: name, retry, mayExist, retryAfterMs, payload } = error;
    return { case: name, retry, mayExist, retryAfterMs, payload };
  }
  // Of something that nobody thought of nothing is known.
  return { case: 'permanent-other', retry: 'never', mayExist: true, payload: { detail: String(error) } };
}

async function pluginOf(RED, config) {
  const account = RED.nodes.getNode(config.account);
  if (!account) throw new InvalidSettingsError('permanent-invalid-settings', { setting: 'account', detail: 'is not chosen' }, false);
  return account.plugin;
}

/** Reads a typed property of a node, for a message. */
function properties(RED, node, config) {
  return (name, msg) => {
    const value = config[name];
    const type = config[`${name}Type`] ?? 'str';
    if (value === undefined || value === '') return undefined;
    try {
      return RED.util.evaluateNodeProperty(value, type, node, msg);
    } catch (error) {
      throw invalid(name, String(error.message));
    }
  };
}

function text(value, field) {
  if (typeof value !== 'string') throw invalid(field, `is no string: ${typeof value}`);
  return value;
}

function optionalText(value, field) {
  return value === undefined || value === null || value === '' ? undefined : text(value, field);
}

function record(value, field) {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'object') throw invalid(field, `is no object: ${typeof value}`);
  return value;
}

function headersOf({ req }) {
  if (!req?.headers) throw invalid('req', 'is missing: the message has to come from an "http in" node');
  return req.headersDistinct ?? req.headers;
}

function bodyOf({ payload }) {
  if (typeof payload === 'string') return payload;
  // A body that was parsed is another one: numbers are rounded, members that are repeated are gone.
  if (!Buffer.isBuffer(payload)) throw invalid('payload', 'was parsed: tick "Do not parse the body" in the "http in" node');
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(payload);
  } catch {
    throw invalid('payload', 'is not UTF-8');
  }
}

function invalid(field, detail) {
  return new InvalidInputError('permanent-invalid-input', { field, detail }, false);
}
