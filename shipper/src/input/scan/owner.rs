//! Whose entry a file has: the one that was seen with its first bytes, on its own inode first, then
//! in a plain file, then in an archive.

use super::beginnings::Beginnings;
use super::{Found, Scan, is_older, now_secs};
use crate::input::head::beginning;
use crate::input::source::Compression;
use crate::input::stat;
use crate::registry::{Entry, Identity, Number};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::SystemTime;

/// Where an entry's file is looked for. Of several files that begin the same, such as a file and its
/// archive that is being written, the first that fits has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    OwnInode,
    Plain,
    Anywhere,
}

impl Place {
    fn has(self, file: &Found, entry: &Entry) -> bool {
        match self {
            Place::OwnInode => entry.inode == file.stat.inode,
            Place::Plain => file.head.compression == Compression::None,
            Place::Anywhere => true,
        }
    }
}

/// Entries that had seen only a beginning of their files.
struct Growing<'a> {
    of_inode: BTreeMap<(u64, u64), Beginnings<'a>>,
    all: Beginnings<'a>,
    longest: usize,
}

impl<'a> Growing<'a> {
    fn of(entries: &'a [Arc<Entry>]) -> Growing<'a> {
        let (mut of_inode, mut all) = (BTreeMap::<(u64, u64), Beginnings>::new(), Beginnings::default());
        for entry in entries {
            if let Identity::Growing(bytes) = &entry.identity {
                of_inode.entry(entry.inode).or_default().add(bytes, entry.id);
                all.add(bytes, entry.id);
            }
        }
        let longest = all.longest();
        Growing { of_inode, all, longest }
    }

    /// The one that has the longest beginning of this file.
    fn find(&self, file: &Found, taken: &BTreeSet<u64>, place: Place) -> Option<u64> {
        let of_place = match place {
            Place::OwnInode => self.of_inode.get(&file.stat.inode)?,
            Place::Plain if file.head.compression != Compression::None => return None,
            Place::Plain | Place::Anywhere if self.longest == 0 => return None,
            Place::Plain | Place::Anywhere => &self.all,
        };
        let bytes = match &file.head.identity {
            Some(Identity::Growing(bytes)) => Cow::Borrowed(bytes.as_slice()),
            Some(Identity::Fingerprint(_)) => {
                let (open, _) = stat::open(&file.path).ok()?;
                Cow::Owned(beginning(&open, file.head.compression, self.longest))
            }
            Some(Identity::Inode(..) | Identity::Journal) | None => return None,
        };
        of_place.of_those_in(&bytes).find(|id| !taken.contains(id))
    }
}

impl Scan {
    /// The entry of each file; `None` where a file is too short, another name of one that has an
    /// entry already, or to be looked at again.
    pub(super) fn assign(&mut self, found: &[Found]) -> Vec<Option<u64>> {
        let entries = self.registry.of_input(&self.settings.id);
        let mut owners = vec![None; found.len()];
        let mut taken = BTreeSet::new();
        // Several, when files grew to the same first bytes after they had been told apart.
        let mut exact: BTreeMap<&Identity, Vec<&Entry>> = BTreeMap::new();
        for entry in &entries {
            exact.entry(&entry.identity).or_default().push(entry);
        }
        let growing = Growing::of(&entries);
        for place in [Place::OwnInode, Place::Plain, Place::Anywhere] {
            for (at, file) in found.iter().enumerate() {
                let Some(identity) = file.head.identity.as_ref().filter(|_| owners[at].is_none()) else { continue };
                let whole = exact.get(identity).filter(|_| !matches!(identity, Identity::Growing(_)));
                let fitting: Vec<&&Entry> = whole.into_iter().flatten().filter(|e| place.has(file, e)).collect();
                let entry = if fitting.is_empty() {
                    growing.find(file, &taken, place)
                } else {
                    // The one that has least: what is read again is not lost.
                    let free = fitting.into_iter().filter(|e| !taken.contains(&e.id));
                    free.min_by_key(|e| (e.is_complete, e.offset)).map(|e| e.id)
                };
                if let Some(entry) = entry {
                    taken.insert(entry);
                    owners[at] = Some(entry);
                }
            }
        }
        let mut doubtful = BTreeSet::new();
        // What was not there before: of a file and its archive that come together, the file is read.
        let mut new: BTreeSet<&Identity> = BTreeSet::new();
        let mut short = Beginnings::default();
        for entry in entries.iter().filter(|e| taken.contains(&e.id)) {
            if let Identity::Growing(bytes) = &entry.identity {
                short.add(bytes, entry.id);
            }
        }
        let (plain, archives): (Vec<usize>, Vec<usize>) =
            (0..found.len()).partition(|at| found[*at].head.compression == Compression::None);
        for at in plain.into_iter().chain(archives) {
            let file = &found[at];
            let Some(identity) = &file.head.identity else { continue };
            if let Some(entry) = owners[at] {
                self.seen(entry, identity, file);
            } else if !(exact.contains_key(identity) || new.contains(identity))
                || matches!(identity, Identity::Growing(_))
            {
                let bytes = if let Identity::Growing(bytes) = identity { Some(bytes) } else { None };
                let is_like_another = bytes.is_some_and(|bytes| short.has_like(bytes));
                owners[at] = self.fresh(file, identity, is_like_another, &mut doubtful);
                if let Some(id) = owners[at] {
                    new.insert(identity);
                    if let Some(bytes) = bytes {
                        short.add(bytes, id);
                    }
                }
                taken.extend(owners[at]);
            }
        }
        self.doubtful = doubtful;
        owners
    }

    /// Notes where a file is, and what it has grown to.
    fn seen(&self, entry: u64, identity: &Identity, file: &Found) {
        let source = file.path.display().to_string();
        let Some(known) = self.registry.find(entry) else { return };
        let is_plain = file.head.compression == Compression::None;
        if is_plain && file.stat.size < known.offset && known.inode != file.stat.inode {
            return; // a copy that is being made; the original may still be there
        }
        if known.identity != *identity || known.source != source || known.inode != file.stat.inode {
            self.registry.change(entry, |e| {
                e.identity = identity.clone();
                e.source = source;
                e.inode = file.stat.inode;
                e.seen_secs = now_secs();
            });
        }
    }

    /// A file that no entry fits.
    fn fresh(
        &self,
        file: &Found,
        identity: &Identity,
        is_like_another: bool,
        doubtful: &mut BTreeSet<(u64, u64)>,
    ) -> Option<u64> {
        if is_older(file.modified, self.settings.ignore_older) {
            return None;
        }
        if is_like_another {
            // An archive like a file that is there is its copy; a plain file may be one.
            if file.head.compression != Compression::None {
                return None;
            }
            if !self.doubtful.contains(&file.stat.inode) {
                doubtful.insert(file.stat.inode);
                return None;
            }
        }
        let id = self.fresh_id(identity, file, false);
        self.registry.put(Entry {
            id,
            input: self.settings.id.clone(),
            identity: identity.clone(),
            source: file.path.display().to_string(),
            inode: file.stat.inode,
            offset: 0,
            is_complete: false,
            ended: None,
            seen_secs: now_secs(),
            cursor: None,
        });
        Some(id)
    }

    /// The same file has the same id, even when the registry was lost, as long as it is known by a
    /// fingerprint; ids of documents are made of it. Other files, and those that begin anew with the
    /// same bytes, have one that nobody has or had.
    pub(super) fn fresh_id(&self, identity: &Identity, file: &Found, is_anew: bool) -> u64 {
        let mut number = Number::of(&self.host, &self.settings.id, identity);
        if is_anew || !matches!(identity, Identity::Fingerprint(_)) {
            number.add(file.path.as_os_str().as_encoded_bytes());
            number.add(format!("{:?}{:?}", file.stat, SystemTime::now()).as_bytes());
        }
        while self.registry.find(number.get()).is_some() {
            number.add(format!("{:?}", SystemTime::now()).as_bytes());
        }
        number.get()
    }
}
