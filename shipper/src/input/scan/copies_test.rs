//! Files that are copies of others, archives of them, links to them, or begin as they do.

use super::case::{Case, left, long, some};
use super::*;

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
fn copytruncate_continues_in_the_copy_although_the_file_begins_the_same() {
    let mut case = Case::new();
    let banner = long("banner");
    let read = banner.len() as u64;
    case.write("x.log", &banner);
    case.deliver_all();
    case.append("x.log", b"not read yet\n");
    std::fs::copy(case.path("x.log"), case.path("x.log.1")).unwrap();
    case.look();
    let closed = left(&case, "x.log", read, Reason::Truncated);
    case.scan.closed(&closed);
    case.write("x.log", &[banner, b"of the new one\n".to_vec()].concat());
    case.look();
    for _ in 0..2 {
        assert_eq!(case.look(), some(&[("x.log", 0), ("x.log.1", read)]));
    }
}

#[test]
fn a_copy_that_stays_is_told_of() {
    let mut case = Case::new();
    case.write("x.log", &long("a"));
    std::fs::copy(case.path("x.log"), case.path("x.log.old")).unwrap();
    for times in 1..=COPY_LOOKS {
        assert_eq!(case.look(), some(&[("x.log", 0)]));
        assert_eq!(case.scan.copies.get(&case.path("x.log.old")), Some(&times));
    }
    std::fs::remove_file(case.path("x.log.old")).unwrap();
    case.look();
    assert!(case.scan.copies.is_empty());
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
