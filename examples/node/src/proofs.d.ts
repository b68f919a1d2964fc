import { InvalidSettingsError } from './index.js';
import type { Pairs, Text, WebhookDelivery } from './index.js';

export { InvalidSettingsError };

/** Settings of the webhook component without the prefix `MESSAGING_WEBHOOK_`, in camel case. At least one secret is
 *  required, and a delivery must pass every configured proof. */
export interface ProofOptions {
  /** Last segment of the URL's path; 16 to 256 unreserved URL characters. */
  pathSecret?: string | undefined;
  /** Value of a header; 16 to 4096 bytes. */
  headerSecret?: string | undefined;
  /** Name of the header that contains `headerSecret`; default `X-Webhook-Secret`. */
  header?: string | undefined;
  /** Key of an HMAC-SHA256; 16 to 4096 bytes. With `standard-webhooks`: `whsec_` and Base64. */
  signatureSecret?: string | undefined;
  /** Scheme of the signature; default `body`. */
  signed?: 'body' | 'timestamp.body' | 'key.timestamp.body' | 'timestamped' | 'standard-webhooks' | undefined;
  /** Header of the signature; default `X-Signature`. */
  signatureHeader?: string | undefined;
  /** Text before the signature in `signatureHeader`; default: no text. */
  signaturePrefix?: string | undefined;
  /** Encoding of the signature; default `hex`. */
  signatureEncoding?: 'hex' | 'base64' | undefined;
  /** Header of the timestamp in seconds since 1970; default `X-Timestamp`. */
  timestampHeader?: string | undefined;
  /** Maximum difference in seconds between timestamp and clock, 0 to 604800; with 0, the timestamp is not compared.
   *  Default: 300 with `standard-webhooks`, otherwise 0. */
  timestampToleranceSeconds?: number | undefined;
  /** Second valid `pathSecret` during a rotation. */
  pathSecretNext?: string | undefined;
  /** Second valid `headerSecret` during a rotation. */
  headerSecretNext?: string | undefined;
  /** Second valid `signatureSecret` during a rotation. */
  signatureSecretNext?: string | undefined;
  /** Variables of the webhook component, for example `process.env`. The other options override these variables, and
   *  unrelated variables are ignored. A secret can be in a file: `MESSAGING_WEBHOOK_HEADER_SECRET_FILE` names the file
   *  of the header's secret. The file's last line break is removed. */
  settings?: Readonly<Record<string, string | undefined>>;
}

/** Verifies the proofs of origin of deliveries by the rules of `messaging serve`. */
export class Proofs {
  /** Throws an `InvalidSettingsError` that names the setting, but contains no secret. */
  constructor(options: ProofOptions);
  /** Returns the verified delivery for `handleEvent`. Throws an `UnverifiedError` if a proof fails.
   *
   *  `headers` are all headers of the request with their repetitions, for example `request.headersDistinct`, and
   *  `body` is the body as it arrived. `path` is required with a secret in the path, for example `request.url`.
   *  `nowMs` replaces the clock. */
  verify(headers: Pairs, body: Text, options?: { path?: string | undefined; nowMs?: number }): WebhookDelivery;
}

/** The delivery does not prove its origin. Answer 401 without the reason. */
export class UnverifiedError extends Error {
  /** The reason, for the operator. It contains no value of the delivery. */
  readonly message: string;
}
