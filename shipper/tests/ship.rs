//! The program against a server, with files as they are in the world: rotated, compressed,
//! truncated, damaged, while the program is killed and the server fails.

#[allow(dead_code)] // what other tests need of it
mod support;

use std::fmt::Write as _;
use std::io::Write;
use std::time::Duration;
use support::{Fault, Server, Shipper, gzip};

const LIMIT: Duration = Duration::from_mins(2);
const WITH_IDS: &str = "  deterministic_ids: true\n";

fn lines(name: &str, range: std::ops::Range<usize>) -> String {
    range.fold(String::new(), |mut text, n| {
        let _ = writeln!(text, "{name} line {n} 203.0.113.{} GET /images/{:x}.gif 200", n % 250, n * 7919);
        text
    })
}

fn append(path: &std::path::Path, text: &str) {
    let mut file = std::fs::OpenOptions::new().append(true).create(true).open(path).unwrap();
    file.write_all(text.as_bytes()).unwrap();
}

fn expect(server: &Server, shipper: &Shipper, distinct: usize) {
    server.wait_for(distinct, LIMIT);
    assert_eq!(server.distinct(), distinct, "{}", shipper.log());
}

#[test]
fn plain_gzip_and_zstd_files_arrive_once() {
    let server = Server::start();
    let mut shipper = Shipper::new(&server.address, "");
    let logs = shipper.logs();
    std::fs::write(logs.join("a.log"), lines("a", 0..5000)).unwrap();
    std::fs::write(logs.join("b"), lines("b", 0..5000)).unwrap();
    gzip(&logs.join("b"), &logs.join("b.gz"));
    std::fs::write(logs.join("c.zst"), zstd::encode_all(lines("c", 0..5000).as_bytes(), 3).unwrap()).unwrap();
    std::fs::write(logs.join("tiny.log"), "one short line\n").unwrap();
    shipper.start();
    expect(&server, &shipper, 15_001);
    append(&logs.join("a.log"), &lines("a", 5000..5010));
    expect(&server, &shipper, 15_011);
    shipper.stop();
    shipper.start();
    std::thread::sleep(Duration::from_millis(500));
    assert_eq!(server.repeated(), 0, "a restart repeats nothing");
}

#[test]
fn killed_in_the_middle_of_plain_and_compressed_files_nothing_is_lost() {
    for (is_compressed, ids) in [(false, ""), (true, ""), (false, WITH_IDS), (true, WITH_IDS)] {
        let server = Server::start();
        let mut shipper = Shipper::new(&server.address, ids);
        let path = shipper.logs().join("app.log");
        std::fs::write(&path, lines("app", 0..200_000)).unwrap();
        if is_compressed {
            gzip(&path, &shipper.logs().join("app.log.1.gz"));
        }
        for part in 1..=3 {
            shipper.start();
            server.wait_for(part * 35_000, LIMIT);
            shipper.kill();
        }
        shipper.start();
        expect(&server, &shipper, 200_000);
        if ids.is_empty() {
            // Three kills, each with what was being sent and not in the registry yet.
            assert!(server.repeated() < 180_000, "{} repeated", server.repeated());
        } else {
            assert_eq!(server.repeated(), 0);
        }
    }
}

#[test]
fn killed_in_a_zstd_file_of_many_frames_it_goes_on_at_a_frame() {
    let server = Server::start();
    let mut shipper = Shipper::new(&server.address, WITH_IDS);
    let frames =
        (0..30).flat_map(|n| zstd::encode_all(lines("app", n * 20_000..(n + 1) * 20_000).as_bytes(), 1).unwrap());
    let archive = shipper.logs().join("app.zst");
    std::fs::write(&archive, frames.collect::<Vec<u8>>()).unwrap();
    shipper.start();
    // The first 16 MiB are some 16 frames.
    server.wait_for(450_000, LIMIT);
    shipper.kill();
    // Who reads from the beginning finds damage now.
    let bytes = std::fs::File::options().write(true).open(&archive).unwrap();
    std::os::unix::fs::FileExt::write_all_at(&bytes, &[0; 64], 50_000).unwrap();
    shipper.start();
    expect(&server, &shipper, 600_000);
    assert_eq!(server.repeated(), 0);
    assert!(!shipper.log().contains("damaged"), "{}", shipper.log());
}

#[test]
fn a_file_that_was_shipped_is_compressed_while_the_program_is_down() {
    let server = Server::start();
    let mut shipper = Shipper::new(&server.address, "");
    let path = shipper.logs().join("app.log");
    std::fs::write(&path, lines("app", 0..20_000)).unwrap();
    shipper.start();
    expect(&server, &shipper, 20_000);
    std::thread::sleep(Duration::from_millis(300));
    shipper.stop();
    append(&path, &lines("app", 20_000..20_100));
    gzip(&path, &shipper.logs().join("app.log.1.gz"));
    shipper.start();
    expect(&server, &shipper, 20_100);
    assert_eq!(server.repeated(), 0);
}

#[test]
fn an_archive_that_grows_slowly_after_a_restart_is_read_to_its_end() {
    let server = Server::start();
    let mut shipper = Shipper::new(&server.address, "");
    let path = shipper.logs().join("app.log");
    std::fs::write(&path, lines("app", 0..20_000)).unwrap();
    shipper.start();
    expect(&server, &shipper, 20_000);
    shipper.stop();
    // While the program is down the log grows and its archive is begun.
    append(&path, &lines("app", 20_000..20_500));
    let whole = shipper.folder.path().join("whole");
    gzip(&path, &whole);
    let bytes = std::fs::read(whole).unwrap();
    let archive = shipper.logs().join("app.log.1.gz");
    std::fs::write(&archive, &bytes[..bytes.len() / 3]).unwrap();
    shipper.start();
    std::thread::sleep(Duration::from_millis(500));
    std::fs::write(&archive, &bytes).unwrap();
    expect(&server, &shipper, 20_500);
    assert_eq!(server.repeated(), 0);
    assert!(!shipper.log().contains("damaged"), "{}", shipper.log());
}

/// The four cases in which a rival loses or repeats lines, SHIPPER §8: killed in a plain file, killed
/// in an archive, compressed between a stop and a start, answers longer than a buffer.
#[test]
fn answers_of_many_megabytes_are_read() {
    let server = Server::start();
    let mut shipper = Shipper::new(&server.address, "  bulk_max_size: 50000\n  bulk_max_bytes: 64MiB\n");
    server.set(Fault::Verbose);
    std::fs::write(shipper.logs().join("app.log"), lines("app", 0..30_000)).unwrap();
    shipper.start();
    expect(&server, &shipper, 30_000);
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(server.repeated(), 0, "an answer that can't be read would be asked for again");
    shipper.stop();
}

#[test]
fn an_outage_loses_and_repeats_nothing() {
    let server = Server::start();
    let mut shipper = Shipper::new(&server.address, WITH_IDS);
    let path = shipper.logs().join("app.log");
    shipper.start();
    let mut written = 0;
    for fault in [Fault::None, Fault::Unavailable, Fault::LosesAnswers, Fault::Throttles, Fault::None] {
        server.set(fault);
        append(&path, &lines("app", written..written + 5000));
        written += 5000;
        std::thread::sleep(Duration::from_millis(400));
        if fault == Fault::Unavailable {
            // Rotated away while nothing can be sent.
            std::fs::rename(&path, shipper.logs().join("app.log.1")).unwrap();
            gzip(&shipper.logs().join("app.log.1"), &shipper.logs().join("app.log.2.gz"));
        }
    }
    expect(&server, &shipper, written);
    assert_eq!(server.repeated(), 0);
}

#[test]
fn an_archive_to_which_members_are_added_is_read_on() {
    let gz = |text: &str| {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::new(6));
        encoder.write_all(text.as_bytes()).unwrap();
        encoder.finish().unwrap()
    };
    let zst = |text: &str| zstd::encode_all(text.as_bytes(), 1).unwrap();
    for compressed in [&gz as &dyn Fn(&str) -> Vec<u8>, &zst] {
        let server = Server::start();
        let mut shipper = Shipper::new(&server.address, "");
        let archive = shipper.logs().join("app");
        let add = |range| {
            let mut file = std::fs::OpenOptions::new().append(true).create(true).open(&archive).unwrap();
            file.write_all(&compressed(&lines("app", range))).unwrap();
        };
        add(0..5000);
        shipper.start();
        expect(&server, &shipper, 5000);
        std::thread::sleep(Duration::from_millis(500)); // it counts as read
        add(5000..6000);
        expect(&server, &shipper, 6000);
        std::thread::sleep(Duration::from_millis(500));
        shipper.stop();
        add(6000..7000);
        shipper.start();
        expect(&server, &shipper, 7000);
        assert_eq!(server.repeated(), 0);
    }
}

#[test]
fn what_is_sound_of_a_damaged_archive_arrives() {
    let server = Server::start();
    let mut shipper = Shipper::new(&server.address, "");
    let path = shipper.logs().join("x");
    std::fs::write(&path, lines("x", 0..50_000)).unwrap();
    gzip(&path, &shipper.logs().join("x.gz"));
    let mut bytes = std::fs::read(shipper.logs().join("x.gz")).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle..middle + 64].fill(0x5a);
    std::fs::write(shipper.logs().join("x.gz"), bytes).unwrap();
    std::fs::write(shipper.logs().join("y.log"), lines("y", 0..10)).unwrap();
    shipper.start();
    server.wait_for(10_000, LIMIT);
    assert!(shipper.says("a compressed file is damaged", LIMIT), "{}", shipper.log());
    std::thread::sleep(Duration::from_millis(500));
    assert!(server.distinct() > 10_000 && server.distinct() < 50_000, "{}", server.distinct());
    shipper.stop();
    let events = server.taken.lock().unwrap().events;
    shipper.start();
    std::thread::sleep(Duration::from_millis(500));
    assert_eq!(server.taken.lock().unwrap().events, events, "it counts as read");
}

#[test]
fn a_shell_that_gives_few_open_files_keeps_none_from_being_read() {
    let server = Server::start();
    let mut shipper = Shipper::new(&server.address, "");
    for n in 0..150 {
        std::fs::write(shipper.logs().join(format!("{n}.log")), lines(&n.to_string(), 0..10)).unwrap();
    }
    shipper.before = Some("ulimit -S -n 64");
    shipper.start();
    expect(&server, &shipper, 1500);
    assert!(!shipper.log().contains("can't read a file"), "{}", shipper.log());
}

#[test]
fn memory_is_bounded() {
    let server = Server::start();
    let mut shipper = Shipper::new(&server.address, "");
    // A bomb: one line of 200 MB in some 200 KB.
    let bomb = std::fs::File::create(shipper.logs().join("bomb.gz")).unwrap();
    let mut encoder = flate2::write::GzEncoder::new(bomb, flate2::Compression::new(6));
    let line = vec![b'x'; 1 << 20];
    for _ in 0..200 {
        encoder.write_all(&line).unwrap();
    }
    encoder.write_all(b"\nafter the bomb\n").unwrap();
    encoder.finish().unwrap();
    server.set(Fault::Unavailable);
    std::fs::write(shipper.logs().join("app.log"), lines("app", 0..500_000)).unwrap();
    shipper.start();
    std::thread::sleep(Duration::from_secs(2));
    server.set(Fault::None);
    expect(&server, &shipper, 500_002);
    // The longest line, once as it is and once on its way, and the queue.
    assert!(shipper.peak_kib() < 90 << 10, "{} KiB", shipper.peak_kib());
}

#[test]
fn the_template_is_there_before_the_first_event() {
    let server = Server::start();
    let mut shipper = Shipper::new(&server.address, "setup.template: {enabled: true, name: logs-web}\n");
    server.set(Fault::Unavailable);
    std::fs::write(shipper.logs().join("app.log"), lines("app", 0..100)).unwrap();
    shipper.start();
    assert!(shipper.says("the index template can't be put", LIMIT), "{}", shipper.log());
    server.set(Fault::None);
    expect(&server, &shipper, 100);
    assert_eq!(server.taken.lock().unwrap().before, ["/_index_template/logs-web?create=true"]);
}

#[test]
fn bodies_are_zstd_where_that_is_taken_and_gzip_elsewhere() {
    for (fault, has_zstd) in [(Fault::None, true), (Fault::KnowsNoZstd, false)] {
        let server = Server::start();
        server.set(fault);
        let mut shipper = Shipper::new(&server.address, "  compression: zstd\n");
        std::fs::write(shipper.logs().join("app.log"), lines("app", 0..20_000)).unwrap();
        shipper.start();
        expect(&server, &shipper, 20_000);
        shipper.stop();
        assert_eq!(server.repeated(), 0);
        assert_eq!(server.taken.lock().unwrap().zstd_bodies > 0, has_zstd);
        assert_eq!(shipper.log().contains("the output takes no zstd"), !has_zstd, "{}", shipper.log());
    }
}
