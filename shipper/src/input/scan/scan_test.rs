use super::case::{Case, left, long, some};
use super::*;
use crate::registry::Ended;

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

#[test]
fn a_file_that_is_filled_in_the_place_of_zeros_stays_one() {
    for room in [100, 5000] {
        let mut case = Case::new();
        let write = |case: &Case, text: &str| {
            let zeros = vec![0; room + 2000 - text.len()];
            case.write("x.log", &[text.as_bytes(), &zeros[..room.min(zeros.len())]].concat());
        };
        let mut text = String::new();
        for lines in [1, 2, 100, 400] {
            let read = text.len() as u64;
            text = (0..lines).map(|n| n.to_string()).collect::<Vec<_>>().join("\n") + "\n";
            write(&case, &text);
            assert_eq!(case.look(), some(&[("x.log", read)]), "{lines} lines, {room} zeros");
            let entries = case.registry.of_input("");
            assert_eq!(entries.len(), 1, "{entries:?}");
            case.registry.change(entries[0].id, |entry| entry.offset = text.len() as u64);
        }
        assert!(matches!(case.registry.of_input("")[0].identity, Identity::Fingerprint(_)));
        case.gzip("x.log", "x.log.1.gz");
        std::fs::remove_file(case.path("x.log")).unwrap();
        assert_eq!(case.look(), some(&[("x.log.1.gz", text.len() as u64)]));
    }
}
