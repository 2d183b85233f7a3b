//! Where in a journal delivery is: its cursor, kept in the registry like a file's offset.

use crate::ack::{Delivered, Deliveries, Delivery, Ticket};
use crate::output::batch::Filler;
use crate::registry::{Entry, Identity, Registry};
use sha2::{Digest, Sha256};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard};

#[derive(Default)]
struct Cursors {
    /// Of the next entry that is read.
    next: u64,
    /// Of entries that are not delivered: the number of the first, and all without a gap.
    first: u64,
    waiting: VecDeque<String>,
    /// Entries before this are on their way.
    begun: u64,
}

/// The place of one input in its journal.
pub struct JournalPlace {
    entry: u64,
    /// What ids are made of, besides the cursor.
    scope: String,
    cursors: Mutex<Cursors>,
    deliveries: Deliveries,
    registry: Arc<Registry>,
}

impl JournalPlace {
    /// Finds the place of an input, or makes one at the beginning.
    pub fn open(input: &str, host: &str, registry: Arc<Registry>) -> Arc<JournalPlace> {
        let scope = format!("{host}\0{input}\0journal");
        let known = registry.of_input(input).into_iter().find(|e| e.identity == Identity::Journal);
        let entry = known.map_or_else(
            || {
                let entry = Entry {
                    id: hash(&scope),
                    input: input.to_owned(),
                    identity: Identity::Journal,
                    source: "journal".into(),
                    inode: (0, 0),
                    offset: 0,
                    is_complete: false,
                    ended: None,
                    seen_secs: 0,
                    cursor: None,
                };
                let id = entry.id;
                registry.put(entry);
                id
            },
            |known| known.id,
        );
        Arc::new(JournalPlace { entry, scope, cursors: Mutex::default(), deliveries: Deliveries::default(), registry })
    }

    fn lock(&self) -> MutexGuard<'_, Cursors> {
        self.cursors.lock().expect("cursors can't be broken")
    }

    /// The last entry that was delivered.
    pub fn cursor(&self) -> Option<String> {
        self.registry.find(self.entry)?.cursor
    }

    /// An entry is read; its number.
    pub fn read(&self, cursor: String) -> u64 {
        let mut cursors = self.lock();
        cursors.waiting.push_back(cursor);
        cursors.next += 1;
        cursors.next - 1
    }

    /// What the id of an entry's document is made of: the same however often it is read.
    pub fn id_of(&self, number: u64) -> Option<(String, u64)> {
        let cursors = self.lock();
        let at = usize::try_from(number.checked_sub(cursors.first)?).ok()?;
        let cursor = cursors.waiting.get(at)?;
        let part = |name: &str| cursor.split(';').find_map(|part| part.strip_prefix(name));
        // A sequence of a journal and the number in it name an entry wherever it was copied to.
        let sequence = part("s=").zip(part("i=").and_then(|i| u64::from_str_radix(i, 16).ok()));
        Some(match sequence {
            Some((sequence, number)) => (format!("{:016x}", hash(&format!("{}\0{sequence}", self.scope))), number),
            None => (format!("{:016x}", hash(&format!("{}\0{cursor}", self.scope))), 0),
        })
    }

    /// Whether entries were read that are not on their way, be it that all of them were dropped.
    pub fn has_news(&self) -> bool {
        let cursors = self.lock();
        cursors.next > cursors.begun
    }

    /// What was read is on its way in the batch that is being filled, but for what waits in a parser
    /// from a number on.
    pub fn begin(&self, filler: &mut Filler, waits_from: Option<u64>, this: &Arc<JournalPlace>) {
        let mut cursors = self.lock();
        let to = waits_from.unwrap_or(u64::MAX).min(cursors.next);
        if to > cursors.begun {
            cursors.begun = to;
            let ticket = self.deliveries.begin(Delivered { offset: to, is_complete: false });
            drop(cursors);
            filler.mark(Arc::clone(this) as Arc<dyn Delivery>, ticket);
        }
    }

    /// Whether something that was read is not delivered.
    pub fn is_pending(&self) -> bool {
        self.deliveries.is_pending() || self.has_news()
    }
}

impl Delivery for JournalPlace {
    fn delivered(&self, ticket: Ticket) {
        // Held until all is noted: of two senders the one that has less to tell may come later.
        let mut cursors = self.lock();
        let Some(now) = self.deliveries.done(ticket) else { return };
        let mut newest = None;
        while cursors.first < now.offset {
            newest = cursors.waiting.pop_front();
            cursors.first += 1;
        }
        if newest.is_some() {
            self.registry.change(self.entry, |entry| entry.cursor = newest);
        }
    }
}

fn hash(text: &str) -> u64 {
    let digest: [u8; 32] = Sha256::digest(text.as_bytes()).into();
    u64::from_le_bytes(digest[..8].try_into().expect("8 bytes"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::batch::{Limits, Spares};
    use crate::queue::Queue;
    use std::time::Duration;

    #[test]
    fn the_cursor_moves_over_what_is_delivered_and_no_parser_keeps() {
        let folder = tempfile::tempdir().unwrap();
        let registry = Arc::new(Registry::open(folder.path(), None).unwrap());
        let place = JournalPlace::open("j", "host", Arc::clone(&registry));
        let queue = Arc::new(Queue::new(1 << 20));
        let limits = Limits { events: 10, bytes: 1 << 20, age: Duration::ZERO };
        let mut filler = Filler::new(limits, Arc::clone(&queue), Arc::new(Spares::default()));
        for n in 1..=3 {
            place.read(format!("s=aa;i={n:x};b=bb"));
            filler.body().extend_from_slice(b"{}\n");
            filler.event_ends();
        }
        assert_eq!(place.id_of(1).unwrap().1, 2);
        assert_eq!(place.id_of(0).unwrap().0, place.id_of(1).unwrap().0);
        place.begin(&mut filler, Some(2), &place);
        filler.seal().unwrap();
        assert_eq!(place.cursor(), None);
        queue.pop(Duration::ZERO).unwrap().0.delivered();
        assert_eq!(place.cursor().as_deref(), Some("s=aa;i=2;b=bb"));
        assert!(place.has_news(), "the third waits in a parser");
        registry.flush().unwrap();
        drop(place);
        let registry = Arc::new(Registry::open(folder.path(), None).unwrap());
        let place = JournalPlace::open("j", "host", registry);
        assert_eq!(place.cursor().as_deref(), Some("s=aa;i=2;b=bb"), "a restart goes on there");
    }
}
