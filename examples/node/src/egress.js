// Where a component may connect to: whole origins, and nothing that is not listed.

/** Reads an allow-list once. @param {readonly string[]} allow */
export function originsOf(allow) {
  return allow.map((entry, index) => {
    const url = URL.canParse(entry) ? new URL(entry) : undefined;
    const plain = url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`;
    if (!plain) {
      throw new TypeError(
        `allow[${index}] is not an origin. Write scheme, host and port alone, for example https://api.example.com`,
      );
    }
    return url.origin;
  });
}

/** The origin of a base URL; none where it has none. */
export function originOf(baseUrl) {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  return url && /^https?:$/.test(url.protocol) ? [url.origin] : [];
}

/** Whether a request of wasi:http goes to an allowed origin. */
export function allows(origins, scheme, authority) {
  const name = scheme === undefined ? 'https' : { HTTP: 'http', HTTPS: 'https' }[scheme.tag];
  if (name === undefined || !authority || /[/?#@\\]/.test(authority)) return false;
  const text = `${name}://${authority}`;
  return URL.canParse(text) && origins.includes(new URL(text).origin);
}
