// Base URL and request headers for a server of this repository that requires a token.

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** Validates a base URL and removes trailing slashes. Throws a `TypeError` if the URL is invalid. */
export function baseOf(text, allowHttp) {
  const url = typeof text === 'string' && URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) throw new TypeError('url has to be an http or https URL');
  // The message does not contain the URL, because it can hold a password.
  if (url.username || url.password || url.search || url.hash) {
    throw new TypeError('url must not contain a user name, password, query or fragment');
  }
  if (url.protocol === 'http:' && !allowHttp && !LOOPBACK.test(url.hostname)) {
    throw new TypeError('url would send the token unencrypted to another machine: use https, or allowHttp');
  }
  return url.origin + url.pathname.replace(/\/+$/, '');
}

/** Returns the headers of a request with a token and a JSON body. */
export function headersOf(token) {
  if (typeof token !== 'string' || !/^[!-~]{1,4096}$/.test(token)) {
    throw new TypeError('token has to be a string of visible ASCII characters');
  }
  return [
    { name: 'authorization', value: `Bearer ${token}` },
    { name: 'content-type', value: 'application/json' },
  ];
}
