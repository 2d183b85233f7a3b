//! How servers are asked: TLS, times, and what headers of their answers say.

use super::proxy;
use super::settings::{ElasticsearchSettings, TlsSettings};
use jiff::Timestamp;
use jiff::fmt::rfc2822::DateTimeParser;
use std::sync::Arc;
use std::time::Duration;
use ureq::Agent;
use ureq::http::HeaderMap;
use ureq::tls::{Certificate, ClientCert, PrivateKey, RootCerts, TlsConfig};

/// A server that asks for more than this is asked again nevertheless.
const RETRY_AFTER_MAX: Duration = Duration::from_mins(5);

/// A host that is off takes no connection and says nothing.
const CONNECT_MAX: Duration = Duration::from_secs(15);

/// A date of HTTP has the form of one of mail.
static DATES: DateTimeParser = DateTimeParser::new();

/// What requests to each host are made with.
pub(super) fn agents(settings: &ElasticsearchSettings) -> Result<Vec<Agent>, String> {
    settings.hosts.iter().map(|host| agent(settings, host)).collect()
}

fn agent(settings: &ElasticsearchSettings, host: &str) -> Result<Agent, String> {
    let config = Agent::config_builder()
        .http_status_as_error(false)
        .timeout_global(Some(settings.timeout))
        .timeout_connect(Some(settings.timeout.min(CONNECT_MAX)))
        // A request that was sent on would become one without a body.
        .max_redirects(0)
        .proxy(proxy::of(&settings.through, host, &|name| std::env::var(name).ok())?)
        .user_agent(concat!("holdfast-shipper/", env!("CARGO_PKG_VERSION")))
        .max_idle_connections_per_host(1)
        .tls_config(tls(&settings.tls)?)
        .build();
    Ok(config.into())
}

fn tls(settings: &TlsSettings) -> Result<TlsConfig, String> {
    let mut config = TlsConfig::builder().disable_verification(settings.believes_all);
    if !settings.authorities.is_empty() {
        let mut roots = Vec::new();
        for path in &settings.authorities {
            roots.extend(certificates(path)?);
        }
        config = config.root_certs(RootCerts::Specific(Arc::new(roots)));
    }
    if let Some((certificate, key)) = &settings.certificate {
        let pem = std::fs::read(key).map_err(|e| format!("{}: {e}", key.display()))?;
        let key = PrivateKey::from_pem(&pem).map_err(|e| format!("{}: {e}", key.display()))?;
        config = config.client_cert(Some(ClientCert::new_with_certs(&certificates(certificate)?, key)));
    }
    Ok(config.build())
}

fn certificates(path: &std::path::Path) -> Result<Vec<Certificate<'static>>, String> {
    let pem = std::fs::read(path).map_err(|e| format!("{}: {e}", path.display()))?;
    let mut found = Vec::new();
    for item in ureq::tls::parse_pem(&pem) {
        if let ureq::tls::PemItem::Certificate(certificate) = item.map_err(|e| format!("{}: {e}", path.display()))? {
            found.push(certificate);
        }
    }
    if found.is_empty() {
        return Err(format!("{} has no certificate", path.display()));
    }
    Ok(found)
}

/// How long a server asks not to be asked again: seconds, or a date.
pub(super) fn retry_after(headers: &HeaderMap, now: Timestamp) -> Duration {
    let pause = headers.get("retry-after").and_then(|value| {
        let value = value.to_str().ok()?.trim();
        if let Ok(seconds) = value.parse() {
            return Some(Duration::from_secs(seconds));
        }
        let date = DATES.parse_timestamp(value).ok()?;
        Duration::try_from(date.duration_since(now)).ok()
    });
    pause.map_or(Duration::ZERO, |pause| pause.min(RETRY_AFTER_MAX))
}

/// Where an answer points to.
pub(super) fn location(headers: &HeaderMap) -> &str {
    headers.get("location").and_then(|value| value.to_str().ok()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_may_ask_for_a_pause() {
        let now = "2026-11-26T20:00:00Z".parse().unwrap();
        for (value, seconds) in [
            ("2", 2),
            (" 7 ", 7),
            ("1000000", 300),
            ("99999999999999999999", 0),
            ("-1", 0),
            ("1.5", 0),
            ("at noon", 0),
            ("Thu, 26 Nov 2026 20:01:30 GMT", 90),
            ("Thu, 26 Nov 2026 19:00:00 GMT", 0),
            ("Thu, 26 Nov 9998 20:00:00 GMT", 300),
            ("Thu, 26 Nov 2026 99:00:00 GMT", 0),
        ] {
            let headers = HeaderMap::from_iter([("retry-after".parse().unwrap(), value.parse().unwrap())]);
            assert_eq!(retry_after(&headers, now), Duration::from_secs(seconds), "{value}");
        }
        assert_eq!(retry_after(&HeaderMap::new(), now), Duration::ZERO);
    }
}
