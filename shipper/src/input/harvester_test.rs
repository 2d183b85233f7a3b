use super::*;
use crate::config::section::Section;
use crate::config::tree::parse;
use crate::event::body::{InputEvents, InputFacts};
use crate::input::point::Points;
use crate::input::stat::Left;
use crate::output::batch::{Batch, Limits, Spares};
use crate::queue::Queue;
use crate::registry::Registry;
use serde_json::Map;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use tempfile::TempDir;

struct Case {
    folder: TempDir,
    queue: Arc<Queue<Batch>>,
    filler: Filler,
}

impl Case {
    fn new() -> Case {
        let folder = tempfile::tempdir().unwrap();
        let queue = Arc::new(Queue::new(1 << 20));
        let limits = Limits { events: 100, bytes: 1 << 20, age: Duration::from_secs(1) };
        let filler = Filler::new(limits, Arc::clone(&queue), Arc::new(Spares::default()));
        Case { folder, queue, filler }
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    }

    fn harvester(&self, path: &Path, identity: Identity, offset: u64) -> Harvester {
        self.harvester_with(path, identity, offset, "")
    }

    fn harvester_with(&self, path: &Path, identity: Identity, offset: u64, more: &str) -> Harvester {
        let native = if more.contains("file_identity") { "" } else { "file_identity.native: ~\n" };
        let yaml = format!("paths: [/a]\n{native}{more}");
        let section = Section::new("", parse(&yaml, &|_| None).unwrap()).unwrap();
        let settings = Arc::new(InputSettings::read(section, &mut Vec::new()).unwrap().unwrap());
        let registry = Arc::new(Registry::open(&self.folder.path().join("data"), None).unwrap());
        let points = Arc::new(Points::open(self.folder.path().join("points")).unwrap());
        let facts = InputFacts {
            members: Map::new(),
            processors: Vec::new(),
            index: None,
            pipeline: None,
            has_actions: false,
            has_ids: false,
        };
        let encoder = Encoder::new(Arc::new(InputEvents::new(facts)), Some(path.display().to_string()), String::new());
        let in_hand = Arc::new(InHand::new(1, registry, points));
        Harvester::new(path.to_owned(), Compression::None, identity, settings, encoder, in_hand, offset)
    }

    fn turn(&mut self, harvester: &mut Harvester) -> Turn {
        harvester.turn(&mut [0; 1000], &mut self.filler).unwrap()
    }

    /// What was read so far.
    fn text(&mut self) -> String {
        self.filler.seal().unwrap();
        let batch = self.queue.pop(Duration::ZERO);
        batch.map(|(batch, _)| String::from_utf8(batch.body).unwrap()).unwrap_or_default()
    }
}

fn inode_of(path: &Path) -> (u64, u64) {
    let metadata = std::fs::metadata(path).unwrap();
    (metadata.dev(), metadata.ino())
}

fn inode(path: &Path) -> Identity {
    let (device, inode) = inode_of(path);
    Identity::Inode(device, inode)
}

#[test]
fn a_name_that_moved_on_is_not_read_from_the_offset_of_another_file() {
    let mut case = Case::new();
    let (old, new) = (case.write("x.log.1", "old one\nold two\n"), case.write("x.log", "new one\nnew two\n"));
    let mut waited = case.harvester(&new, inode(&old), 8);
    assert_eq!(case.turn(&mut waited), Turn::Closed(Reason::Replaced));
    assert_eq!(case.text(), "");
    let mut own = case.harvester(&old, inode(&old), 8);
    assert!(matches!(case.turn(&mut own), Turn::Idle(_)));
    assert!(case.text().contains("old two"));
}

#[test]
fn a_file_in_whose_place_is_a_folder_is_gone() {
    let mut case = Case::new();
    let path = case.write("x.log", "one\n");
    let mut harvester = case.harvester(&path, inode(&path), 0);
    std::fs::remove_file(&path).unwrap();
    std::fs::create_dir(&path).unwrap();
    assert_eq!(case.turn(&mut harvester), Turn::Closed(Reason::Removed));
}

#[test]
fn a_long_line_without_an_end_takes_no_memory_until_it_grows() {
    let mut case = Case::new();
    let long = "x".repeat(100_000);
    let path = case.write("x.log", &format!("one\n{long}"));
    let mut harvester = case.harvester(&path, inode(&path), 0);
    for _ in 0..3 {
        assert!(matches!(case.turn(&mut harvester), Turn::Idle(_)));
        assert_eq!((harvester.lines.carried(), harvester.lines.offset()), (0, 4));
    }
    let metadata = std::fs::metadata(&path).unwrap();
    let left = Left::Plain { inode: (metadata.dev(), metadata.ino()), read: metadata.len() };
    assert_eq!(harvester.left(), Some(left), "nothing new is there for who looks at it");
    case.write("x.log", &format!("one\n{long}, the end\ntwo\n"));
    assert!(matches!(case.turn(&mut harvester), Turn::Idle(_)));
    let text = case.text();
    assert_eq!(text.lines().count(), 3);
    assert!(text.contains(&format!("{long}, the end")));
}

#[test]
fn the_last_line_of_a_file_that_is_removed_is_read_again() {
    let mut case = Case::new();
    let path = case.write("x.log", &"x".repeat(100_000));
    let mut harvester = case.harvester(&path, inode(&path), 0);
    assert!(matches!(case.turn(&mut harvester), Turn::Idle(_)));
    std::fs::remove_file(&path).unwrap();
    assert!(matches!(case.turn(&mut harvester), Turn::Idle(_)));
    assert_eq!(case.turn(&mut harvester), Turn::Closed(Reason::Removed));
    assert!(case.text().contains(&"x".repeat(100_000)));
}

#[test]
fn a_file_that_is_truncated_within_the_line_that_was_let_go_is_truncated() {
    let mut case = Case::new();
    let path = case.write("x.log", &format!("one\n{}", "x".repeat(100_000)));
    let mut harvester = case.harvester(&path, inode(&path), 0);
    assert!(matches!(case.turn(&mut harvester), Turn::Idle(_)));
    case.write("x.log", &format!("{}\n", "y".repeat(50_000)));
    assert_eq!(case.turn(&mut harvester), Turn::Closed(Reason::Truncated));
    assert!(!case.text().contains(&"y".repeat(9)), "the rest of a line is none");
}

#[test]
fn a_file_is_never_closed_for_want_of_news_when_that_is_not_asked_for() {
    let mut case = Case::new();
    let path = case.write("x.log", "one\n");
    for (inactive, is_closed) in [("0", false), ("1ns", true)] {
        let more = format!("close.on_state_change.inactive: {inactive}");
        let mut harvester = case.harvester_with(&path, inode(&path), 4, &more);
        let turn = case.turn(&mut harvester);
        assert_eq!(turn == Turn::Closed(Reason::Inactive), is_closed, "{turn:?}");
    }
}

const JOINS: &str = "parsers: [{multiline: {pattern: '^ ', match: after, timeout: 1h}}]\n";

#[test]
fn lines_that_wait_to_be_joined_are_not_lost_with_what_is_truncated() {
    let mut case = Case::new();
    let path = case.write("x.log", "one\n two\n");
    let mut harvester = case.harvester_with(&path, inode(&path), 0, JOINS);
    assert!(matches!(case.turn(&mut harvester), Turn::Idle(_)));
    assert_eq!(case.text(), "", "a third line may belong to them");
    case.write("x.log", "");
    assert_eq!(case.turn(&mut harvester), Turn::Closed(Reason::Truncated));
    assert!(case.text().contains(r"one\n two"));
}

#[test]
fn lines_that_wait_to_be_joined_are_whole_where_a_file_is_closed_at_its_end() {
    let mut case = Case::new();
    let path = case.write("x.log", "one\n two\nno end");
    let more = format!("{JOINS}close.reader.on_eof: true");
    let mut harvester = case.harvester_with(&path, inode(&path), 0, &more);
    assert_eq!(case.turn(&mut harvester), Turn::Closed(Reason::AtEnd));
    let text = case.text();
    assert!(text.contains(r"one\n two") && !text.contains("no end"), "{text}");
}

#[test]
fn lines_that_are_written_in_the_place_of_zeros_behind_one_that_is_too_long_are_read() {
    let mut case = Case::new();
    let path = case.write("x.log", &format!("{}{}", "x".repeat(2000), "\0".repeat(5000)));
    let mut harvester = case.harvester_with(&path, inode(&path), 0, "message_max_bytes: 1024");
    let file = std::fs::File::options().write(true).open(&path).unwrap();
    for (at, text) in [(2000, ", even now"), (2010, "\ntwo\n")] {
        for _ in 0..2 {
            assert!(matches!(case.turn(&mut harvester), Turn::Idle(_)));
            assert_eq!(harvester.lines.offset(), at, "what is behind may be room");
        }
        std::os::unix::fs::FileExt::write_all_at(&file, text.as_bytes(), at).unwrap();
    }
    assert!(matches!(case.turn(&mut harvester), Turn::Idle(_)));
    let text = case.text();
    assert!(text.contains(&format!(r#""{}""#, "x".repeat(1024))) && text.contains(r#""two""#), "{text}");
}

#[test]
fn lines_that_are_written_in_the_place_of_zeros_are_read() {
    let mut case = Case::new();
    let path = case.write("x.log", &format!("one\n{}", "\0".repeat(5000)));
    let mut harvester = case.harvester(&path, inode(&path), 0);
    let file = std::fs::File::options().write(true).open(&path).unwrap();
    let put = |text: &str, at| std::os::unix::fs::FileExt::write_all_at(&file, text.as_bytes(), at).unwrap();
    for (at, text) in [(4, "two\n"), (8, "three\n")] {
        for _ in 0..2 {
            assert!(matches!(case.turn(&mut harvester), Turn::Idle(_)));
            assert_eq!(harvester.lines.offset(), at, "what is behind may be room");
        }
        let Some(Left::Seen(seen)) = harvester.left() else { panic!("{:?}", harvester.left()) };
        assert_eq!(seen, Stat::of(&std::fs::metadata(&path).unwrap()));
        put(text, at);
    }
    assert!(matches!(case.turn(&mut harvester), Turn::Idle(_)));
    file.set_len(14).unwrap();
    assert!(matches!(case.turn(&mut harvester), Turn::Idle(_)), "what was cut off had not been read");
    let text = case.text();
    assert_eq!(text.lines().count(), 3, "{text}");
    assert!(text.contains("three") && !text.contains("\\u0000"), "{text}");
}

#[test]
fn zeros_that_were_seen_are_not_read_again_for_a_line_that_comes() {
    let mut case = Case::new();
    let path = case.write("x.log", "one\n");
    let file = std::fs::File::options().write(true).open(&path).unwrap();
    file.set_len(8 << 20).unwrap();
    let mut harvester = case.harvester(&path, inode(&path), 0);
    let turns = std::iter::repeat_with(|| case.turn(&mut harvester)).take_while(|turn| *turn == Turn::More).count();
    assert!(turns > 2, "all of them are looked at once");
    for (at, text) in [(4, "two\n"), (8, "three\n")] {
        std::os::unix::fs::FileExt::write_all_at(&file, text.as_bytes(), at).unwrap();
        assert!(matches!(case.turn(&mut harvester), Turn::Idle(_)), "it is soon at their beginning");
        assert_eq!(harvester.lines.offset(), at + text.len() as u64);
    }
    std::fs::remove_file(&path).unwrap();
    let mut turns = std::iter::repeat_with(|| case.turn(&mut harvester));
    let last = turns.find(|turn| matches!(turn, Turn::Closed(_)));
    assert_eq!(last, Some(Turn::Closed(Reason::Removed)), "which is when all of them were looked at again");
    let text = case.text();
    assert!(text.contains("\"two\"") && text.contains("\"three\""), "{text}");
    assert_eq!(text.lines().count(), 3, "{text}");
}

#[test]
fn a_page_that_comes_after_the_one_behind_it_is_not_passed_over() {
    let mut case = Case::new();
    let path = case.write("x.log", &format!("one\n{}three\n", "\0".repeat(100)));
    let mut harvester = case.harvester(&path, inode(&path), 0);
    harvester.patience = Duration::from_hours(1);
    for _ in 0..2 {
        assert!(matches!(case.turn(&mut harvester), Turn::Idle(_)));
        assert_eq!(harvester.lines.offset(), 4, "who writes may be slow");
    }
    assert_eq!(harvester.left(), Some(Left::Plain { inode: inode_of(&path), read: 4 }), "somebody looks again");
    let file = std::fs::File::options().write(true).open(&path).unwrap();
    let two = format!("two {}\n", "x".repeat(95));
    std::os::unix::fs::FileExt::write_all_at(&file, two.as_bytes(), 4).unwrap();
    assert!(matches!(case.turn(&mut harvester), Turn::Idle(_)));
    let text = case.text();
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines.len() == 3 && lines[1].contains("two x") && lines[2].contains("three"), "{text}");
}

#[test]
fn zeros_that_nothing_comes_in_the_place_of_are_passed_over() {
    let gaps = format!("one\ntw{0}o\n{0}three\n", "\0".repeat(100));
    let mut case = Case::new();
    let path = case.write("x.log", &gaps);
    let mut harvester = case.harvester(&path, inode(&path), 0);
    assert!(matches!(case.turn(&mut harvester), Turn::Idle(_)));
    assert_eq!(harvester.lines.offset(), 4, "the line that has begun is read again");
    case.write("x.log", &format!("{gaps}{}four\n", "\0".repeat(100)));
    harvester.patience = Duration::from_nanos(1);
    assert!(matches!(case.turn(&mut harvester), Turn::Idle(_)));
    assert_eq!(harvester.lines.offset(), gaps.len() as u64, "what came behind them may be slow, too");
    assert!(matches!(case.turn(&mut harvester), Turn::Idle(_)));
    let text = case.text();
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines.len() == 4 && lines[1].contains("tw\\u0000") && lines[2].contains("three"), "{text}");
    assert!(lines[3].contains("four"), "{text}");
}

#[test]
fn nothing_is_waited_for_where_a_file_is_closed_at_its_end_is_old_or_has_no_name() {
    let mut case = Case::new();
    let path = case.write("x.log", &format!("one\n{}three\n", "\0".repeat(100)));
    let mut harvester = case.harvester_with(&path, inode(&path), 0, "close.reader.on_eof: true");
    assert_eq!(case.turn(&mut harvester), Turn::Closed(Reason::AtEnd));
    assert_eq!(case.text().lines().count(), 2);
    let file = std::fs::File::options().write(true).open(&path).unwrap();
    let now = std::time::SystemTime::now();
    for (changed, lines) in [(now - Duration::from_hours(1), 2), (now + Duration::from_hours(1), 1)] {
        file.set_modified(changed).unwrap();
        let mut harvester = case.harvester(&path, inode(&path), 0);
        assert!(matches!(case.turn(&mut harvester), Turn::Idle(_)));
        assert_eq!(case.text().lines().count(), lines);
    }
    let mut harvester = case.harvester(&path, inode(&path), 0);
    assert!(matches!(case.turn(&mut harvester), Turn::Idle(_)));
    std::fs::remove_file(&path).unwrap();
    assert!(matches!(case.turn(&mut harvester), Turn::Idle(_)));
    assert_eq!(case.turn(&mut harvester), Turn::Closed(Reason::Removed));
    assert_eq!(case.text().lines().count(), 2);
}

#[test]
fn a_file_that_was_only_room_is_left_to_who_knows_it_by_its_lines() {
    let mut case = Case::new();
    let path = case.write("x.log", &"\0".repeat(5000));
    let more = "file_identity.fingerprint: {growing: true}\n";
    let mut harvester = case.harvester_with(&path, inode(&path), 0, more);
    for _ in 0..2 {
        assert!(matches!(case.turn(&mut harvester), Turn::Idle(_)));
    }
    let file = std::fs::File::options().write(true).open(&path).unwrap();
    std::os::unix::fs::FileExt::write_all_at(&file, b"one\n", 0).unwrap();
    assert_eq!(case.turn(&mut harvester), Turn::Closed(Reason::Replaced));
    assert_eq!(case.text(), "", "it would come twice");
}

#[test]
fn a_line_whose_end_is_written_in_the_place_of_zeros_is_read() {
    let mut case = Case::new();
    let path = case.write("x.log", &format!("one\ntw{}", "\0".repeat(100)));
    let mut harvester = case.harvester(&path, inode(&path), 0);
    let file = std::fs::File::options().write(true).open(&path).unwrap();
    let put = |text: &str, at| std::os::unix::fs::FileExt::write_all_at(&file, text.as_bytes(), at).unwrap();
    for (at, text) in [(6, "o\nthr"), (11, "ee\n")] {
        for _ in 0..2 {
            assert!(matches!(case.turn(&mut harvester), Turn::Idle(_)));
        }
        put(text, at);
    }
    assert!(matches!(case.turn(&mut harvester), Turn::Idle(_)));
    let text = case.text();
    assert!(text.contains("\"two\"") && text.contains("\"three\"") && !text.contains("\\u0000"), "{text}");
    assert_eq!(text.lines().count(), 3, "{text}");
}

#[test]
fn a_file_that_took_the_name_of_another_is_not_waited_at() {
    let mut case = Case::new();
    let path = case.write("x.log", "one\n");
    for (beginning, is_same) in [("one\n", true), ("two\n", false)] {
        let identity = Identity::Growing(beginning.as_bytes().to_vec());
        let more = "file_identity.fingerprint: {growing: true}\n";
        let mut harvester = case.harvester_with(&path, identity, 4, more);
        let turn = case.turn(&mut harvester);
        assert_eq!(matches!(turn, Turn::Idle(_)), is_same, "{turn:?}");
        assert_eq!(turn == Turn::Closed(Reason::Replaced), !is_same, "{turn:?}");
    }
}
