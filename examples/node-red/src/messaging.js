// Node-RED nodes over the package messaging-plugin: an account, three nodes that use an account, and a node for events.

const { InvalidInputError, InvalidSettingsError, MessagingError, Plugin } = require('messaging-plugin');
const { Once } = require('messaging-plugin/once');
const { Journal } = require('./journal.js');
const { SeenKeys } = require('./seen-keys.js');

/** Default deadline of a call. Shorter than the 15 s that Node-RED waits for a node to close. */
const DEADLINE_MS = 10_000;

const CREDENTIALS = { apiKey: { type: 'password' }, journalToken: { type: 'password' } };

/** Events that each node has answered with 2xx, by the node's ID. The map is outside the nodes, because a
 *  deployment can replace a node during active deliveries. */
const seenKeys = new Map();

module.exports = (RED) => {
  function Account(config) {
    RED.nodes.createNode(this, config);
    const plugin = Plugin.load({
      baseUrl: config.baseUrl || undefined,
      apiKey: this.credentials.apiKey || undefined,
      allowHttp: config.allowHttp || undefined,
      settings: { MESSAGING_DEADLINE_MS: String(config.deadlineMs || DEADLINE_MS) },
    });
    this.plugin = plugin;
    plugin.catch((error) => this.error(error));
    const journal = journalOf(RED, config, this.credentials);
    journal?.opened().catch((error) => this.error(error));
    this.journaled = journal && plugin.then((loaded) => new Once(loaded, journal));
    this.journaled?.catch(() => {});
    const underWay = new Set();
    this.sendOnce = (key, request) => kept(underWay, this.journaled.then((once) => once.sendOnce(key, request)));
    const close = async () => {
      try {
        await (await plugin).close();
      } finally {
        // The outcomes of the last requests must be recorded before the journal closes.
        await Promise.allSettled(underWay);
        await journal?.close();
      }
    };
    this.on('close', (done) => close().then(() => done(), done));
  }

  function SendMessage(config) {
    RED.nodes.createNode(this, config);
    const property = properties(RED, this, config);
    answer(RED, this, { creates: true }, async (msg) => {
      const request = {
        phone: await property('phone', msg),
        message: await property('message', msg),
        device: given(await property('device', msg)),
        fields: await property('fields', msg),
      };
      const account = accountOf(RED, config);
      const key = await keyOf(account, config, property, msg);
      if (key === undefined) return { payload: await (await account.plugin).sendMessage(request) };
      try {
        const payload = await account.sendOnce(key, request);
        if (!payload.recorded) this.warn(`the journal did not record the result of ${key}: resolve the key as created with ID ${payload.id}`);
        return { payload };
      } catch (error) {
        if (error.case === 'permanent-outcome-unknown') error.message += `; look for the message, then resolve ${key}`;
        throw error;
      }
    });
  }

  function ResolveMessage(config) {
    RED.nodes.createNode(this, config);
    const property = properties(RED, this, config);
    answer(RED, this, { creates: false }, async (msg) => {
      const { journaled } = accountOf(RED, config);
      if (!journaled) throw unset('journal', 'of the account is not set');
      const key = await property('key', msg);
      const once = await journaled;
      if (config.resolution) await once.resolve(key, await property('resolution', msg));
      return { payload: await once.lookUp(key) };
    });
  }

  function ListTemplates(config) {
    RED.nodes.createNode(this, config);
    const property = properties(RED, this, config);
    answer(RED, this, { creates: false }, async (msg) => {
      const query = { status: given(await property('status', msg)), everyPage: given(config.everyPage) };
      return { payload: await (await accountOf(RED, config).plugin).listTemplates(query) };
    });
  }

  function ReceiveEvent(config) {
    RED.nodes.createNode(this, config);
    const plugin = Plugin.load({});
    const seen = seenKeys.get(this.id)
      ?? new SeenKeys(this.context(), (error) => RED.log.error(`[${this.type}:${this.id}] ${error}`));
    seenKeys.set(this.id, seen);
    this.on('close', (isRemoved, done) => {
      if (isRemoved) seenKeys.delete(this.id);
      done();
    });
    answer(RED, this, { creates: false }, async (msg) => {
      const event = await (await plugin).handleEvent({ headers: headersOf(msg), body: bodyOf(msg) });
      const isNew = await seen.isNew(event, msg.res?._res);
      return { payload: event, output: isNew ? 0 : 1 };
    });
  }

  RED.nodes.registerType('messaging-account', Account, { credentials: CREDENTIALS });
  RED.nodes.registerType('messaging-send', SendMessage);
  RED.nodes.registerType('messaging-resolve', ResolveMessage);
  RED.nodes.registerType('messaging-templates', ListTemplates);
  RED.nodes.registerType('messaging-event', ReceiveEvent);
};

/** Sets the payload of each message to the result of `work`, and passes the message on. After a failure, the flow's
 *  catch nodes receive the message with `msg.failure`. */
function answer(RED, node, { creates }, work) {
  const underWay = new Set();
  let isStopped = false;
  // After a flow was stopped, no node receives its messages, and Node-RED does not log its errors.
  const log = (text) => RED.log.warn(`[${node.type}:${node.name || node.id}] after the flow was stopped: ${text}`);
  const handle = async (msg, send, done) => {
    delete msg.failure;
    try {
      const { payload, output = 0 } = await work(msg);
      if (isStopped) log(`created ${payload?.id ?? 'nothing'}`);
      msg.payload = payload;
      node.status({});
      send(output === 0 ? msg : [null, msg]);
      done();
    } catch (error) {
      if (isStopped) log(error.message);
      msg.failure = failureOf(error, creates);
      node.status({ fill: 'red', shape: 'dot', text: msg.failure.case });
      done(error);
    }
  };
  node.on('input', (msg, send, done) => void kept(underWay, handle(msg, send, done)));
  // Waits for active sends, so that their outcomes are known.
  node.on('close', (done) => {
    isStopped = true;
    Promise.allSettled(underWay).then(() => done());
  });
}

function failureOf(error, creates) {
  if (error instanceof MessagingError) {
    const { case: name, retry, mayExist, retryAfterMs, payload } = error;
    return { case: name, retry, mayExist, retryAfterMs, payload };
  }
  // An unexpected error proves nothing about the request.
  return { case: 'permanent-other', retry: 'never', mayExist: creates, payload: { detail: String(error) } };
}

/** Adds a promise to a set, and removes the promise when it is settled. */
function kept(underWay, promise) {
  underWay.add(promise);
  const ended = () => underWay.delete(promise);
  promise.then(ended, ended);
  return promise;
}

function accountOf(RED, config) {
  const account = RED.nodes.getNode(config.account);
  if (!account) throw unset('account', 'is not chosen');
  return account;
}

function journalOf(RED, { journal: location, allowHttp }, { journalToken: token }) {
  return location ? new Journal(location, { folder: RED.settings.userDir, token, allowHttp }) : undefined;
}

/** Returns the key of a message, or `undefined` if the node's field for the key is empty, or if the account has no
 *  journal and the message has no key. */
async function keyOf({ journaled }, config, property, msg) {
  if (!config.key) return undefined;
  const key = (await property('key', msg)) ?? undefined;
  if (journaled && key === undefined) throw invalid('key', 'is missing: the account has a journal, so each message needs a key');
  if (!journaled && key !== undefined) throw unset('journal', 'of the account is not set: set the journal, or send without a key');
  return key;
}

/** Returns a function that reads a typed property of a node for a message. Expressions and context stores can be
 *  asynchronous. */
function properties(RED, node, config) {
  return async (name, msg) => {
    const value = config[name];
    const type = config[`${name}Type`] ?? 'str';
    if (value === undefined || value === '') return undefined;
    try {
      return await new Promise((resolve, reject) => {
        RED.util.evaluateNodeProperty(value, type, node, msg, (error, result) => (error ? reject(error) : resolve(result)));
      });
    } catch (error) {
      throw invalid(name, String(error.message));
    }
  };
}

/** Converts an empty value to an absent value. */
function given(value) {
  return value === '' ? undefined : value;
}

function headersOf({ req }) {
  if (!req?.headers) throw invalid('req', 'is missing: the message must come from an "http in" node');
  return req.headersDistinct ?? req.headers;
}

function bodyOf({ payload, req }) {
  if (!/^(identity)?$/i.test(req.headers['content-encoding'] ?? '')) {
    throw invalid('content-encoding', 'is not supported: the event source must send the body without compression');
  }
  // A parsed body is no longer exact: numbers are rounded, and repeated members are lost.
  if (typeof payload === 'string' || Buffer.isBuffer(payload)) return payload;
  throw invalid('payload', 'was parsed: set "Do not parse the body" in the "http in" node');
}

function unset(setting, detail) {
  return new InvalidSettingsError('permanent-invalid-settings', { setting, detail }, false);
}

function invalid(field, detail) {
  return new InvalidInputError('permanent-invalid-input', { field, detail }, false);
}
