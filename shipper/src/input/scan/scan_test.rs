use super::*;
use crate::config::section::Section;
use crate::config::tree::parse;
use crate::registry::Ended;
use flate2::write::GzEncoder;
use std::io::Write;
use tempfile::TempDir;

struct Case {
    folder: TempDir,
    registry: Arc<Registry>,
    scan: Scan,
}

impl Case {
    fn new() -> Case {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("logs")).unwrap();
        let registry = Arc::new(Registry::open(&folder.path().join("data"), None).unwrap());
        let scan = Case::scan(&folder, &registry);
        Case { folder, registry, scan }
    }

    fn scan(folder: &TempDir, registry: &Arc<Registry>) -> Scan {
        Case::scan_with(folder, registry, "")
    }

    fn scan_with(folder: &TempDir, registry: &Arc<Registry>, more: &str) -> Scan {
        let yaml = format!("paths: ['{}/logs/*']\n{more}", folder.path().display());
        let section = Section::new("", parse(&yaml, &|_| None).unwrap()).unwrap();
        let settings = InputSettings::read(section, &mut Vec::new()).unwrap().unwrap();
        Scan::new(Arc::new(settings), Arc::clone(registry), "host".into()).unwrap()
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join("logs").join(name)
    }

    fn write(&self, name: &str, bytes: &[u8]) {
        std::fs::write(self.path(name), bytes).unwrap();
    }

    fn append(&self, name: &str, bytes: &[u8]) {
        let mut file = std::fs::OpenOptions::new().append(true).open(self.path(name)).unwrap();
        file.write_all(bytes).unwrap();
    }

    fn rename(&self, from: &str, to: &str) {
        std::fs::rename(self.path(from), self.path(to)).unwrap();
    }

    fn gzip(&self, from: &str, to: &str) {
        let mut encoder = GzEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(&std::fs::read(self.path(from)).unwrap()).unwrap();
        self.write(to, &encoder.finish().unwrap());
    }

    /// Names and offsets of what is to be read.
    fn look(&mut self) -> Vec<(String, u64)> {
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
    fn deliver_all(&mut self) {
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

fn long(name: &str) -> Vec<u8> {
    format!("{name} says something\n").repeat(200).into_bytes()
}

fn some(names: &[(&str, u64)]) -> Vec<(String, u64)> {
    names.iter().map(|(name, offset)| ((*name).to_owned(), *offset)).collect()
}

#[test]
fn a_file_is_the_same_under_every_name_and_compressed() {
    for bytes in [long("a"), b"short\n".to_vec()] {
        let mut case = Case::new();
        case.write("x.log", &bytes);
        case.deliver_all();
        case.append("x.log", b"more\n");
        case.rename("x.log", "x.log.1");
        assert_eq!(case.look(), some(&[("x.log.1", bytes.len() as u64)]));
        case.gzip("x.log.1", "x.log.1.gz");
        std::fs::remove_file(case.path("x.log.1")).unwrap();
        assert_eq!(case.look(), some(&[("x.log.1.gz", bytes.len() as u64)]));
        case.deliver_all();
        assert_eq!(case.look(), some(&[]), "an archive that was read is never opened again");
        assert_eq!(case.registry.len(), 1);
    }
}

#[test]
fn while_a_file_is_compressed_there_are_two_of_it_and_one_is_read() {
    for bytes in [long("a"), b"short\n".to_vec()] {
        let mut case = Case::new();
        case.write("x.log", &bytes);
        case.look();
        case.gzip("x.log", "x.log.gz");
        assert_eq!(case.look().len(), 1);
        assert_eq!(case.registry.len(), 1);
    }
}

#[test]
fn a_moment_without_a_name_is_no_new_file() {
    let mut case = Case::new();
    case.write("x.log", &long("a"));
    case.deliver_all();
    let away = case.folder.path().join("away");
    std::fs::rename(case.path("x.log"), &away).unwrap();
    assert_eq!(case.look(), some(&[]));
    std::fs::rename(&away, case.path("y.log")).unwrap();
    assert_eq!(case.look(), some(&[]), "all of it was delivered");
}

#[test]
fn small_files_grow_and_stay_the_same() {
    let mut case = Case::new();
    case.write("x.log", b"a\n");
    case.deliver_all();
    for size in [10, 500, 1100, 2000] {
        let before = std::fs::metadata(case.path("x.log")).unwrap().len();
        case.append("x.log", &vec![b'b'; size]);
        assert_eq!(case.look(), some(&[("x.log", before)]), "{size}");
        case.deliver_all();
    }
    assert_eq!(case.registry.len(), 1);
}

#[test]
fn small_files_that_begin_the_same_are_two() {
    let mut case = Case::new();
    case.write("x.log", b"started\n");
    case.deliver_all();
    case.write("y.log", b"started\n");
    assert_eq!(case.look(), some(&[]), "it may be a copy that is about to be truncated");
    assert_eq!(case.look(), some(&[("y.log", 0)]));
}

#[test]
fn another_name_of_a_file_is_no_other_file() {
    for bytes in [long("a"), b"short\n".to_vec()] {
        let mut case = Case::new();
        case.write("x.log", &bytes);
        std::fs::hard_link(case.path("x.log"), case.path("y.log")).unwrap();
        let mut names = BTreeSet::new();
        for _ in 0..3 {
            names.extend(case.look().into_iter().map(|(name, _)| name));
            case.append("x.log", b"more\n");
        }
        assert_eq!((names.len(), case.registry.len()), (1, 1), "{names:?}");
    }
}

#[test]
fn files_that_were_two_before_they_had_the_same_fingerprint_stay_two() {
    let mut case = Case::new();
    case.write("x.log", b"started\n");
    case.deliver_all();
    case.write("y.log", b"started\n");
    case.look();
    case.deliver_all();
    assert_eq!(case.registry.len(), 2);
    let banner = b"-".repeat(1100);
    for name in ["x.log", "y.log"] {
        case.append(name, &banner);
    }
    case.deliver_all();
    for (name, line) in [("x.log", "of x\n"), ("y.log", "of y\n")] {
        case.append(name, line.as_bytes());
    }
    assert_eq!(case.look(), some(&[("x.log", 1108), ("y.log", 1108)]));
}

#[test]
fn copytruncate_continues_in_the_copy() {
    for bytes in [long("a"), b"short\n".to_vec()] {
        let mut case = Case::new();
        case.write("x.log", &bytes);
        case.deliver_all();
        case.append("x.log", b"not read yet\n");
        std::fs::copy(case.path("x.log"), case.path("x.log.1")).unwrap();
        case.look();
        case.write("x.log", b"new content\n");
        let found = case.look();
        assert_eq!(found, some(&[("x.log", 0), ("x.log.1", bytes.len() as u64)]));
    }
}

#[test]
fn truncated_and_written_anew_with_the_same_beginning() {
    let mut case = Case::new();
    let bytes = long("banner");
    case.write("x.log", &[bytes.clone(), b"tail\n".to_vec()].concat());
    case.deliver_all();
    case.write("x.log", &bytes);
    case.look();
    assert_eq!(case.look(), some(&[("x.log", 0)]));
}

#[test]
fn a_file_that_begins_anew_again_and_again_never_has_a_number_twice() {
    let mut case = Case::new();
    let bytes = long("banner");
    let mut numbers = BTreeSet::new();
    for _ in 0..4 {
        case.write("x.log", &[bytes.clone(), b"tail\n".to_vec()].concat());
        case.deliver_all();
        let ids = case.registry.ids();
        assert!(ids.len() == 1 && numbers.insert(ids[0]), "{ids:?}, {numbers:?}: documents would have the same ids");
        case.write("x.log", &bytes);
        case.look();
    }
}

#[test]
fn after_a_restart_nothing_is_new() {
    let mut case = Case::new();
    case.write("x.log", &long("a"));
    case.write("s.log", b"short\n");
    case.deliver_all();
    case.registry.flush().unwrap();
    case.rename("x.log", "x.log.1");
    case.gzip("s.log", "s.log.1.gz");
    std::fs::remove_file(case.path("s.log")).unwrap();
    case.scan = Case::scan(&case.folder, &case.registry);
    assert_eq!(case.look(), some(&[("s.log.1.gz", 6)]));
}

#[test]
fn empty_files_and_archives_that_are_being_written_wait() {
    let mut case = Case::new();
    case.write("e.log", b"");
    case.write("x", b"short\n");
    case.gzip("x", "whole");
    std::fs::remove_file(case.path("x")).unwrap();
    let whole = std::fs::read(case.path("whole")).unwrap();
    std::fs::remove_file(case.path("whole")).unwrap();
    case.write("x.gz", &whole[..whole.len() - 3]);
    assert_eq!(case.look(), some(&[]));
    case.write("x.gz", &whole);
    assert_eq!(case.look(), some(&[("x.gz", 0)]));
}

fn left(case: &Case, name: &str, read: u64, reason: Reason) -> ClosedFile {
    let metadata = std::fs::metadata(case.path(name)).unwrap();
    let entry = case.registry.of_input("")[0].id;
    ClosedFile { entry, reason, left: Some(Left::Plain { inode: Stat::of(&metadata).inode, read }) }
}

#[test]
fn what_comes_between_closing_a_file_and_the_next_look_is_read() {
    let mut case = Case::new();
    let bytes = [long("a"), b"no end".to_vec()].concat();
    case.write("x.log", &bytes);
    case.look();
    case.append("x.log", b" yet\n");
    let closed = left(&case, "x.log", bytes.len() as u64, Reason::Inactive);
    case.scan.closed(&closed);
    assert_eq!(case.look(), some(&[("x.log", 0)]), "more is there than was read");
    let closed = left(&case, "x.log", bytes.len() as u64 + 5, Reason::Inactive);
    case.scan.closed(&closed);
    assert_eq!(case.look(), some(&[]), "all that is there was read");
}

#[test]
fn truncated_and_written_beyond_what_was_read_with_the_same_beginning() {
    let mut case = Case::new();
    let bytes = long("banner");
    case.write("x.log", &bytes);
    case.deliver_all();
    let closed = left(&case, "x.log", bytes.len() as u64, Reason::Truncated);
    case.scan.closed(&closed);
    case.write("x.log", &[bytes, b"more than before\n".to_vec()].concat());
    case.look();
    assert_eq!(case.look(), some(&[("x.log", 0)]), "its reader saw that it was truncated");
}

#[test]
fn a_copy_that_is_being_made_is_no_truncated_file() {
    let mut case = Case::new();
    let bytes = long("a");
    case.write("x.log", &bytes);
    case.deliver_all();
    case.write("a-copy.log", &bytes[..2000]);
    assert_eq!(case.look(), some(&[]));
    std::fs::remove_file(case.path("x.log")).unwrap();
    assert_eq!(case.look(), some(&[]), "what the copy has was delivered");
    case.write("a-copy.log", &[bytes.clone(), b"more\n".to_vec()].concat());
    assert_eq!(case.look(), some(&[("a-copy.log", bytes.len() as u64)]));
}

#[test]
fn of_a_file_and_its_archive_the_file_is_read() {
    let mut case = Case::new();
    case.write("x.log", &long("a"));
    case.look();
    case.gzip("x.log", "a.gz");
    assert_eq!(case.look(), some(&[("x.log", 0)]), "its own inode comes before the order of names");
    case.rename("x.log", "y.log");
    std::fs::copy(case.path("y.log"), case.path("z.log")).unwrap();
    std::fs::remove_file(case.path("y.log")).unwrap();
    assert_eq!(case.look(), some(&[("z.log", 0)]), "an archive may be one that is being written");
}

#[test]
fn a_file_and_its_archive_that_come_together_are_one() {
    for bytes in [long("a"), b"short\n".to_vec()] {
        let mut case = Case::new();
        case.write("x.log", &bytes);
        case.gzip("x.log", "a.gz");
        assert_eq!(case.look(), some(&[("x.log", 0)]));
        assert_eq!(case.registry.len(), 1);
    }
}

#[test]
fn what_can_not_be_looked_at_is_not_forgotten() {
    let case = Case::new();
    let mut scan = Case::scan_with(&case.folder, &case.registry, "clean_inactive: 1ms");
    let mut look = || {
        for _ in 0..3 {
            scan.look(&|_| false).unwrap();
            std::thread::sleep(Duration::from_millis(5));
        }
        scan.wrong.len()
    };
    case.write("x.log", &long("a"));
    assert_eq!((look(), case.registry.len()), (0, 1));
    let logs = case.folder.path().join("logs");
    std::fs::rename(&logs, case.folder.path().join("aside")).unwrap();
    std::os::unix::fs::symlink("logs", &logs).unwrap(); // leads to itself
    assert_eq!((look(), case.registry.len()), (1, 1), "nobody knows whether the file is gone");
    std::fs::remove_file(&logs).unwrap();
    assert_eq!((look(), case.registry.len()), (0, 0));
}

#[test]
fn a_file_that_is_too_short_to_be_known_is_told_of() {
    let case = Case::new();
    let mut scan = Case::scan_with(&case.folder, &case.registry, "file_identity.fingerprint.growing: false");
    case.write("x.log", b"short\n");
    assert!(scan.look(&|_| false).unwrap().is_empty());
    assert!(scan.wrong[&case.path("x.log")].contains("before it has 1024 bytes"));
    case.write("x.log", &long("a"));
    assert_eq!(scan.look(&|_| false).unwrap().len(), 1);
    assert!(scan.wrong.is_empty());
}

#[test]
fn an_archive_that_has_grown_is_read_on_and_a_damaged_one_is_not_deleted() {
    let mut case = Case::new();
    case.scan = Case::scan_with(&case.folder, &case.registry, "delete: {enabled: true, grace_period: 0s}");
    case.write("x", &long("a"));
    case.gzip("x", "x.gz");
    std::fs::remove_file(case.path("x")).unwrap();
    case.look();
    let size = std::fs::metadata(case.path("x.gz")).unwrap().len();
    let id = case.registry.ids()[0];
    for (bytes, is_damaged, is_read, is_there) in
        [(size - 1, false, true, true), (size - 1, true, false, true), (size, false, false, false)]
    {
        let ended = Some(Ended { bytes, is_damaged });
        case.registry.change(id, |e| (e.offset, e.is_complete, e.ended) = (3400, true, ended));
        let expected = if is_read { some(&[("x.gz", 3400)]) } else { some(&[]) };
        assert_eq!(case.look(), expected, "{ended:?}");
        assert_eq!(case.path("x.gz").exists(), is_there, "{ended:?}");
    }
}
