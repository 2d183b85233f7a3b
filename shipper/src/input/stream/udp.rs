//! Syslog messages and lines over UDP, one a datagram. The kernel drops what comes while its buffer is
//! full, which it is soon when the output is slow; how many it dropped is counted and told. What is
//! longer than `max_message_size` is cut.

use super::Tools;
use super::feed::Message;
use super::settings::UdpSettings;
use super::tcp::source;
use crate::metrics::{self, count};
use crate::output::batch::Closed;
use std::io::ErrorKind;
use std::net::UdpSocket;
use std::os::fd::AsRawFd;
use std::os::unix::fs::MetadataExt;
use std::time::{Duration, Instant};

/// How long a read waits before what waits is looked at.
const READ_WAIT: Duration = Duration::from_millis(50);

/// No datagram is longer.
const DATAGRAM_BYTES_MAX: usize = 64 << 10;

/// How often the kernel is asked what it dropped.
const DROPS_EVERY: Duration = Duration::from_secs(5);

pub(super) fn prepare(settings: &UdpSettings, tools: Tools) -> Result<Box<dyn FnOnce() + Send>, String> {
    let say = |e: std::io::Error| format!("can't listen on {:?}: {e}", settings.addresses);
    let socket = UdpSocket::bind(&settings.addresses[..]).map_err(say)?;
    socket.set_read_timeout(Some(READ_WAIT)).map_err(say)?;
    if let Some(wanted) = settings.read_buffer_bytes {
        let asked = socket2::SockRef::from(&socket);
        asked.set_recv_buffer_size(wanted).map_err(say)?;
        let has = asked.recv_buffer_size().map_err(say)?;
        // The kernel doubles what it gives, for its own records.
        if has / 2 < wanted {
            metrics::warning(
                "the kernel gives a smaller [read_buffer] than is set (net.core.rmem_max)",
                &[("wanted", &wanted.to_string()), ("has", &(has / 2).to_string())],
            );
        }
    }
    metrics::info("listening", &[("udp", &socket.local_addr().map_or_else(|_| String::new(), |a| a.to_string()))]);
    Ok(Box::new(move || {
        if read(&socket, &tools).is_ok() {
            let _ = tools.feed.pass_on(None, true);
        }
    }))
}

fn read(socket: &UdpSocket, tools: &Tools) -> Result<(), Closed> {
    let feed = &tools.feed;
    let mut buffer = vec![0; DATAGRAM_BYTES_MAX];
    let mut drops = Drops::of(socket);
    // Every datagram is whole: what a parser keeps is of the input, not of a sender.
    let mut chain = feed.events.parsers.begin();
    while !tools.stop.is_set() {
        match socket.recv_from(&mut buffer) {
            Ok((n, from)) => {
                count(&metrics::BYTES_READ, n as u64);
                let whole = trimmed(&buffer[..n]);
                let text = &whole[..whole.len().min(feed.events.message_bytes_max)];
                if !text.is_empty() {
                    let is_cut = text.len() < whole.len();
                    feed.message(&mut chain, Message { text, is_cut, members: source(from) })?;
                }
            }
            Err(e) if matches!(e.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted) => {}
            Err(e) => {
                metrics::warning("a datagram can't be read", &[("reason", &e.to_string())]);
                tools.stop.sleep(READ_WAIT);
            }
        }
        feed.flush(&mut chain, false)?;
        feed.pass_on(chain.as_ref(), false)?;
        drops.look(false);
    }
    drops.look(true);
    feed.flush(&mut chain, true)
}

/// Without the line end or zero that some senders put behind a message.
fn trimmed(datagram: &[u8]) -> &[u8] {
    let end = datagram.iter().rposition(|b| !matches!(b, b'\n' | b'\r' | 0)).map_or(0, |last| last + 1);
    &datagram[..end]
}

/// What the kernel says that it dropped of a socket.
struct Drops {
    inode: Option<u64>,
    told: u64,
    looked: Instant,
}

impl Drops {
    fn of(socket: &UdpSocket) -> Drops {
        let inode = std::fs::metadata(format!("/proc/self/fd/{}", socket.as_raw_fd())).map(|m| m.ino()).ok();
        Drops { inode, told: 0, looked: Instant::now() }
    }

    fn look(&mut self, now: bool) {
        if !now && self.looked.elapsed() < DROPS_EVERY {
            return;
        }
        self.looked = Instant::now();
        let Some(inode) = self.inode else { return };
        let tables = ["/proc/net/udp", "/proc/net/udp6"];
        let dropped = tables.iter().find_map(|table| dropped(&std::fs::read_to_string(table).ok()?, inode));
        let more = dropped.unwrap_or(0).saturating_sub(self.told);
        if more > 0 {
            self.told += more;
            count(&metrics::UDP_DROPPED, more);
            metrics::error(
                "datagrams were lost: they came faster than they were read (read_buffer, or use TCP)",
                &[("datagrams", &more.to_string())],
            );
        }
    }
}

/// The last column of the socket's line.
fn dropped(table: &str, inode: u64) -> Option<u64> {
    let inode = inode.to_string();
    table.lines().map(|line| line.split_whitespace().collect::<Vec<_>>()).find_map(|columns| {
        (columns.get(9).is_some_and(|own| *own == inode)).then(|| columns.last()?.parse().ok()).flatten()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernel_says_what_it_dropped() {
        let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
        let sender = UdpSocket::bind("127.0.0.1:0").unwrap();
        let drops = Drops::of(&socket);
        let now = || dropped(&std::fs::read_to_string("/proc/net/udp").unwrap(), drops.inode.unwrap());
        assert_eq!(now(), Some(0));
        socket2::SockRef::from(&socket).set_recv_buffer_size(4 << 10).unwrap();
        for _ in 0..100 {
            sender.send_to(&[b'x'; 1000], socket.local_addr().unwrap()).unwrap();
        }
        assert!(now().unwrap() > 50, "{:?}", now());
    }

    #[test]
    fn ends_of_lines_and_zeros_do_not_belong_to_a_message() {
        assert_eq!(trimmed(b"<1>a \r\n\0"), b"<1>a ");
        assert_eq!(trimmed(b"\n"), b"");
    }
}
