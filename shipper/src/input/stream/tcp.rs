//! Lines and syslog messages over TCP. A full queue stops the reading, and the senders wait: nothing is
//! lost while both ends are there. A sender is never told what arrived, so what the shipper has read
//! and not delivered when it is killed is lost.

use super::Tools;
use super::feed::{Feed, Message};
use super::frames::{Frames, Room};
use super::settings::TcpSettings;
use crate::input::parse::Chain;
use crate::metrics::{self, count, uncount};
use crate::output::batch::Closed;
use crate::stop::Stop;
use serde_json::{Map, Value, json};
use std::io::{ErrorKind, Read};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// How often new connections, and what waits, are looked at.
const TICK: Duration = Duration::from_millis(20);

/// A connection that says nothing looks so often whether it is to end.
const READ_WAIT: Duration = Duration::from_millis(250);

/// What one read asks for.
const READ_BYTES: usize = 16 << 10;

/// Of a connection's thread: it calls nothing that is deep.
const STACK_BYTES: usize = 512 << 10;

/// What all connections together hold of messages that have not ended, or one of the longest.
const CARRIED_BYTES_MAX: usize = 64 << 20;

struct Listening {
    settings: TcpSettings,
    feed: Arc<Feed>,
    stop: Arc<Stop>,
    room: Arc<Room>,
    connections: AtomicUsize,
}

pub(super) fn prepare(settings: TcpSettings, tools: Tools) -> Result<Box<dyn FnOnce() + Send>, String> {
    let say = |e: std::io::Error| format!("can't listen on {:?}: {e}", settings.addresses);
    let listener = TcpListener::bind(&settings.addresses[..]).map_err(say)?;
    listener.set_nonblocking(true).map_err(say)?;
    metrics::info("listening", &[("tcp", &listener.local_addr().map_or_else(|_| String::new(), |a| a.to_string()))]);
    let carried = CARRIED_BYTES_MAX.max(2 * tools.feed.events.message_bytes_max);
    let listening = Listening {
        settings,
        feed: tools.feed,
        stop: tools.stop,
        room: Arc::new(Room::new(carried)),
        connections: AtomicUsize::new(0),
    };
    Ok(Box::new(move || Arc::new(listening).run(&listener)))
}

impl Listening {
    fn run(self: Arc<Self>, listener: &TcpListener) {
        while !self.stop.is_set() {
            match listener.accept() {
                Ok((stream, from)) => self.begin(stream, from),
                Err(e) if e.kind() == ErrorKind::WouldBlock => {
                    if self.feed.pass_on(None, false).is_err() {
                        break; // the output takes nothing any more
                    }
                    self.stop.sleep(TICK);
                }
                Err(e) => {
                    // Too many open files: it may come right.
                    metrics::warning("can't take a connection, trying again", &[("reason", &e.to_string())]);
                    self.stop.sleep(Duration::from_secs(1));
                }
            }
        }
        self.stop.set();
        while self.connections.load(Relaxed) > 0 {
            std::thread::sleep(TICK);
        }
        let _ = self.feed.pass_on(None, true);
    }

    fn begin(self: &Arc<Self>, stream: TcpStream, from: SocketAddr) {
        if self.connections.load(Relaxed) >= self.settings.connections_max {
            count(&metrics::CONNECTIONS_REFUSED, 1);
            metrics::warning(
                "a connection is closed: [max_connections] are open",
                &[("from", &from.to_string()), ("max_connections", &self.settings.connections_max.to_string())],
            );
            return;
        }
        self.connections.fetch_add(1, Relaxed);
        count(&metrics::CONNECTIONS_ACTIVE, 1);
        let this = Arc::clone(self);
        let thread = std::thread::Builder::new().stack_size(STACK_BYTES).name("connection".into());
        let begun = thread.spawn(move || {
            this.serve(&stream, from);
            this.ended();
        });
        if let Err(e) = begun {
            self.ended();
            metrics::warning("a connection is closed: it can't have a thread", &[("reason", &e.to_string())]);
        }
    }

    fn ended(&self) {
        uncount(&metrics::CONNECTIONS_ACTIVE, 1);
        self.connections.fetch_sub(1, Relaxed);
    }

    fn serve(&self, stream: &TcpStream, from: SocketAddr) {
        if let Err(Some(e)) = self.read(stream, from) {
            metrics::debug("a connection broke", &[("from", &from.to_string()), ("reason", &e.to_string())]);
        }
    }

    /// Reads to the end of a connection. The error is the connection's, or none when the output takes
    /// nothing any more.
    fn read(&self, mut stream: &TcpStream, from: SocketAddr) -> Result<(), Option<std::io::Error>> {
        stream.set_nonblocking(false)?;
        stream.set_read_timeout(Some(READ_WAIT))?;
        let bytes_max = self.feed.events.message_bytes_max;
        let mut frames = Frames::new(self.settings.framing.clone(), bytes_max, Arc::clone(&self.room));
        let chain = self.feed.events.parsers.begin();
        let mut messages = Messages { feed: &self.feed, from, chain, given: Ok(()) };
        let mut buffer = [0; READ_BYTES];
        let mut heard = Instant::now();
        let mut broke = None;
        while !self.stop.is_set() && messages.given.is_ok() {
            match stream.read(&mut buffer) {
                Ok(0) => break,
                Ok(n) => {
                    count(&metrics::BYTES_READ, n as u64);
                    heard = Instant::now();
                    frames.push(&buffer[..n], &mut |text, is_cut| messages.take(text, is_cut));
                }
                Err(e) if matches!(e.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
                    if !self.settings.timeout.is_zero() && heard.elapsed() >= self.settings.timeout {
                        metrics::debug("a connection is closed: it says nothing", &[("from", &from.to_string())]);
                        break;
                    }
                }
                Err(e) if e.kind() == ErrorKind::Interrupted => {}
                Err(e) => {
                    broke = Some(e);
                    break;
                }
            }
            messages.flush(false);
        }
        frames.finish(&mut |text, is_cut| messages.take(text, is_cut));
        messages.flush(true);
        messages.given.map_err(|Closed| None)?;
        broke.map_or(Ok(()), |e| Err(Some(e)))
    }
}

/// What comes over one connection, on its way.
struct Messages<'a> {
    feed: &'a Feed,
    from: SocketAddr,
    chain: Option<Chain>,
    given: Result<(), Closed>,
}

impl Messages<'_> {
    fn take(&mut self, text: &[u8], is_cut: bool) {
        if self.given.is_ok() {
            let message = Message { text, is_cut, members: source(self.from) };
            self.given = self.feed.message(&mut self.chain, message);
        }
    }

    fn flush(&mut self, now: bool) {
        if self.given.is_ok() {
            self.given = self.feed.flush(&mut self.chain, now);
        }
    }
}

/// Where a message came from.
pub(super) fn source(from: SocketAddr) -> Map<String, Value> {
    let log = json!({"source": {"address": from.to_string()}});
    Map::from_iter([("log".to_owned(), log)])
}
