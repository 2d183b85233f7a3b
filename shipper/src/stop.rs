//! Tells every thread to end, and lets none sleep through it.

use std::sync::{Condvar, Mutex};
use std::time::{Duration, Instant};

/// Set once.
#[derive(Default)]
pub struct Stop {
    is_set: Mutex<bool>,
    changed: Condvar,
}

impl Stop {
    /// Sets it.
    pub fn set(&self) {
        *self.lock() = true;
        self.changed.notify_all();
    }

    /// Whether it is set.
    pub fn is_set(&self) -> bool {
        *self.lock()
    }

    /// Sleeps until it is set, or as long; whether it is set.
    pub fn sleep(&self, duration: Duration) -> bool {
        let until = Instant::now() + duration;
        let mut is_set = self.lock();
        loop {
            let left = until.saturating_duration_since(Instant::now());
            if *is_set || left.is_zero() {
                return *is_set;
            }
            is_set = self.changed.wait_timeout(is_set, left).expect("a flag can't be broken").0;
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, bool> {
        self.is_set.lock().expect("a flag can't be broken")
    }
}
