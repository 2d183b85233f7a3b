//! Which bytes of a file, or of a queue on disk, the output has acknowledged: batches may be answered
//! in any order, the registry learns only of what has no gap before it.

use std::collections::VecDeque;
use std::sync::Mutex;

/// A part of a file that was handed to the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Ticket(u64);

/// Whoever learns that a part is acknowledged.
pub trait Delivery: Send + Sync {
    /// A part of it is delivered.
    fn delivered(&self, ticket: Ticket);
}

/// How far a file is delivered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Delivered {
    /// Decompressed bytes.
    pub offset: u64,
    /// Everything, and nothing will follow.
    pub is_complete: bool,
}

struct Part<T> {
    to: T,
    is_done: bool,
}

struct Parts<T> {
    first: u64,
    waiting: VecDeque<Part<T>>,
}

/// The parts of one file under way, in the order in which they were read; `T` tells where one ends.
pub struct Deliveries<T = Delivered> {
    parts: Mutex<Parts<T>>,
}

impl<T> Default for Deliveries<T> {
    fn default() -> Deliveries<T> {
        Deliveries { parts: Mutex::new(Parts { first: 0, waiting: VecDeque::new() }) }
    }
}

impl<T> Deliveries<T> {
    /// A part is handed to the output: all up to `to` that no part before has.
    pub fn begin(&self, to: T) -> Ticket {
        let mut parts = self.lock();
        parts.waiting.push_back(Part { to, is_done: false });
        Ticket(parts.first + parts.waiting.len() as u64 - 1)
    }

    /// A part is acknowledged. What is delivered without a gap now, when that is more than before.
    pub fn done(&self, ticket: Ticket) -> Option<T> {
        let mut parts = self.lock();
        let at = usize::try_from(ticket.0 - parts.first).expect("parts in memory can be counted");
        parts.waiting[at].is_done = true;
        let mut last = None;
        while parts.waiting.front().is_some_and(|part| part.is_done) {
            last = parts.waiting.pop_front().map(|part| part.to);
            parts.first += 1;
        }
        last
    }

    /// Whether parts are under way.
    pub fn is_pending(&self) -> bool {
        !self.lock().waiting.is_empty()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Parts<T>> {
        self.parts.lock().expect("no thread panics while it holds the parts")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn to(offset: u64) -> Delivered {
        Delivered { offset, is_complete: false }
    }

    proptest! {
        #[test]
        fn nothing_behind_a_gap_is_told(order in Just((0..40usize).collect::<Vec<_>>()).prop_shuffle()) {
            let deliveries = Deliveries::default();
            let tickets: Vec<Ticket> = (1..=40).map(|n| deliveries.begin(to(n * 10))).collect();
            let mut done = [false; 40];
            let mut told = 0;
            for at in order {
                done[at] = true;
                if let Some(now) = deliveries.done(tickets[at]) {
                    prop_assert!(now.offset > told);
                    told = now.offset;
                }
                let without_gap = done.iter().take_while(|d| **d).count() as u64 * 10;
                prop_assert_eq!(told, without_gap);
            }
            prop_assert!(!deliveries.is_pending());
        }
    }
}
