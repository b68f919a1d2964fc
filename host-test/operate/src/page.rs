//! Static files of the operator's page. They contain no data; the page requests data with the
//! operator's token.

use bytes::Bytes;
use http::{HeaderName, HeaderValue, Response, header};
use http_body_util::Full;

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";

/// Path, content type and text of each file.
const FILES: [(&str, &str, &str); 9] = [
    ("/", HTML, include_str!("../page/index.html")),
    ("/page.css", CSS, include_str!("../page/page.css")),
    ("/page.js", SCRIPT, include_str!("../page/page.js")),
    ("/kit.js", SCRIPT, include_str!("../page/kit.js")),
    ("/dialog.js", SCRIPT, include_str!("../page/dialog.js")),
    ("/flow.js", SCRIPT, include_str!("../page/flow.js")),
    ("/list.js", SCRIPT, include_str!("../page/list.js")),
    ("/event.js", SCRIPT, include_str!("../page/event.js")),
    ("/sends.js", SCRIPT, include_str!("../page/sends.js")),
];

/// Content security policy: no content of other origins, no inline code, no framing.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'";

/// Returns a file of the page, or `None` if the path is unknown.
pub fn file(path: &str) -> Option<Response<Full<Bytes>>> {
    let (_, kind, text) = FILES.into_iter().find(|(name, ..)| *name == path)?;
    let mut response = Response::new(Full::new(Bytes::from_static(text.as_bytes())));
    let headers: [(HeaderName, &'static str); 5] = [
        (header::CONTENT_TYPE, kind),
        (header::CACHE_CONTROL, "no-store"),
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
    ];
    for (name, value) in headers {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    Some(response)
}
