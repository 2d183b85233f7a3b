use super::*;

fn entry(id: u64, offset: u64) -> Entry {
    Entry {
        id,
        input: "in".into(),
        identity: Identity::Growing(vec![0, 255, 10]),
        source: "/var/log/a.log".into(),
        inode: (1, 2),
        offset,
        is_complete: false,
        ended: None,
        seen_secs: 7,
        cursor: None,
    }
}

#[test]
fn what_was_flushed_is_there_again() {
    let folder = tempfile::tempdir().unwrap();
    let registry = Registry::open(folder.path(), None).unwrap();
    registry.put(entry(1, 10));
    registry.put(entry(2, 20));
    registry.flush().unwrap();
    let ended = Some(Ended { bytes: 5, is_damaged: true });
    registry.change(1, |e| (e.offset, e.ended) = (11, ended));
    registry.remove(2);
    registry.flush().unwrap();
    registry.put(entry(3, 30));
    drop(registry);

    let again = Registry::open(folder.path(), None).unwrap();

    assert_eq!(again.of_input("in"), vec![Arc::new(Entry { ended, ..entry(1, 11) })]);
}

#[test]
fn a_log_that_is_cut_anywhere_opens_with_what_is_whole() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("registry.log");
    let registry = Registry::open(folder.path(), None).unwrap();
    let mut ends = vec![0];
    for id in 1..=3 {
        registry.put(entry(id, id));
        registry.flush().unwrap();
        ends.push(std::fs::metadata(&path).unwrap().len());
    }
    let whole = std::fs::read(&path).unwrap();
    for cut in 0..=whole.len() {
        std::fs::write(&path, &whole[..cut]).unwrap();
        let opened = Registry::open(folder.path(), None).unwrap();
        let expected = ends.iter().filter(|end| **end > 0 && **end <= cut as u64).count();
        assert_eq!(opened.len(), expected, "cut at {cut}");
        opened.put(entry(9, 9));
        opened.flush().unwrap();
        drop(opened);
        assert_eq!(Registry::open(folder.path(), None).unwrap().len(), expected + 1, "cut at {cut}");
    }
}

#[test]
fn a_flipped_byte_never_gives_a_wrong_entry() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("registry.log");
    let registry = Registry::open(folder.path(), None).unwrap();
    registry.put(entry(1, 10));
    registry.flush().unwrap();
    let sound = std::fs::read(&path).unwrap();
    for at in 0..sound.len() {
        let mut damaged = sound.clone();
        damaged[at] ^= 1;
        std::fs::write(&path, damaged).unwrap();
        assert!(Registry::open(folder.path(), None).unwrap().is_empty(), "byte {at}");
    }
}

#[test]
fn what_is_behind_damage_is_not_lost_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("registry.log");
    let registry = Registry::open(folder.path(), None).unwrap();
    let mut ends = vec![0];
    for id in 1..=4 {
        registry.put(Entry { source: "{\"put\":".into(), ..entry(id, id) });
        registry.flush().unwrap();
        ends.push(usize::try_from(std::fs::metadata(&path).unwrap().len()).unwrap());
    }
    let sound = std::fs::read(&path).unwrap();
    let aside = folder.path().join("registry.damaged");
    for at in (ends[1]..ends[3]).step_by(7) {
        let mut damaged = sound.clone();
        damaged[at..(at + 40).min(ends[3])].fill([0, 0xff, b'{'][at % 3]);
        std::fs::write(&path, &damaged).unwrap();
        let opened = Registry::open(folder.path(), None).unwrap();
        let rest = opened.len();
        assert!(opened.find(1).is_some() && opened.find(4).is_some() && rest < 4, "byte {at}");
        assert!(at + 40 > ends[2] || opened.find(3).is_some(), "byte {at}");
        assert!(at < ends[2] || opened.find(2).is_some(), "byte {at}");
        assert_eq!(std::fs::read(&aside).unwrap(), damaged);
        std::fs::remove_file(&aside).unwrap();
        drop(opened);
        assert_eq!(Registry::open(folder.path(), None).unwrap().len(), rest);
        assert!(!aside.exists(), "it was written anew");
    }
}

#[test]
fn what_a_newer_version_wrote_is_stepped_over_and_kept_aside() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("registry.log");
    let registry = Registry::open(folder.path(), None).unwrap();
    registry.put(entry(7, 70));
    registry.put(entry(8, 80));
    registry.flush().unwrap();
    drop(registry);
    let mut written = std::fs::read(&path).unwrap();
    let newer: [&[u8]; 3] =
        [br#"{"put":{"id":7,"by_content":"x","offset":700}}"#, br#"{"forget_all_of":"in"}"#, br#"{"remove":8}"#];
    for body in newer {
        written.extend(u32::try_from(body.len()).unwrap().to_le_bytes());
        written.extend(crc32c::crc32c(body).to_le_bytes());
        written.extend(body);
    }
    std::fs::write(&path, &written).unwrap();
    for is_first in [true, false] {
        let registry = Registry::open(folder.path(), None).unwrap();
        assert_eq!(registry.of_input("in"), vec![Arc::new(entry(7, 70))], "sent again from there, not lost");
        let aside = folder.path().join("registry.newer");
        assert_eq!(aside.exists(), is_first, "it was written anew");
        if is_first {
            assert_eq!(std::fs::read(&aside).unwrap(), written);
            std::fs::remove_file(aside).unwrap();
        }
    }
}

#[test]
fn a_file_that_is_known_by_a_megabyte_is_known_again() {
    let folder = tempfile::tempdir().unwrap();
    let registry = Registry::open(folder.path(), None).unwrap();
    let long = Entry { identity: Identity::Growing(vec![7; 1 << 20]), ..entry(1, 10) };
    registry.put(long.clone());
    registry.put(entry(2, 20));
    registry.flush().unwrap();
    drop(registry);
    let again = Registry::open(folder.path(), None).unwrap();
    assert_eq!((again.find(1), again.find(2)), (Some(long), Some(entry(2, 20))));
}

#[test]
fn a_log_that_is_deleted_under_it_is_written_anew() {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path().join("registry");
    let registry = Registry::open(&folder, None).unwrap();
    registry.put(entry(1, 10));
    registry.put(entry(2, 20));
    registry.flush().unwrap();
    for offset in [21, 22] {
        std::fs::remove_dir_all(&folder).unwrap();
        registry.change(2, |entry| entry.offset = offset);
        registry.flush().unwrap();
        let again = Registry::open(&folder, None).unwrap();
        assert_eq!((again.find(1), again.find(2)), (Some(entry(1, 10)), Some(entry(2, offset))));
    }
}

#[test]
fn a_log_that_is_cut_moved_or_replaced_under_it_is_written_anew() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("registry.log");
    let registry = Registry::open(folder.path(), None).unwrap();
    registry.put(entry(1, 10));
    registry.flush().unwrap();
    let harms: [&dyn Fn(); 4] = [
        &|| std::fs::File::options().write(true).open(&path).unwrap().set_len(0).unwrap(),
        &|| std::fs::rename(&path, folder.path().join("away")).unwrap(),
        &|| {
            std::fs::write(folder.path().join("other"), "another").unwrap();
            std::fs::rename(folder.path().join("other"), &path).unwrap();
        },
        &|| std::fs::remove_file(&path).unwrap(),
    ];
    for (number, harm) in harms.iter().enumerate() {
        harm();
        registry.flush().unwrap(); // nothing has changed
        assert_eq!(Registry::open(folder.path(), None).unwrap().find(1), Some(entry(1, 10)), "{number}");
    }
}

#[test]
fn a_log_that_can_not_be_written_anew_goes_on_growing() {
    let folder = tempfile::tempdir().unwrap();
    let in_the_way = folder.path().join("registry.new");
    std::fs::create_dir(&in_the_way).unwrap();
    let registry = Registry::open(folder.path(), None).unwrap();
    let mut large = entry(1, 0);
    large.source = "x".repeat(100_000);
    let length = || std::fs::metadata(folder.path().join("registry.log")).unwrap().len();
    for offset in 0..120 {
        large.offset = offset;
        registry.put(large.clone());
        registry.flush().unwrap();
    }
    assert!(length() > COMPACT_AT_BYTES + 2_000_000, "{}", length());
    std::fs::remove_dir(in_the_way).unwrap();
    for offset in 120..200 {
        large.offset = offset;
        registry.put(large.clone());
        registry.flush().unwrap();
    }
    assert!(length() < COMPACT_AT_BYTES, "{}", length());
    drop(registry);
    assert_eq!(Registry::open(folder.path(), None).unwrap().find(1).unwrap().offset, 199);
}

#[test]
fn a_large_log_of_few_entries_is_compacted() {
    let folder = tempfile::tempdir().unwrap();
    let registry = Registry::open(folder.path(), None).unwrap();
    let mut large = entry(1, 0);
    large.source = "x".repeat(100_000);
    for offset in 0..200 {
        large.offset = offset;
        registry.put(large.clone());
        registry.flush().unwrap();
    }
    assert!(std::fs::metadata(folder.path().join("registry.log")).unwrap().len() <= COMPACT_AT_BYTES + 200_000);
    drop(registry);
    assert_eq!(Registry::open(folder.path(), None).unwrap().find(1).unwrap().offset, 199);
}

#[test]
fn filebeats_registry_is_taken_over_once() {
    let sha = "ab".repeat(32);
    let from = tempfile::tempdir().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let import = |host: &'static str| Some(Import { folder: from.path(), host });
    // A first start may fail, and who starts it again has changed nothing else.
    assert!(Registry::open(folder.path(), import("a")).is_err());
    std::fs::write(from.path().join("active.dat"), "/var/lib/filebeat/registry/filebeat/7.json").unwrap();
    std::fs::write(
        from.path().join("7.json"),
        format!(
            r#"[{{"_key":"filestream::my-id::fingerprint::{sha}","cursor":{{"offset":5}},"meta":{{"source":"/a"}}}},
            {{"_key":"filestream::other::native::12-34","cursor":{{"offset":7}}}},{{"_key":"filestream::other::path::/x"}}]"#
        ),
    )
    .unwrap();
    std::fs::write(
        from.path().join("log.json"),
        format!(
            "{}\n{}\n{}\n",
            r#"{"op":"set","id":8}"#,
            format_args!(r#"{{"k":"filestream::my-id::fingerprint::{sha}","v":{{"cursor":{{"offset":99,"eof":true}},"meta":{{"source":"/a"}}}}}}"#),
            r#"{"op":"set","id":9"#
        )
        .into_bytes()
        .into_iter()
        .chain(*b"\xff\0\0") // a machine that ended leaves such
        .collect::<Vec<u8>>(),
    )
    .unwrap();
    let registry = Registry::open(folder.path(), import("a")).unwrap();
    let entries = registry.of_input("my-id");
    assert_eq!(entries.len(), 1);
    assert_eq!((entries[0].offset, entries[0].is_complete), (99, true));
    assert_eq!(entries[0].identity, Identity::Fingerprint([0xab; 32]));
    let by_inode = registry.of_input("other");
    assert_eq!(by_inode.len(), 1);
    assert_eq!((&by_inode[0].identity, by_inode[0].inode, by_inode[0].offset), (&Identity::Inode(34, 12), (34, 12), 7));
    registry.change(entries[0].id, |entry| entry.offset = 100);
    registry.flush().unwrap();
    drop(registry);
    let again = Registry::open(folder.path(), import("a")).unwrap();
    assert_eq!(again.of_input("my-id")[0].offset, 100, "not taken over once more");
    let number = |host| {
        let folder = tempfile::tempdir().unwrap();
        Registry::open(folder.path(), import(host)).unwrap().ids()
    };
    assert_eq!(number("a"), again.ids());
    assert_ne!(number("b"), again.ids(), "ids of documents are made of it, and hosts send to one index");
}
