//! What tests of a look at files have in common.

use super::*;
use crate::config::section::Section;
use crate::config::tree::parse;
use flate2::write::GzEncoder;
use std::io::Write;
use tempfile::TempDir;

/// A folder of logs, and who looks at it.
pub(super) struct Case {
    pub(super) folder: TempDir,
    pub(super) registry: Arc<Registry>,
    pub(super) scan: Scan,
}

impl Case {
    pub(super) fn new() -> Case {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("logs")).unwrap();
        let registry = Arc::new(Registry::open(&folder.path().join("data"), None).unwrap());
        let scan = Case::scan(&folder, &registry);
        Case { folder, registry, scan }
    }

    pub(super) fn scan(folder: &TempDir, registry: &Arc<Registry>) -> Scan {
        Case::scan_with(folder, registry, "")
    }

    pub(super) fn scan_with(folder: &TempDir, registry: &Arc<Registry>, more: &str) -> Scan {
        let yaml = format!("paths: ['{}/logs/*']\n{more}", folder.path().display());
        let section = Section::new("", parse(&yaml, &|_| None).unwrap()).unwrap();
        let settings = InputSettings::read(section, &mut Vec::new()).unwrap().unwrap();
        Scan::new(Arc::new(settings), Arc::clone(registry), "host".into()).unwrap()
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join("logs").join(name)
    }

    pub(super) fn write(&self, name: &str, bytes: &[u8]) {
        std::fs::write(self.path(name), bytes).unwrap();
    }

    pub(super) fn append(&self, name: &str, bytes: &[u8]) {
        let mut file = std::fs::OpenOptions::new().append(true).open(self.path(name)).unwrap();
        file.write_all(bytes).unwrap();
    }

    pub(super) fn rename(&self, from: &str, to: &str) {
        std::fs::rename(self.path(from), self.path(to)).unwrap();
    }

    pub(super) fn gzip(&self, from: &str, to: &str) {
        let mut encoder = GzEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(&std::fs::read(self.path(from)).unwrap()).unwrap();
        self.write(to, &encoder.finish().unwrap());
    }

    /// Names and offsets of what is to be read.
    pub(super) fn look(&mut self) -> Vec<(String, u64)> {
        let mut found: Vec<(String, u64)> = self
            .scan
            .look(&|_| false)
            .unwrap()
            .into_iter()
            .map(|t| (t.path.file_name().unwrap().to_string_lossy().into_owned(), t.entry.offset))
            .collect();
        found.sort();
        found
    }

    /// As if everything that was found had been delivered.
    pub(super) fn deliver_all(&mut self) {
        for target in self.scan.look(&|_| false).unwrap() {
            let compression = target.compression;
            let size = std::fs::metadata(&target.path).unwrap().len();
            self.registry.change(target.entry.id, |e| {
                if compression == Compression::None {
                    e.offset = size;
                } else {
                    e.is_complete = true;
                }
            });
        }
    }
}

pub(super) fn long(name: &str) -> Vec<u8> {
    format!("{name} says something\n").repeat(200).into_bytes()
}

pub(super) fn some(names: &[(&str, u64)]) -> Vec<(String, u64)> {
    names.iter().map(|(name, offset)| ((*name).to_owned(), *offset)).collect()
}

pub(super) fn left(case: &Case, name: &str, read: u64, reason: Reason) -> ClosedFile {
    let metadata = std::fs::metadata(case.path(name)).unwrap();
    let entry = case.registry.of_input("")[0].id;
    ClosedFile { entry, reason, left: Some(Left::Plain { inode: Stat::of(&metadata).inode, read }) }
}
