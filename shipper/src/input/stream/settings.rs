//! Settings of inputs that are no files, by Filebeat's names.

use super::frames::Framing;
use super::journal::JournalSettings;
use crate::config::section::{Section, Warnings};
use crate::input::events::EventSettings;
use encoding_rs::{UTF_16BE, UTF_16LE};
use std::net::{SocketAddr, ToSocketAddrs};
use std::time::Duration;

/// Connections of an input when nothing else is set: each has a thread and a buffer.
const CONNECTIONS_DEFAULT: u64 = 512;

/// What `max_connections` may be.
const CONNECTIONS_MAX: u64 = 1 << 16;

/// One input.
#[derive(Clone)]
pub struct StreamSettings {
    /// Its name; of a journal, the one of its cursor.
    pub id: String,
    /// What its messages become.
    pub events: EventSettings,
    /// Where they come from.
    pub from: From,
}

/// Where messages come from.
#[derive(Clone)]
pub enum From {
    /// Lines of standard input.
    Stdin,
    /// Connections.
    Tcp(TcpSettings),
    /// Datagrams.
    Udp(UdpSettings),
    /// The journal of systemd.
    Journal(JournalSettings),
}

/// Of TCP.
#[derive(Clone, Debug)]
pub struct TcpSettings {
    /// Where it listens.
    pub addresses: Vec<SocketAddr>,
    /// How messages end.
    pub framing: Framing,
    /// A connection that says nothing for so long is closed.
    pub timeout: Duration,
    /// More are closed as they come.
    pub connections_max: usize,
}

/// Of UDP.
#[derive(Clone, Debug)]
pub struct UdpSettings {
    /// Where it listens.
    pub addresses: Vec<SocketAddr>,
    /// What the kernel keeps until it is read; the kernel's own default when none.
    pub read_buffer_bytes: Option<usize>,
}

impl StreamSettings {
    /// Reads an input of a kind; `None` when it is disabled.
    pub fn read(kind: &str, s: Section, warnings: &mut Warnings) -> Result<Option<StreamSettings>, String> {
        s.text("type")?; // whoever called knows it
        let is_enabled = s.flag("enabled", true)?;
        let id = s.text("id")?.unwrap_or_default();
        let (from, events) = match kind {
            "stdin" => (From::Stdin, EventSettings::read(&s, kind, ("message_max_bytes", 10 << 20), warnings)?),
            "tcp" => {
                let events = EventSettings::read(&s, kind, ("max_message_size", 20 << 20), warnings)?;
                (From::Tcp(tcp(&s)?), events)
            }
            "udp" => {
                let events = EventSettings::read(&s, kind, ("max_message_size", 10 << 10), warnings)?;
                (From::Udp(udp(&s, warnings)?), events)
            }
            "syslog" => syslog(&s, warnings)?,
            _ => {
                let events = EventSettings::read(&s, kind, ("message_max_bytes", 10 << 20), warnings)?;
                (From::Journal(JournalSettings::read(&s, warnings)?), events)
            }
        };
        if matches!(from, From::Tcp(_) | From::Udp(_)) && [UTF_16LE, UTF_16BE].contains(&events.encoding) {
            return Err(format!("[{}] must be one whose line ends are single bytes", s.path("encoding")));
        }
        s.finish()?;
        Ok(is_enabled.then_some(StreamSettings { id, events, from }))
    }
}

/// Lines of RFC 3164 and 5424, over TCP or UDP.
fn syslog(s: &Section, warnings: &mut Warnings) -> Result<(From, EventSettings), String> {
    let protocol = s.section("protocol")?;
    let names = protocol.names();
    let (from, limit) = match names.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["tcp"] => {
            let below = protocol.section("tcp")?;
            let limit = below.bytes("max_message_size", 20 << 20)?;
            let tcp = tcp(&below)?;
            below.finish()?;
            (From::Tcp(tcp), limit)
        }
        ["udp"] => {
            let below = protocol.section("udp")?;
            let limit = below.bytes("max_message_size", 10 << 10)?;
            let udp = udp(&below, warnings)?;
            below.finish()?;
            (From::Udp(udp), limit)
        }
        ["unix"] => {
            return Err(format!("[{}] is not there: use tcp or udp on 127.0.0.1", protocol.path("unix")));
        }
        _ => return Err(format!("[{}] must name one protocol, tcp or udp", s.path("protocol"))),
    };
    protocol.finish()?;
    let mut events = EventSettings::read(s, "syslog", ("max_message_size", limit), warnings)?;
    let of_parser = s.part(&["format", "timezone", "add_error_key", "log_errors"]);
    events.parsers.syslog_first(of_parser, warnings)?;
    Ok((from, events))
}

fn addresses(s: &Section, version: &str) -> Result<Vec<SocketAddr>, String> {
    let host = s.text("host")?.ok_or_else(|| format!("[{}] is missing, such as 127.0.0.1:9000", s.path("host")))?;
    let named = if host.starts_with(':') { format!("0.0.0.0{host}") } else { host.clone() };
    let found = named.to_socket_addrs().map_err(|e| format!("[{}] is no address [{host}]: {e}", s.path("host")))?;
    let found: Vec<SocketAddr> = found
        .filter(|a| match version {
            "4" => a.is_ipv4(),
            "6" => a.is_ipv6(),
            _ => true,
        })
        .collect();
    if found.is_empty() {
        return Err(format!("[{}] has no address of the network that is asked for: [{host}]", s.path("host")));
    }
    Ok(found)
}

fn tcp(s: &Section) -> Result<TcpSettings, String> {
    if s.has("ssl") {
        return Err(format!(
            "[{}] is not there: let a proxy such as stunnel end TLS before the shipper",
            s.path("ssl")
        ));
    }
    let network = s.choice("network", "tcp", &["tcp", "tcp4", "tcp6"])?;
    let delimiter = s.text("line_delimiter")?.unwrap_or_else(|| "\n".into());
    if delimiter.is_empty() {
        return Err(format!("[{}] must have a character", s.path("line_delimiter")));
    }
    let framing = match s.choice("framing", "delimiter", &["delimiter", "rfc6587"])? {
        "rfc6587" => Framing::Rfc6587,
        _ => Framing::Delimiter(delimiter.into_bytes()),
    };
    let connections_max = match s.number("max_connections", CONNECTIONS_DEFAULT, 0, CONNECTIONS_MAX)? {
        0 => CONNECTIONS_DEFAULT, // Filebeat's word for no limit, which there is none without
        n => n,
    };
    Ok(TcpSettings {
        addresses: addresses(s, &network[3..])?,
        framing,
        timeout: s.duration("timeout", Duration::from_mins(5))?,
        connections_max: usize::try_from(connections_max).expect("at most 65,536"),
    })
}

fn udp(s: &Section, warnings: &mut Warnings) -> Result<UdpSettings, String> {
    let network = s.choice("network", "udp", &["udp", "udp4", "udp6"])?;
    s.no_effect("timeout", "datagrams have no connection that could be closed", warnings);
    let read_buffer_bytes = match s.bytes("read_buffer", 0)? {
        0 => None,
        n => Some(usize::try_from(n).map_err(|_| format!("[{}] is too large", s.path("read_buffer")))?),
    };
    Ok(UdpSettings { addresses: addresses(s, &network[3..])?, read_buffer_bytes })
}
