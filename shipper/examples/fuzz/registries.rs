//! Registries that are damaged: each opens, with what was noted before the damage, and with nothing that
//! nobody wrote.

use super::mutate::mutate;
use super::rng::Rng;
use ::shipper::registry::{Ended, Entry, Identity, Registry};
use tempfile::TempDir;

/// A folder that is written anew for each case.
pub struct Registries {
    folder: TempDir,
}

impl Registries {
    pub fn new() -> std::io::Result<Registries> {
        let folder = if std::path::Path::new("/dev/shm").is_dir() { "/dev/shm".into() } else { std::env::temp_dir() };
        Ok(Registries { folder: TempDir::new_in(folder)? })
    }

    /// One case; says what is wrong.
    pub fn case(&mut self, rng: &mut Rng) -> Result<(), String> {
        let say = |e: std::io::Error| e.to_string();
        let path = self.folder.path().join("registry.log");
        for name in ["registry.log", "registry.torn", "registry.damaged", "registry.newer", "registry.new"] {
            let _ = std::fs::remove_file(self.folder.path().join(name));
        }
        let mut written: Vec<(Entry, usize)> = Vec::new();
        let registry = Registry::open(self.folder.path(), None).map_err(say)?;
        for offset in 0..rng.within(1, 30) {
            let entry = entry(rng, offset);
            registry.put(entry.clone());
            registry.write().map_err(say)?;
            let length = std::fs::metadata(&path).map_err(say)?.len();
            written.push((entry, usize::try_from(length).expect("small")));
        }
        drop(registry);
        let sound = std::fs::read(&path).map_err(say)?;
        let damaged = mutate(&sound, rng);
        let same = sound.iter().zip(&damaged).take_while(|(a, b)| a == b).count();
        std::fs::write(&path, &damaged).map_err(say)?;
        let mut before = None;
        for _ in 0..2 {
            let registry = Registry::open(self.folder.path(), None).map_err(say)?;
            let found: Vec<Entry> = registry.ids().into_iter().filter_map(|id| registry.find(id)).collect();
            if let Some(entry) = found.iter().find(|entry| !written.iter().any(|(one, _)| one == *entry)) {
                return Err(format!("an entry that nobody wrote: {entry:?}"));
            }
            if let Some((lost, _)) = written.iter().find(|(one, end)| *end <= same && registry.find(one.id).is_none()) {
                return Err(format!("lost, though the damage is behind it, at {same}: {lost:?}"));
            }
            if before.as_ref().is_some_and(|before| *before != found) {
                return Err(format!("opened again it is another: {before:?} and {found:?}"));
            }
            before = Some(found);
        }
        Ok(())
    }
}

fn entry(rng: &mut Rng, offset: u64) -> Entry {
    let id = rng.within(1, 6);
    let identity = match rng.below(3) {
        0 => Identity::Fingerprint([u8::try_from(id).expect("small"); 32]),
        1 => Identity::Growing(vec![b'x'; usize::try_from(rng.below(200)).expect("small")]),
        _ => Identity::Inode(1, id),
    };
    Entry {
        id,
        input: "fuzz \"{\"put\":".into(),
        identity,
        source: format!("/var/log/{id}.log"),
        inode: (1, id),
        offset,
        is_complete: rng.one_in(5),
        ended: rng.one_in(5).then_some(Ended { bytes: offset, is_damaged: true }),
        seen_secs: rng.below(1 << 32),
        cursor: rng.one_in(4).then(|| "s=1;i=2".to_owned()),
    }
}
