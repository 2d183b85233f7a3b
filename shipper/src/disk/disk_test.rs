use super::reader::Reader;
use super::writer::Writer;
use super::*;
use crate::output::batch::Batch;
use proptest::prelude::*;
use std::os::unix::fs::FileExt;
use std::sync::Arc;

const SOON: Duration = Duration::from_millis(20);

fn settings(folder: &Path) -> DiskSettings {
    let retry = (Duration::from_millis(1), Duration::from_millis(2));
    DiskSettings { folder: folder.to_owned(), bytes_max: 10_000, segment_bytes: 2_000, retry }
}

fn open(folder: &Path) -> (Arc<DiskQueue>, Writer, Reader) {
    let disk = Arc::new(DiskQueue::open(settings(folder), true, false).unwrap());
    (Arc::clone(&disk), Writer::new(Arc::clone(&disk)), Reader::new(disk))
}

/// Two events.
fn batch(name: &str, length: usize) -> Batch {
    let mut batch = Batch::default();
    for event in 0..2 {
        batch.body.extend(format!("{{}}\n{name} {event} {}\n", "x".repeat(length / 2)).bytes());
        batch.ends.push(u32::try_from(batch.body.len()).unwrap());
    }
    batch
}

fn name(batch: &Batch) -> String {
    let text = String::from_utf8_lossy(batch.event(0)).into_owned();
    text.lines().nth(1).unwrap().split(' ').next().unwrap().to_owned()
}

fn write(writer: &mut Writer, names: &[&str]) {
    for name in names {
        assert_eq!(writer.append(&[&batch(name, 300)]).unwrap(), 1);
    }
}

fn rest(reader: &mut Reader) -> Vec<Batch> {
    std::iter::from_fn(|| reader.next(SOON, Vec::new())).collect()
}

fn segments(folder: &Path) -> Vec<PathBuf> {
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> = files.filter(|path| path.extension().is_some()).collect();
    files.sort();
    files
}

#[test]
fn what_is_acknowledged_is_not_sent_again_and_the_rest_is() {
    let folder = tempfile::tempdir().unwrap();
    let (disk, mut writer, mut reader) = open(folder.path());
    write(&mut writer, &["a", "b", "c", "d"]);
    let mut batches: Vec<Batch> = (0..4).filter_map(|_| reader.next(SOON, Vec::new())).collect();
    batches[0].delivered();
    batches[2].delivered(); // behind a gap
    assert_eq!((disk.events(), disk.is_empty()), (6, false));
    drop((disk, writer, reader, batches));

    let (disk, mut writer, mut reader) = open(folder.path());
    assert_eq!(disk.events(), 6);
    write(&mut writer, &["e"]);
    let mut batches = rest(&mut reader);
    assert_eq!(batches.iter().map(name).collect::<Vec<_>>(), ["b", "c", "d", "e"]);
    assert_eq!(batches[0].ends, batch("b", 300).ends);
    batches.iter_mut().for_each(Batch::delivered);
    assert_eq!((disk.events(), disk.is_empty()), (0, true));
    drop((disk, writer, reader));
    assert_eq!(is_all_acked(folder.path()), Ok(true));
    assert!(rest(&mut open(folder.path()).2).is_empty());
}

#[test]
fn a_full_queue_takes_more_when_a_segment_is_acknowledged() {
    let folder = tempfile::tempdir().unwrap();
    let (disk, mut writer, mut reader) = open(folder.path());
    let mut written = 0;
    while writer.append(&[&batch("a", 500)]).unwrap() == 1 {
        written += 1;
    }
    assert!(disk.bytes() > 9_000 && disk.bytes() <= 10_000, "{}", disk.bytes());
    assert_eq!(writer.append(&[&batch("a", 500)]).unwrap(), 0);
    let mut batches = rest(&mut reader);
    assert_eq!(batches.len(), written);
    batches.iter_mut().for_each(Batch::delivered);
    let _ = rest(&mut reader); // it goes on to the next segment
    assert_eq!((disk.bytes(), segments(folder.path()).len()), (0, 0), "all of it is deleted");
    assert_eq!(writer.append(&[&batch("b", 300), &batch("c", 300)]).unwrap(), 2);
    assert_eq!(writer.append(&[&batch("larger than everything", 50_000)]).unwrap(), 0, "it has to wait");
    rest(&mut reader).iter_mut().for_each(Batch::delivered);
    let _ = rest(&mut reader);
    assert_eq!(writer.append(&[&batch("larger", 50_000)]).unwrap(), 1, "an empty queue has room for anything");
    assert_eq!(rest(&mut reader).iter().map(name).collect::<Vec<_>>(), ["larger"]);
}

#[test]
fn a_smaller_limit_holds_for_what_comes() {
    let folder = tempfile::tempdir().unwrap();
    let (disk, mut writer, reader) = open(folder.path());
    write(&mut writer, &["a", "b", "c", "d", "e", "f"]);
    let before = disk.bytes();
    drop((disk, writer, reader));
    let smaller = DiskSettings { bytes_max: before, segment_bytes: 1000, ..settings(folder.path()) };
    let disk = Arc::new(DiskQueue::open(smaller, true, false).unwrap());
    let (mut writer, mut reader) = (Writer::new(Arc::clone(&disk)), Reader::new(Arc::clone(&disk)));
    assert_eq!(writer.append(&[&batch("g", 300)]).unwrap(), 0);
    let mut batches = rest(&mut reader);
    assert_eq!(batches.len(), 6, "what was there is sent");
    batches.iter_mut().for_each(Batch::delivered);
    let _ = rest(&mut reader);
    write(&mut writer, &["g", "h", "i"]);
    assert_eq!(segments(folder.path()).len(), 2, "two batches a segment now");
}

#[test]
fn a_torn_end_is_cut_off_and_what_is_appended_then_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let whole = frame::bytes(&batch("a", 300));
    for cut in [1, 10, 24, 100, whole - 1] {
        let folder = folder.path().join(cut.to_string());
        let (_, mut writer, _) = open(&folder);
        write(&mut writer, &["a", "b"]);
        drop(writer);
        let file = File::options().write(true).open(&segments(&folder)[0]).unwrap();
        file.set_len(2 * whole - cut).unwrap();
        let (disk, mut writer, mut reader) = open(&folder);
        assert_eq!(disk.bytes(), whole);
        write(&mut writer, &["c"]);
        assert_eq!(rest(&mut reader).iter().map(name).collect::<Vec<_>>(), ["a", "c"]);
    }
}

#[test]
fn a_folder_with_something_else_is_refused_and_so_are_two_shippers() {
    let folder = tempfile::tempdir().unwrap();
    let (disk, ..) = open(folder.path());
    let error = DiskQueue::open(settings(folder.path()), true, false).err().unwrap();
    assert!(error.contains("another shipper uses the queue"), "{error}");
    drop(disk);
    std::fs::write(folder.path().join("important.txt"), "").unwrap();
    let error = DiskQueue::open(settings(folder.path()), true, false).err().unwrap();
    assert!(error.contains("important.txt] is no part of a queue"), "{error}");
}

#[test]
fn events_of_another_output_are_refused_until_they_are_acknowledged() {
    let folder = tempfile::tempdir().unwrap();
    let (disk, mut writer, mut reader) = open(folder.path());
    write(&mut writer, &["a"]);
    let mut batches = rest(&mut reader);
    drop((disk, writer));
    drop(reader);
    let lines = || DiskQueue::open(settings(folder.path()), false, false);
    // The batch holds the queue open, as a sender would.
    batches.iter_mut().for_each(Batch::delivered);
    drop(batches);
    assert!(lines().is_ok());
    let (_, mut writer, _) = open(folder.path());
    write(&mut writer, &["b"]);
    drop(writer);
    let error = lines().err().unwrap();
    assert!(error.contains("queued for output.elasticsearch, which output.file or console can't send"), "{error}");
}

#[test]
fn a_folder_that_goes_and_comes_back_loses_nothing() {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path().join("queue");
    let (_, mut writer, mut reader) = open(&folder);
    write(&mut writer, &["a", "b"]);
    let aside = root.path().join("aside");
    std::fs::rename(&folder, &aside).unwrap();
    let large = batch("c", 1900); // a new segment
    assert!(writer.append(&[&large]).is_err());
    assert!(writer.append(&[&large]).is_err());
    std::fs::rename(&aside, &folder).unwrap();
    assert_eq!(writer.append(&[&large]).unwrap(), 1);
    assert_eq!(rest(&mut reader).iter().map(name).collect::<Vec<_>>(), ["a", "b", "c"]);
}

#[test]
fn nothing_is_confirmed_that_is_in_a_deleted_segment() {
    let folder = tempfile::tempdir().unwrap();
    let (disk, mut writer, mut reader) = open(folder.path());
    write(&mut writer, &["a"]);
    assert_eq!(rest(&mut reader).iter().map(name).collect::<Vec<_>>(), ["a"]);
    std::fs::remove_file(&segments(folder.path())[0]).unwrap();
    assert!(writer.append(&[&batch("b", 300)]).is_err(), "a start would not find it");
    write(&mut writer, &["b"]);
    assert_eq!(rest(&mut reader).iter().map(name).collect::<Vec<_>>(), ["b"]);
    drop((disk, writer, reader));
    assert_eq!(rest(&mut open(folder.path()).2).iter().map(name).collect::<Vec<_>>(), ["b"]);
}

#[test]
fn a_missing_segment_and_a_damaged_position_keep_nothing_else_from_being_sent() {
    let folder = tempfile::tempdir().unwrap();
    let (_, mut writer, _) = open(folder.path());
    let names = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"];
    write(&mut writer, &names);
    drop(writer);
    let segments = segments(folder.path());
    assert_eq!(segments.len(), 3);
    std::fs::remove_file(&segments[1]).unwrap();
    let position = File::options().write(true).open(folder.path().join("position")).unwrap();
    position.write_all_at(&[1; 5000], 0).unwrap();
    let (disk, mut writer, mut reader) = open(folder.path());
    write(&mut writer, &["m"]);
    let mut batches = rest(&mut reader);
    assert_eq!(batches.iter().map(name).collect::<Vec<_>>(), ["a", "b", "c", "d", "e", "k", "l", "m"]);
    batches.iter_mut().for_each(Batch::delivered);
    assert!(disk.is_empty());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Any bytes of a closed segment are changed: what they were part of is skipped, all else comes,
    /// as it was, and can be acknowledged.
    #[test]
    fn what_is_not_damaged_comes(at in 0..1700u64, noise in proptest::collection::vec(any::<u8>(), 1..400)) {
        let folder = tempfile::tempdir().unwrap();
        let (_, mut writer, _) = open(folder.path());
        let names = ["a", "b", "c", "d", "e", "f", "g"];
        write(&mut writer, &names);
        drop(writer);
        let files = segments(folder.path());
        prop_assert_eq!(files.len(), 2, "the first has five");
        let whole = usize::try_from(frame::bytes(&batch("a", 300))).unwrap();
        let before = std::fs::read(&files[0]).unwrap();
        let file = File::options().write(true).open(&files[0]).unwrap();
        let noise = &noise[..noise.len().min(before.len() - usize::try_from(at).unwrap())];
        file.write_all_at(noise, at).unwrap();
        let after = std::fs::read(&files[0]).unwrap();
        let is_sound = |n: usize| {
            let range = n * whole..(n + 1) * whole;
            before[range.clone()] == after[range]
        };
        let (disk, _writer, mut reader) = open(folder.path());
        let mut batches = rest(&mut reader);
        let came: Vec<String> = batches.iter().map(name).collect();
        let wanted: Vec<&str> = names.iter().enumerate().filter(|(n, _)| *n >= 5 || is_sound(*n)).map(|(_, s)| *s).collect();
        prop_assert_eq!(&came, &wanted);
        for (batch_read, name) in batches.iter().zip(&wanted) {
            prop_assert_eq!(&batch_read.body, &batch(name, 300).body);
        }
        batches.iter_mut().for_each(Batch::delivered);
        prop_assert!(disk.is_empty());
    }
}
