// The seven imports of the plugin. There is nothing else in reach of it: no files,
// no arguments, and of the environment only the settings that it is given.

import { clocks, http, io } from '@bytecodealliance/preview2-shim';
import { callExtension } from '@bytecodealliance/preview2-shim/io-worker';
import { allows } from './egress.js';

const CONNECTIONS = new URL('./connections.js', import.meta.url);
let requested = false;

// Before the first request, so that none is missed.
callExtension(CONNECTIONS, 'start', []);

/** Closes the connections of requests that the last call did not see to their end. */
export function abandon() {
  if (requested) callExtension(CONNECTIONS, 'abandon', []);
  requested = false;
}

/** @param {[string, string][]} settings the component's whole environment
 *  @param {string[]} origins where it may connect to */
export function importsOf(settings, origins) {
  return {
    'wasi:cli/environment': { getEnvironment: () => settings },
    'wasi:clocks/monotonic-clock': clocks.monotonicClock,
    'wasi:io/error': io.error,
    'wasi:io/poll': io.poll,
    'wasi:io/streams': io.streams,
    'wasi:http/types': {
      ...http.types,
      // The shim's own answer for a stream that broke is no case of `error-code`, and
      // traps the component: a reply that is cut short would be a crash.
      httpErrorCode: () => undefined,
    },
    'wasi:http/outgoing-handler': {
      handle(request, options) {
        if (!allows(origins, request.scheme(), request.authority())) {
          throw { tag: 'HTTP-request-denied' };
        }
        requested = true;
        return http.outgoingHandler.handle(request, options);
      },
    },
  };
}
