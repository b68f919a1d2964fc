import { createHmac, timingSafeEqual } from 'node:crypto'

/** Returns true if `x-signature` is the HMAC of event key, timestamp and body. */
export function isSigned(headers, body) {
  const mac = createHmac('sha256', process.env.SECRET)
  mac.update(`${headers['x-idempotency-key']}.${headers['x-timestamp']}.`).update(body)
  const given = Buffer.from(headers['x-signature'] ?? '', 'hex')
  const expected = mac.digest()
  return given.length === expected.length && timingSafeEqual(given, expected)
}
