//! Files that are being read, and whose turn it is.

use super::harvester::{Harvester, Reason, Turn};
use super::in_hand::InHand;
use super::source::Compression;
use super::stat::Left;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

/// A decompressor has a window of its own; so many files have one at the same time. The others wait
/// unopened, and are a few hundred bytes each.
const COMPRESSED_OPEN_MAX: usize = 4;

#[derive(Default)]
struct State {
    /// Boxed: these keep room for twice as many as there are.
    ready: VecDeque<Box<Harvester>>,
    later: BTreeMap<(Instant, u64), Box<Harvester>>,
    /// Compressed files that wait for one of the open ones to end.
    parked: VecDeque<Box<Harvester>>,
    /// Entries of compressed files that may be open.
    slots: Vec<u64>,
    /// Files that readers have in hand.
    taken: usize,
    active: BTreeMap<u64, Active>,
    closed: Vec<(usize, ClosedFile)>,
    numbered: u64,
    /// Inputs that were removed while readers had files of theirs.
    removed: BTreeSet<usize>,
    is_stopped: bool,
}

/// A file that is not read any more.
#[derive(Clone, Copy, Debug)]
pub struct ClosedFile {
    /// Its number in the registry.
    pub entry: u64,
    /// Why.
    pub reason: Reason,
    /// How it was; `None` when it could not be opened.
    pub left: Option<Left>,
}

struct Active {
    input: usize,
    in_hand: Arc<InHand>,
    is_read: bool,
}

impl State {
    /// A file of an input that was removed is closed.
    fn let_go(&mut self, mut harvester: Box<Harvester>) {
        harvester.park();
        self.slots.retain(|entry| *entry != harvester.entry);
        if let Some(active) = self.active.get_mut(&harvester.entry) {
            active.is_read = false;
        }
        if let Some(next) = self.parked.pop_front() {
            self.ready.push_back(next);
        }
    }
}

/// Hands files to readers in turns.
#[derive(Default)]
pub struct Pool {
    state: Mutex<State>,
    changed: Condvar,
}

impl Pool {
    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().expect("no thread panics while it holds the pool")
    }

    /// Begins to read a file of an input.
    pub fn add(&self, input: usize, harvester: Harvester, in_hand: Arc<InHand>) {
        let mut state = self.lock();
        state.active.insert(harvester.entry, Active { input, in_hand, is_read: true });
        state.ready.push_back(Box::new(harvester));
        self.changed.notify_one();
    }

    /// Whether a file is read, or what was read of it is on its way: reading it anew would send that
    /// twice.
    pub fn is_active(&self, entry: u64) -> bool {
        let mut state = self.lock();
        match state.active.get(&entry) {
            Some(active) if active.is_read || active.in_hand.is_pending() => true,
            Some(_) => {
                state.active.remove(&entry);
                false
            }
            None => false,
        }
    }

    /// Files of an input that are read.
    pub fn count(&self, input: usize) -> usize {
        self.lock().active.values().filter(|a| a.input == input && a.is_read).count()
    }

    /// Files of an input that were closed since the last call.
    pub fn take_closed(&self, input: usize) -> Vec<ClosedFile> {
        let mut state = self.lock();
        let (own, others): (Vec<_>, Vec<_>) = state.closed.drain(..).partition(|(of, _)| *of == input);
        state.closed = others;
        own.into_iter().map(|(_, closed)| closed).collect()
    }

    /// The next file, or none within the time.
    pub fn take(&self, wait: Duration) -> Option<Box<Harvester>> {
        let until = Instant::now() + wait;
        let mut state = self.lock();
        loop {
            if state.is_stopped {
                return None;
            }
            let now = Instant::now();
            while state.later.first_key_value().is_some_and(|((due, _), _)| *due <= now) {
                let (_, harvester) = state.later.pop_first().expect("there is a first");
                state.ready.push_back(harvester);
            }
            while let Some(harvester) = state.ready.pop_front() {
                let is_free = harvester.compression == Compression::None || state.slots.contains(&harvester.entry);
                if !is_free && state.slots.len() >= COMPRESSED_OPEN_MAX {
                    state.parked.push_back(harvester);
                    continue;
                }
                if !is_free {
                    state.slots.push(harvester.entry);
                }
                state.taken += 1;
                return Some(harvester);
            }
            let next = state.later.first_key_value().map_or(until, |((due, _), _)| (*due).min(until));
            if until <= now {
                return None;
            }
            let left = next.saturating_duration_since(now).max(Duration::from_millis(1));
            state = self.changed.wait_timeout(state, left).expect("no thread panics while it holds the pool").0;
        }
    }

    /// A turn is over.
    pub fn give_back(&self, harvester: Box<Harvester>, turn: &Turn) {
        let mut state = self.lock();
        state.taken -= 1;
        let is_removed = state.active.get(&harvester.entry).is_none_or(|a| state.removed.contains(&a.input));
        if is_removed {
            state.let_go(harvester);
            self.changed.notify_one();
            return;
        }
        if harvester.compression != Compression::None && !harvester.is_open() {
            state.slots.retain(|entry| *entry != harvester.entry);
            if let Some(next) = state.parked.pop_front() {
                state.ready.push_back(next);
            }
        }
        match turn {
            Turn::More => state.ready.push_back(harvester),
            Turn::Idle(pause) => {
                state.numbered += 1;
                let key = (Instant::now() + *pause, state.numbered);
                state.later.insert(key, harvester);
            }
            Turn::Closed(reason) => {
                if let Some(active) = state.active.get_mut(&harvester.entry) {
                    active.is_read = false;
                    let input = active.input;
                    let closed = ClosedFile { entry: harvester.entry, reason: *reason, left: harvester.left() };
                    state.closed.push((input, closed));
                }
            }
        }
        self.changed.notify_one();
    }

    /// Files of an input are read no more; what was read of them is still delivered.
    pub fn remove(&self, input: usize) {
        let mut guard = self.lock();
        let state = &mut *guard;
        state.removed.insert(input);
        let of = |harvester: &Harvester| state.active.get(&harvester.entry).is_none_or(|a| a.input == input);
        let waiting = state.ready.drain(..).chain(state.parked.drain(..));
        let (gone, stay): (Vec<_>, Vec<_>) = waiting.partition(|harvester| of(harvester));
        state.ready.extend(stay);
        let due: Vec<(Instant, u64)> = state.later.iter().filter(|(_, h)| of(h)).map(|(key, _)| *key).collect();
        let later: Vec<_> = due.iter().filter_map(|key| state.later.remove(key)).collect();
        for harvester in gone.into_iter().chain(later) {
            state.let_go(harvester);
        }
        self.changed.notify_all();
    }

    /// Nobody gets a file any more.
    pub fn stop(&self) {
        self.lock().is_stopped = true;
        self.changed.notify_all();
    }

    /// Whether [`Pool::stop`] was called.
    pub fn is_stopped(&self) -> bool {
        self.lock().is_stopped
    }

    /// Whether nothing is being read and nothing waits for its turn but files at their ends.
    pub fn is_at_rest(&self) -> bool {
        let state = self.lock();
        let is_read = state.taken > 0 || !state.ready.is_empty() || !state.parked.is_empty();
        !is_read && state.active.values().all(|a| !a.in_hand.is_pending())
    }

    /// Files that wait at their ends, or to be tried again.
    pub fn idle(&self) -> usize {
        self.lock().later.len()
    }
}
