// A server of ours that asks for a token: its address and the headers of requests.

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** The base address, without a slash at its end. */
export function baseOf(text, allowHttp) {
  const url = typeof text === 'string' && URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) throw new TypeError('url has to be an http or https URL');
  // A password in it is not shown, either.
  if (url.username || url.password || url.search || url.hash) {
    throw new TypeError('url has to have no name, password, query or fragment');
  }
  if (url.protocol === 'http:' && !allowHttp && !LOOPBACK.test(url.hostname)) {
    throw new TypeError('url is in clear text to another machine, which could read the token: use https, or allowHttp');
  }
  return url.origin + url.pathname.replace(/\/+$/, '');
}

/** The headers of a request with JSON. */
export function headersOf(token) {
  if (typeof token !== 'string' || !/^[!-~]{1,4096}$/.test(token)) {
    throw new TypeError('token has to be a string of visible ASCII characters');
  }
  return [
    { name: 'authorization', value: `Bearer ${token}` },
    { name: 'content-type', value: 'application/json' },
  ];
}
