//! What the senders of one output have in common.

use super::hosts::Hosts;
use super::settings::ElasticsearchSettings;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};

/// Of one output.
pub struct Shared {
    pub(super) hosts: Arc<Hosts>,
    pub(super) is_set_up: Arc<Mutex<bool>>,
    pub(super) zstd: Arc<Zstd>,
    /// A server has taken a request: what is refused since is so for what it has.
    pub(super) has_taken: Arc<AtomicBool>,
}

/// Whether a server of this output takes zstd, as far as is known.
#[derive(Default)]
pub(super) struct Zstd {
    /// One has taken it: what it refuses later, it refuses for another reason.
    pub(super) is_taken: AtomicBool,
    pub(super) is_refused: AtomicBool,
}

impl Shared {
    /// Of an output with these settings.
    pub fn new(settings: &ElasticsearchSettings) -> Shared {
        let hosts = Arc::new(Hosts::new(settings.hosts.len(), settings.backoff, settings.timeout));
        Shared { hosts, is_set_up: Arc::default(), zstd: Arc::default(), has_taken: Arc::default() }
    }
}
