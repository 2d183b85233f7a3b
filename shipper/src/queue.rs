//! What waits between two threads, bounded in bytes.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Condvar, Mutex};
use std::time::{Duration, Instant};

struct State<T> {
    items: VecDeque<(T, Taken)>,
    /// Of items that wait, of those that were taken and are not released yet, and of those behind them.
    bytes: usize,
    /// Of the next item.
    next: u64,
    /// Of the oldest item that is not released.
    oldest: u64,
    /// Released before an older one was.
    early: BTreeMap<u64, usize>,
    /// Who came to append, and whose turn it is: one with much to append would wait for ever, if others
    /// with little passed it by.
    came: u64,
    turn: u64,
    is_closed: bool,
}

/// An item's place and bytes, to be given back when it is done with.
#[derive(Debug, PartialEq, Eq)]
pub struct Taken {
    number: u64,
    bytes: usize,
}

/// A queue whose items count until they and all before them are released, not only until they are
/// taken: what a sender holds is memory, and what is acknowledged behind a gap is sent again after a
/// crash. Both are bounded by the same bytes.
pub struct Queue<T> {
    state: Mutex<State<T>>,
    changed: Condvar,
    bytes_max: usize,
}

impl<T> Queue<T> {
    /// An empty queue.
    pub fn new(bytes_max: usize) -> Queue<T> {
        let (items, early) = (VecDeque::new(), BTreeMap::new());
        let state = State { items, bytes: 0, next: 0, oldest: 0, early, came: 0, turn: 0, is_closed: false };
        Queue { state: Mutex::new(state), changed: Condvar::new(), bytes_max }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State<T>> {
        self.state.lock().expect("no thread panics while it holds the queue")
    }

    /// Waits for room, behind all that wait already, then appends; one item always has room in an empty
    /// queue. Gives the item back when the queue is closed.
    pub fn push(&self, item: T, bytes: usize) -> Result<(), T> {
        let mut state = self.lock();
        let own = state.came;
        state.came += 1;
        let is_full = |state: &State<T>| state.bytes > 0 && state.bytes + bytes > self.bytes_max;
        while !state.is_closed && (state.turn < own || is_full(&state)) {
            state = self.changed.wait(state).expect("no thread panics while it holds the queue");
        }
        if state.is_closed {
            return Err(item);
        }
        state.turn += 1;
        state.bytes += bytes;
        let number = state.next;
        state.next += 1;
        state.items.push_back((item, Taken { number, bytes }));
        self.changed.notify_all();
        Ok(())
    }

    /// The next item and what is to be released when it is done with; `None` when the time is up, or when
    /// the queue is closed and empty.
    pub fn pop(&self, wait: Duration) -> Option<(T, Taken)> {
        let until = Instant::now() + wait;
        let mut state = self.lock();
        loop {
            if let Some(item) = state.items.pop_front() {
                return Some(item);
            }
            let left = until.saturating_duration_since(Instant::now());
            if state.is_closed || left.is_zero() {
                return None;
            }
            state = self.changed.wait_timeout(state, left).expect("no thread panics while it holds the queue").0;
        }
    }

    /// An item that was taken is done with.
    #[allow(clippy::needless_pass_by_value)] // it is given back once
    pub fn release(&self, taken: Taken) {
        let mut guard = self.lock();
        let state = &mut *guard;
        state.early.insert(taken.number, taken.bytes);
        while let Some(bytes) = state.early.remove(&state.oldest) {
            state.bytes -= bytes;
            state.oldest += 1;
        }
        self.changed.notify_all();
    }

    /// Nothing is taken in any more; what waits can still be taken out.
    pub fn close(&self) {
        self.lock().is_closed = true;
        self.changed.notify_all();
    }

    /// Whether it is closed and all was taken out.
    pub fn is_finished(&self) -> bool {
        let state = self.lock();
        state.is_closed && state.items.is_empty()
    }

    /// Bytes that wait, are being sent, or are behind such.
    pub fn bytes(&self) -> usize {
        self.lock().bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    #[test]
    fn a_full_queue_takes_more_when_something_is_released() {
        let queue = Arc::new(Queue::new(10));
        queue.push(1, 8).unwrap();
        let pushing = Arc::clone(&queue);
        let pusher = std::thread::spawn(move || pushing.push(2, 8));
        let (item, taken) = queue.pop(Duration::from_secs(1)).unwrap();
        assert_eq!(item, 1);
        assert_eq!(queue.pop(Duration::from_millis(20)), None, "taken, not released");
        queue.release(taken);
        assert_eq!(pusher.join().unwrap(), Ok(()));
        assert_eq!(queue.pop(Duration::from_secs(1)).unwrap().0, 2);
    }

    #[test]
    fn what_is_released_behind_a_gap_counts_until_the_gap_is_closed() {
        let queue = Queue::new(10);
        queue.push('a', 4).unwrap();
        queue.push('b', 5).unwrap();
        let (_, first) = queue.pop(Duration::ZERO).unwrap();
        let (_, second) = queue.pop(Duration::ZERO).unwrap();
        queue.release(second);
        assert_eq!(queue.bytes(), 9, "after a crash both would be sent again");
        queue.release(first);
        assert_eq!(queue.bytes(), 0);
    }

    #[test]
    fn one_item_larger_than_the_queue_has_room() {
        let queue = Queue::new(10);
        assert_eq!(queue.push((), 1000), Ok(()));
    }

    #[test]
    fn nobody_with_little_passes_by_who_waits_with_much() {
        let queue = Arc::new(Queue::new(10));
        queue.push('a', 5).unwrap();
        let mut pushing = Vec::new();
        for (came, (item, bytes)) in [('b', 20), ('c', 1)].into_iter().enumerate() {
            let other = Arc::clone(&queue);
            pushing.push(std::thread::spawn(move || other.push(item, bytes)));
            while queue.lock().came < 2 + came as u64 {
                std::thread::yield_now();
            }
        }
        for item in ['a', 'b', 'c'] {
            let (found, taken) = queue.pop(Duration::from_mins(1)).unwrap();
            assert_eq!(found, item);
            queue.release(taken);
        }
        assert!(pushing.into_iter().all(|thread| thread.join().unwrap().is_ok()));
    }

    #[test]
    fn a_closed_queue_gives_what_it_has() {
        let queue = Queue::new(10);
        queue.push(1, 1).unwrap();
        queue.close();
        assert_eq!(queue.push(2, 1), Err(2));
        assert_eq!(queue.pop(Duration::ZERO).unwrap().0, 1);
        assert!(queue.is_finished());
    }
}
