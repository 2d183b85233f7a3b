//! Which proxy is between the shipper and a server: what is set, or what the environment says, by the
//! rules that Filebeat has from Go.

use std::net::IpAddr;
use ureq::http::Uri;
use ureq::{Proxy, ProxyProtocol};

/// What is set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Through {
    /// `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY` say it.
    Environment,
    /// There is none.
    Nothing,
    /// All requests go through this one.
    Proxy(String),
}

/// The proxy of a server.
///
/// # Errors
/// It is none that is known.
pub(super) fn of(
    through: &Through,
    server: &str,
    variable: &dyn Fn(&str) -> Option<String>,
) -> Result<Option<Proxy>, String> {
    let either = |name: &str| {
        let set = |name: &str| variable(name).filter(|value| !value.is_empty());
        set(name).or_else(|| set(&name.to_lowercase()))
    };
    let (name, address) = match through {
        Through::Nothing => return Ok(None),
        Through::Proxy(address) => ("proxy_url", address.clone()),
        Through::Environment => {
            let uri: Uri = server.parse().map_err(|e| format!("[{server}]: {e}"))?;
            let name = if uri.scheme_str() == Some("https") { "HTTPS_PROXY" } else { "HTTP_PROXY" };
            let host = uri.host().unwrap_or_default().trim_matches(['[', ']']);
            let Some(address) = either(name) else { return Ok(None) };
            if is_local(host) || is_excepted(host, uri.port_u16(), &either("NO_PROXY").unwrap_or_default()) {
                return Ok(None);
            }
            (name, address)
        }
    };
    read(&address).map(Some).map_err(|why| format!("[{name}] {why}"))
}

/// Reads the address of a proxy.
pub(super) fn read(address: &str) -> Result<Proxy, String> {
    // What it says itself may have the password.
    let proxy = Proxy::new(address).map_err(|_| "is no address of a proxy, such as http://10.0.0.1:3128".to_owned())?;
    match proxy.protocol() {
        ProxyProtocol::Http | ProxyProtocol::Https => Ok(proxy),
        _ => Err("must begin with http:// or https://: other proxies are not spoken to".into()),
    }
}

fn is_local(host: &str) -> bool {
    host == "localhost" || host.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

/// Whether a list of `NO_PROXY` has a host: names with all that is below them, addresses, networks.
fn is_excepted(host: &str, port: Option<u16>, list: &str) -> bool {
    let ip: Option<IpAddr> = host.parse().ok();
    list.split(',').map(str::trim).any(|entry| {
        if let (Some(ip), Some((network, bits))) = (ip, entry.split_once('/')) {
            return is_within(ip, network, bits).unwrap_or(false);
        }
        let is_v6 = entry.matches(':').count() > 1 && !entry.starts_with('[');
        let (name, own_port) = match entry.rsplit_once(':') {
            Some((name, port)) if !is_v6 && port.bytes().all(|b| b.is_ascii_digit()) => (name, port.parse().ok()),
            _ => (entry, None),
        };
        let name = name.trim_matches(['[', ']']).to_lowercase();
        if own_port.is_some() && own_port != port || name.is_empty() {
            return false;
        }
        if name == "*" || ip.is_some() {
            return name == "*" || name.parse().ok() == ip;
        }
        let (below, host) = (name.trim_start_matches('*').trim_start_matches('.'), host.to_lowercase());
        let is_below = host.strip_suffix(below).is_some_and(|rest| rest.ends_with('.'));
        is_below || !name.starts_with(['.', '*']) && host == name
    })
}

fn is_within(ip: IpAddr, network: &str, bits: &str) -> Option<bool> {
    let bits: u32 = bits.parse().ok()?;
    match (ip, network.parse().ok()?) {
        (IpAddr::V4(ip), IpAddr::V4(network)) => {
            let shift = 32u32.checked_sub(bits)?;
            Some((ip.to_bits() ^ network.to_bits()).checked_shr(shift).unwrap_or(0) == 0)
        }
        (IpAddr::V6(ip), IpAddr::V6(network)) => {
            let shift = 128u32.checked_sub(bits)?;
            Some((ip.to_bits() ^ network.to_bits()).checked_shr(shift).unwrap_or(0) == 0)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_names_a_proxy_for_each_scheme_and_none_for_this_machine() {
        let of = |server: &str, has: &[(&str, &str)]| {
            let variable = |name: &str| has.iter().find(|(own, _)| *own == name).map(|(_, value)| (*value).to_owned());
            of(&Through::Environment, server, &variable).map(|proxy| proxy.map(|p| p.host().to_owned()))
        };
        let both = [("HTTP_PROXY", "http://plain:1"), ("https_proxy", "secret:2")];
        assert_eq!(of("http://a:9200", &both), Ok(Some("plain".into())));
        assert_eq!(of("https://a:9200/x", &both), Ok(Some("secret".into())));
        assert_eq!(of("https://a:9200", &both[..1]), Ok(None));
        assert_eq!(of("http://a:9200", &[("HTTP_PROXY", "")]), Ok(None));
        let empty = [("HTTP_PROXY", ""), ("http_proxy", "plain:1"), ("NO_PROXY", ""), ("no_proxy", "b")];
        assert_eq!(of("http://a:9200", &empty), Ok(Some("plain".into())), "an empty one is none");
        assert_eq!(of("http://b:9200", &empty), Ok(None));
        for local in ["http://localhost:9200", "https://127.0.0.2:9200", "http://[::1]:9200"] {
            assert_eq!(of(local, &both), Ok(None), "{local}");
        }
        for (wrong, word) in [("socks5://a:1", "must begin with http://"), ("http://", "is no address of a proxy")] {
            let error = of("http://a:9200", &[("HTTP_PROXY", wrong)]).unwrap_err();
            assert!(error.starts_with("[HTTP_PROXY]") && error.contains(word), "{error}");
        }
    }

    #[test]
    fn what_needs_no_proxy_is_named_by_name_address_or_network() {
        let is = |host: &str, list: &str| is_excepted(host, Some(9200), list);
        for (host, list) in [
            ("a.b", "a.b"),
            ("x.a.b", "c, a.b"),
            ("x.a.b", ".a.b"),
            ("x.A.b", "*.a.B"),
            ("a.b", "a.b:9200"),
            ("a.b", "*"),
            ("10.1.2.3", "10.0.0.0/8"),
            ("10.1.2.3", "10.1.2.3:9200"),
            ("10.1.2.3", "0.0.0.0/0"),
            ("fd00::1", "fd00::/16"),
            ("fd00::1", "[fd00::1]:9200"),
            ("fd00::1", "fd00:0::1"),
        ] {
            assert!(is(host, list), "{host} in {list}");
        }
        for (host, list) in [
            ("a.b", ""),
            ("a.b", ".a.b"),
            ("xa.b", "a.b"),
            ("a.b", "a.b:80"),
            ("11.1.2.3", "10.0.0.0/8"),
            ("10.1.2.3", "10.0.0.0/33"),
            ("10.1.2.3", "fd00::/8"),
            ("a.b", "10.0.0.0/8,c"),
        ] {
            assert!(!is(host, list), "{host} in {list}");
        }
    }
}
