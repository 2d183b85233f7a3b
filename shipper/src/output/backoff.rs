//! Pauses between tries: each twice as long as the last, with chance, so that many shippers do not
//! come back at once.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::time::Duration;

/// Grows until something goes well.
pub struct Backoff {
    init: Duration,
    max: Duration,
    next: Duration,
    state: u64,
}

impl Backoff {
    /// From `init` to `max`.
    pub fn new(init: Duration, max: Duration) -> Backoff {
        let state = RandomState::new().build_hasher().finish(); // in containers all have the same process id
        Backoff { init, max: max.max(init), next: init, state }
    }

    /// The next pause: at least half of what its turn has.
    pub fn pause(&mut self) -> Duration {
        // Xorshift: chance that nobody's safety rests on.
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        let full = self.next;
        self.next = (self.next * 2).min(self.max);
        let half = full / 2;
        half + half * u32::try_from(self.state % 1000).unwrap_or(0) / 1000
    }

    /// It went well.
    pub fn reset(&mut self) {
        self.next = self.init;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_have_the_same_pauses() {
        let pauses = || {
            let mut backoff = Backoff::new(Duration::from_secs(1), Duration::from_mins(1));
            (0..20).map(|_| backoff.pause()).collect::<Vec<_>>()
        };
        assert_ne!(pauses(), pauses());
    }

    #[test]
    fn grows_to_its_limit_and_begins_anew() {
        let mut backoff = Backoff::new(Duration::from_secs(1), Duration::from_secs(8));
        for full in [1, 2, 4, 8, 8, 8] {
            let pause = backoff.pause();
            assert!(pause >= Duration::from_millis(full * 500) && pause <= Duration::from_secs(full), "{pause:?}");
        }
        backoff.reset();
        assert!(backoff.pause() <= Duration::from_secs(1));
    }
}
