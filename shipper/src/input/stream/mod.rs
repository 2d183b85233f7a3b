//! Inputs that are no files: standard input, syslog and lines over TCP and UDP, the journal of systemd.
//!
//! What comes over a network can't be read again: it is lost when the shipper ends before the output
//! has it. The journal can, and its cursor is in the registry.

pub mod chunks;
pub mod feed;
pub mod frames;
pub mod journal;
pub mod journal_fields;
pub mod journal_place;
pub mod settings;
pub mod stdin;
pub mod tcp;
pub mod udp;

use crate::stop::Stop;
use feed::Feed;
use settings::{From, StreamSettings};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread::JoinHandle;

/// What runs a stream has.
pub struct Tools {
    /// What is read goes there.
    pub feed: Arc<Feed>,
    /// Set when no more is read.
    pub stop: Arc<Stop>,
    /// Set when the stream has ended by itself.
    pub is_ended: Arc<AtomicBool>,
    /// Whether to end where the journal ends now.
    pub is_once: bool,
}

/// Starts a stream.
///
/// # Errors
/// Says what keeps it from starting: an address that is taken, a program that is missing.
pub fn start(settings: StreamSettings, tools: Tools) -> Result<JoinHandle<()>, String> {
    let is_ended = Arc::clone(&tools.is_ended);
    let run: Box<dyn FnOnce() + Send> = match settings.from {
        From::Stdin => Box::new(move || stdin::run(&tools)),
        From::Tcp(tcp) => tcp::prepare(tcp, tools)?,
        From::Udp(udp) => udp::prepare(&udp, tools)?,
        From::Journal(journal) => journal::prepare(journal, &settings.id, tools)?,
    };
    let run = move || {
        run();
        is_ended.store(true, Relaxed);
    };
    std::thread::Builder::new().name("stream".into()).spawn(run).map_err(|e| format!("a thread can't be started: {e}"))
}
