//! What requests go to, behind a host.

use super::settings::ElasticsearchSettings;

/// What only positions and errors are needed of.
const FILTER: &str = "errors,items.*.error,items.*.status";

/// The path and query string of requests to `_bulk`, behind a host.
pub(super) fn bulk_path(settings: &ElasticsearchSettings) -> String {
    let mut path = String::new();
    let index = settings.index.fixed().filter(|name| !name.is_empty());
    if let Some(index) = index {
        path.push('/');
        path.push_str(&encoded(&index.to_lowercase()));
    }
    path.push_str("/_bulk?filter_path=");
    path.push_str(FILTER);
    if let Some(pipeline) = settings.pipeline.as_ref().and_then(|p| p.fixed()) {
        path.push_str("&pipeline=");
        path.push_str(&encoded(pipeline));
    }
    for (name, value) in &settings.parameters {
        path.push_str(&format!("&{}={}", encoded(name), encoded(value)));
    }
    path
}

/// A part of a path, or a parameter's name or value.
pub(super) fn encoded(text: &str) -> String {
    text.bytes().fold(String::new(), |mut out, byte| {
        if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
        out
    })
}
