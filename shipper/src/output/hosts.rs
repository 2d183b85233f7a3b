//! Which of an output's hosts is asked next: they take turns, and one that does not answer is left out for a
//! while, so that it costs the others no time.

use super::backoff::Backoff;
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// Of all senders of an output.
pub(super) struct Hosts {
    all: Mutex<All>,
    /// Who asks one that was left out keeps the others from it for so long: it may be no better.
    trial: Duration,
}

struct All {
    turn: usize,
    hosts: Vec<Host>,
}

struct Host {
    rests: Backoff,
    /// It is left out before this.
    until: Option<Instant>,
}

impl Host {
    fn is_left_out(&self, now: Instant) -> bool {
        self.until.is_some_and(|until| now < until)
    }
}

impl Hosts {
    /// So many; `rests` are the first time and the longest for which one is left out, `timeout` is how long an
    /// answer may take.
    pub(super) fn new(count: usize, rests: (Duration, Duration), timeout: Duration) -> Hosts {
        let hosts = (0..count).map(|_| Host { rests: Backoff::new(rests.0, rests.1), until: None }).collect();
        Hosts { all: Mutex::new(All { turn: 0, hosts }), trial: timeout }
    }

    fn lock(&self) -> MutexGuard<'_, All> {
        self.all.lock().expect("turns can't be broken")
    }

    /// The next one: in turn, without those that are left out, unless all are.
    pub(super) fn next(&self, now: Instant) -> usize {
        let mut guard = self.lock();
        let all = &mut *guard;
        let count = all.hosts.len();
        let in_turn = all.turn % count;
        let at = (in_turn..in_turn + count).map(|at| at % count).find(|at| !all.hosts[*at].is_left_out(now));
        let at = at.unwrap_or(in_turn);
        all.turn = at + 1;
        let host = &mut all.hosts[at];
        if host.until.is_some_and(|until| until <= now) {
            host.until = Some(now + self.trial);
        }
        at
    }

    /// It did not answer, or can't now: it is left out for a while, `at_least` as long as it asks for. Whether
    /// there is another that is not.
    pub(super) fn failed(&self, at: usize, at_least: Duration, now: Instant) -> bool {
        let mut all = self.lock();
        let host = &mut all.hosts[at];
        host.until = Some(now + host.rests.pause().max(at_least));
        all.hosts.iter().any(|host| !host.is_left_out(now))
    }

    /// It answered.
    pub(super) fn answered(&self, at: usize) {
        let host = &mut self.lock().hosts[at];
        if host.until.take().is_some() {
            host.rests.reset();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn one_that_fails_is_left_out_and_tried_by_one_sender() {
        let hosts = Hosts::new(3, (10 * SECOND, 10 * SECOND), 90 * SECOND);
        let start = Instant::now();
        let next = |seconds: u32| hosts.next(start + seconds * SECOND);
        assert_eq!([next(0), next(0), next(0), next(0)], [0, 1, 2, 0]);
        assert!(hosts.failed(1, Duration::ZERO, start), "there are two others");
        assert_eq!([next(1), next(1), next(1)], [2, 0, 2]);
        assert_eq!([next(10), next(10), next(10), next(10)], [0, 1, 2, 0], "one tries it");
        assert_eq!([next(99), next(100)], [2, 0], "it did not answer yet");
        hosts.answered(1);
        assert_eq!([next(99), next(99), next(99), next(99)], [1, 2, 0, 1]);
    }

    #[test]
    fn when_all_are_left_out_they_take_turns() {
        let hosts = Hosts::new(2, (10 * SECOND, 10 * SECOND), 90 * SECOND);
        let start = Instant::now();
        assert!(hosts.failed(0, Duration::ZERO, start));
        assert!(!hosts.failed(1, 60 * SECOND, start));
        assert_eq!([hosts.next(start), hosts.next(start), hosts.next(start)], [0, 1, 0]);
        assert_eq!([hosts.next(start + 10 * SECOND), hosts.next(start + 11 * SECOND)], [0, 1], "as it asks for");
        let one = Hosts::new(1, (SECOND, SECOND), SECOND);
        assert!(!one.failed(0, Duration::ZERO, start), "who has one pauses");
        assert_eq!(one.next(start), 0);
    }
}
