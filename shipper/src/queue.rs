//! What waits between two threads, bounded in bytes.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex};
use std::time::{Duration, Instant};

struct State<T> {
    items: VecDeque<(T, usize)>,
    /// Of items that wait, and of those that were taken and are not released yet.
    bytes: usize,
    is_closed: bool,
}

/// A queue whose items count until they are released, not only until they are taken: what a sender
/// holds is memory too.
pub struct Queue<T> {
    state: Mutex<State<T>>,
    changed: Condvar,
    bytes_max: usize,
}

impl<T> Queue<T> {
    /// An empty queue.
    pub fn new(bytes_max: usize) -> Queue<T> {
        let state = State { items: VecDeque::new(), bytes: 0, is_closed: false };
        Queue { state: Mutex::new(state), changed: Condvar::new(), bytes_max }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State<T>> {
        self.state.lock().expect("no thread panics while it holds the queue")
    }

    /// Waits for room, then appends; one item always has room in an empty queue. Gives the item back
    /// when the queue is closed.
    pub fn push(&self, item: T, bytes: usize) -> Result<(), T> {
        let mut state = self.lock();
        while !state.is_closed && state.bytes > 0 && state.bytes + bytes > self.bytes_max {
            state = self.changed.wait(state).expect("no thread panics while it holds the queue");
        }
        if state.is_closed {
            return Err(item);
        }
        state.bytes += bytes;
        state.items.push_back((item, bytes));
        self.changed.notify_all();
        Ok(())
    }

    /// The next item and its bytes, which are to be released; `None` when the time is up, or when
    /// the queue is closed and empty.
    pub fn pop(&self, wait: Duration) -> Option<(T, usize)> {
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

    /// An item that was taken needs no memory any more.
    pub fn release(&self, bytes: usize) {
        self.lock().bytes -= bytes;
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

    /// Bytes that wait or are being sent.
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
        assert_eq!(queue.pop(Duration::from_secs(1)), Some((1, 8)));
        assert_eq!(queue.pop(Duration::from_millis(20)), None, "taken, not released");
        queue.release(8);
        assert_eq!(pusher.join().unwrap(), Ok(()));
        assert_eq!(queue.pop(Duration::from_secs(1)), Some((2, 8)));
    }

    #[test]
    fn one_item_larger_than_the_queue_has_room() {
        let queue = Queue::new(10);
        assert_eq!(queue.push((), 1000), Ok(()));
    }

    #[test]
    fn a_closed_queue_gives_what_it_has() {
        let queue = Queue::new(10);
        queue.push(1, 1).unwrap();
        queue.close();
        assert_eq!(queue.push(2, 1), Err(2));
        assert_eq!(queue.pop(Duration::ZERO), Some((1, 1)));
        assert!(queue.is_finished());
    }
}
