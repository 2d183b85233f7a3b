//! What names of a configuration must look like so that servers take them: with one that they refuse,
//! every event would be refused, or tried for ever.

use crate::event::format::Format;

/// What names of indices never have.
const NOT_IN_INDEX: &[char] = &['\\', '/', '*', '?', '"', '<', '>', '|', ' ', ',', '#', ':'];

/// The address of a host: scheme, name, port, path.
pub(super) fn host(address: &str) -> Result<(), String> {
    let (scheme, rest) = address.split_once("://").unwrap_or(("", address));
    if !["http", "https"].contains(&scheme) {
        return Err("must begin with http:// or https://".into());
    }
    let authority = rest.split('/').next().unwrap_or_default();
    if authority.contains('@') {
        return Err("must not have a user: use [username] and [password]".into());
    }
    let (name, port) = authority.rsplit_once(':').unwrap_or((authority, ""));
    let is_bracketed = name.starts_with('[') && name.ends_with(']');
    if name.is_empty() || (name.contains(':') && !is_bracketed) {
        return Err("has no name of a host, or an IPv6 address without brackets".into());
    }
    if port.parse::<u16>().map_or(true, |port| port == 0) {
        return Err("has a port that is not from 1 to 65535".into());
    }
    if !rest.bytes().all(|b| b.is_ascii_graphic()) || rest.contains(['?', '#']) {
        return Err("must be scheme, name, port and path, with nothing else".into());
    }
    Ok(())
}

/// A header of requests.
pub(super) fn header(name: &str, value: &str) -> Result<(), String> {
    let is_token =
        !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&b));
    if !is_token {
        return Err(format!("has [{name}], which is no name of a header"));
    }
    if value.bytes().any(|b| b < b' ' || b == 0x7f) {
        return Err(format!("has control characters in the value of [{name}]"));
    }
    Ok(())
}

/// The name of an index, or what of it does not depend on events.
pub(super) fn index(format: &Format) -> Result<(), String> {
    if format.fixed() == Some("") {
        return Err("is empty".into());
    }
    let text = format.text();
    if let Some(wrong) = text.chars().find(|c| NOT_IN_INDEX.contains(c) || c.is_control()) {
        return Err(format!("has [{wrong}], which no name of an index may have"));
    }
    if format.fixed().is_some_and(|name| name.starts_with(['_', '-', '+']) || name == "." || name == "..") {
        return Err("begins as no name of an index may".into());
    }
    if text.len() > 255 {
        return Err("is longer than 255 bytes, which no name of an index may be".into());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts() {
        for sound in ["http://a:9200", "https://[::1]:443/below/it", "http://10.0.0.1:1"] {
            assert_eq!(host(sound), Ok(()));
        }
        for wrong in [
            "ftp://a:1",
            "http://:9200",
            "http://a b:1",
            "http://a:99999",
            "http://::1:9200",
            "http://u:p@a:1",
            "http://a:1/?x",
        ] {
            assert!(host(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn indices() {
        let of = |text: &str| index(&Format::parse(text).unwrap());
        for sound in ["logs-web-default", "Logs", ".internal", "%{[a.b]}", "x-%{+yyyy.MM.dd}-%{[agent.name]:none}"] {
            assert_eq!(of(sound), Ok(()), "{sound}");
        }
        for wrong in ["", "a b", "_all", "-x", "logs/%{[a]}", "a,b", "<x>", &"x".repeat(256)] {
            assert!(of(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn headers() {
        assert_eq!(header("X-Found-Cluster", "ab \u{e9}"), Ok(()));
        assert!(header("a b", "").is_err() && header("", "").is_err() && header("a", "x\ny").is_err());
    }
}
