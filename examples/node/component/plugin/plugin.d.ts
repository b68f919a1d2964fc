// world root:component/root
import type * as WasiCliEnvironment from './interfaces/wasi-cli-environment.js'; // wasi:cli/environment@0.2.0
import type * as WasiClocksMonotonicClock from './interfaces/wasi-clocks-monotonic-clock.js'; // wasi:clocks/monotonic-clock@0.2.0
import type * as WasiHttpOutgoingHandler from './interfaces/wasi-http-outgoing-handler.js'; // wasi:http/outgoing-handler@0.2.0
import type * as WasiHttpTypes from './interfaces/wasi-http-types.js'; // wasi:http/types@0.2.0
import type * as WasiIoError from './interfaces/wasi-io-error.js'; // wasi:io/error@0.2.0
import type * as WasiIoPoll from './interfaces/wasi-io-poll.js'; // wasi:io/poll@0.2.0
import type * as WasiIoStreams from './interfaces/wasi-io-streams.js'; // wasi:io/streams@0.2.0
import type * as MessagingIntegrationMessaging from './interfaces/messaging-integration-messaging.js'; // messaging:integration/messaging@0.2.0
export interface ImportObject {
  'wasi:cli/environment@0.2.0': typeof WasiCliEnvironment,
  'wasi:clocks/monotonic-clock@0.2.0': typeof WasiClocksMonotonicClock,
  'wasi:http/outgoing-handler@0.2.0': typeof WasiHttpOutgoingHandler,
  'wasi:http/types@0.2.0': typeof WasiHttpTypes,
  'wasi:io/error@0.2.0': typeof WasiIoError,
  'wasi:io/poll@0.2.0': typeof WasiIoPoll,
  'wasi:io/streams@0.2.0': typeof WasiIoStreams,
}
export interface Root {
  'messaging:integration/messaging@0.2.0': typeof MessagingIntegrationMessaging,
  messaging: typeof MessagingIntegrationMessaging,
}

/**
* Instantiates this component with the provided imports and
* returns a map of all the exports of the component.
*
* This function is intended to be similar to the
* `WebAssembly.Instantiate` constructor. The second `imports`
* argument is the "import object" for wasm, except here it
* uses component-model-layer types instead of core wasm
* integers/numbers/etc.
*
* The first argument to this function, `getCoreModule`, is
* used to compile core wasm modules within the component.
* Components are composed of core wasm modules and this callback
* will be invoked per core wasm module. The caller of this
* function is responsible for reading the core wasm module
* identified by `path` and returning its compiled
* `WebAssembly.Module` object. This would use the
* `WebAssembly.Module` constructor on the web, for example.
*/
export function instantiate(
getCoreModule: (path: string) => WebAssembly.Module,
imports: ImportObject,
instantiateCore?: (module: WebAssembly.Module, imports: Record<string, any>) => WebAssembly.Instance
): Root;

