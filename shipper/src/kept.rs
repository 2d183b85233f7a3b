//! What costs something to make and is asked for again and again. A few are kept: given back to the
//! allocator and asked for anew, thousands of times, they leave holes between what stays.

use std::sync::{Mutex, MutexGuard};

/// So many are kept: as many as are in use at once.
const KEPT_MAX: usize = 6;

/// Things of one kind that nobody uses now.
pub struct Kept<T> {
    items: Mutex<Vec<T>>,
}

impl<T> Kept<T> {
    /// None.
    pub const fn new() -> Kept<T> {
        Kept { items: Mutex::new(Vec::new()) }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<T>> {
        self.items.lock().expect("no thread panics while it holds what is kept")
    }

    /// One of them, as it was given.
    pub fn take(&self) -> Option<T> {
        self.lock().pop()
    }

    /// Keeps one, or drops it when there are enough.
    pub fn give(&self, item: T) {
        let mut items = self.lock();
        if items.len() < KEPT_MAX {
            items.push(item);
        }
    }
}

impl<T> Default for Kept<T> {
    fn default() -> Kept<T> {
        Kept::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_are_kept_and_no_more() {
        let kept = Kept::new();
        assert_eq!(kept.take(), None);
        (0..100).for_each(|n| kept.give(n));
        let all: Vec<i32> = std::iter::from_fn(|| kept.take()).collect();
        assert_eq!(all.len(), KEPT_MAX);
    }
}
