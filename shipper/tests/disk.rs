//! The queue on disk, with the program as a process that is killed, and with disks that are full or
//! damaged.

#[allow(dead_code)] // what other tests need of it
mod support;

use std::fmt::Write as _;
use std::io::Write;
use std::os::unix::fs::FileExt;
use std::path::PathBuf;
use std::time::Duration;
use support::{Fault, Server, Shipper, connect, free_address};

const LIMIT: Duration = Duration::from_mins(2);
const QUEUE: &str = "queue.disk: {max_size: 10MB, retry_interval: 50ms, max_retry_interval: 200ms}\n";
const QUEUE_AND_IDS: &str =
    "  deterministic_ids: true\nqueue.disk: {max_size: 10MB, retry_interval: 50ms, max_retry_interval: 200ms}\n";

fn lines(name: &str, range: std::ops::Range<usize>) -> String {
    range.fold(String::new(), |mut text, n| {
        let _ = writeln!(text, "{name} line {n} 203.0.113.{} GET /images/{:x}.gif 200", n % 250, n * 7919);
        text
    })
}

fn expect(server: &Server, shipper: &Shipper, distinct: usize) {
    server.wait_for(distinct, LIMIT);
    assert_eq!(server.distinct(), distinct, "{}", shipper.log());
}

fn segments(shipper: &Shipper) -> Vec<PathBuf> {
    let files = std::fs::read_dir(shipper.folder.path().join("data/diskqueue")).unwrap();
    let mut files: Vec<PathBuf> =
        files.map(|entry| entry.unwrap().path()).filter(|p| p.extension().is_some_and(|e| e == "segment")).collect();
    files.sort();
    files
}

#[test]
fn what_came_over_tcp_and_of_a_file_that_is_gone_outlives_a_kill_and_an_outage() {
    let server = Server::start();
    server.set(Fault::Unavailable);
    let address = free_address();
    let inputs = |root: &str| {
        let files = support::files("files", &format!("{root}/logs/*"));
        format!("filebeat.inputs:\n- {{type: tcp, id: net, host: '{address}'}}\n{files}")
    };
    let mut shipper = Shipper::with(&server.address, &inputs, QUEUE_AND_IDS);
    shipper.start();
    connect(&address).write_all(lines("tcp", 0..5000).as_bytes()).unwrap();
    std::fs::write(shipper.logs().join("gone.log"), lines("file", 0..5000)).unwrap();
    assert_eq!(shipper.wait_figure("queue_filled_events", |n| n >= 10_000), 10_000, "{}", shipper.log());
    let bytes: u64 = segments(&shipper).iter().map(|path| path.metadata().unwrap().len()).sum();
    assert_eq!(shipper.figure("queue_filled_bytes"), bytes);
    assert_eq!(shipper.figure("queue_max_bytes"), 10_000_000);
    let first = std::fs::read(&segments(&shipper)[0]).unwrap();
    let action = b"\"_index\":\"logs-shipper-default\"";
    assert!(first.windows(action.len()).any(|w| w == action), "events go where they should when they were queued");
    std::fs::remove_file(shipper.logs().join("gone.log")).unwrap();
    shipper.kill();
    shipper.start();
    assert_eq!(shipper.figure("queue_filled_events"), 10_000, "they are counted before anything is sent");
    std::thread::sleep(Duration::from_millis(300));
    shipper.stop();
    server.set(Fault::None);
    shipper.start();
    expect(&server, &shipper, 10_000);
    assert_eq!(server.repeated(), 0);
    assert_eq!(shipper.wait_figure("queue_filled_events", |n| n == 0), 0);
    shipper.stop();
    let events = server.taken.lock().unwrap().events;
    shipper.start();
    std::thread::sleep(Duration::from_millis(500));
    assert_eq!(server.taken.lock().unwrap().events, events, "what is acknowledged is not sent again");
}

#[test]
fn killed_again_and_again_nothing_is_lost() {
    for ids in [QUEUE, QUEUE_AND_IDS] {
        let server = Server::start();
        let mut shipper = Shipper::new(&server.address, ids);
        std::fs::write(shipper.logs().join("app.log"), lines("app", 0..300_000)).unwrap();
        for part in 1..=5 {
            shipper.start();
            server.wait_for(part * 40_000, LIMIT);
            shipper.kill();
        }
        shipper.start();
        expect(&server, &shipper, 300_000);
        if ids == QUEUE {
            // Five kills, each with what is in memory before and behind the disk: some 20,000 lines.
            assert!(server.repeated() < 150_000, "{} repeated", server.repeated());
        } else {
            assert_eq!(server.repeated(), 0);
        }
        assert!(!shipper.log().contains("damaged"), "{}", shipper.log());
    }
}

#[test]
fn a_full_queue_makes_inputs_wait_and_its_room_is_given_back() {
    let server = Server::start();
    server.set(Fault::Unavailable);
    let mut shipper = Shipper::new(&server.address, QUEUE_AND_IDS);
    std::fs::write(shipper.logs().join("app.log"), lines("app", 0..100_000)).unwrap();
    shipper.start();
    assert!(shipper.says("the queue on disk is full, inputs wait", LIMIT), "{}", shipper.log());
    assert!(shipper.figure("queue_filled_bytes") <= 10_000_000);
    let queued = shipper.figure("queue_filled_events");
    assert!(queued > 10_000 && queued < 100_000, "{queued}");
    shipper.stop();
    shipper.start();
    assert_eq!(shipper.figure("queue_filled_events"), queued, "a stop does not wait for the output");
    server.set(Fault::None);
    expect(&server, &shipper, 100_000);
    assert_eq!(server.repeated(), 0);
    assert_eq!(shipper.wait_figure("queue_segments", |n| n <= 1), 1, "what is acknowledged is deleted");
    assert!(shipper.peak_kib() < 40 << 10, "{} KiB", shipper.peak_kib());
}

#[test]
fn a_full_disk_heals_by_itself() {
    let may = std::process::Command::new("unshare").args(["-rm", "true"]).status();
    if !may.is_ok_and(|status| status.success()) {
        eprintln!("NOT TESTED: this system does not let a test mount a small disk");
        return;
    }
    let server = Server::start();
    server.set(Fault::Unavailable);
    let mut shipper = Shipper::new(&server.address, QUEUE_AND_IDS);
    let folder = shipper.folder.path().join("data/diskqueue");
    std::fs::create_dir_all(&folder).unwrap();
    shipper.small_disk = Some((folder, 4));
    std::fs::write(shipper.logs().join("app.log"), lines("app", 0..60_000)).unwrap();
    shipper.start();
    assert!(shipper.says("the queue on disk can't be written, trying again", LIMIT), "{}", shipper.log());
    assert!(shipper.log().contains("No space left on device"), "{}", shipper.log());
    assert!(shipper.wait_figure("queue_write_failures_total", |n| n > 2) > 2);
    server.set(Fault::None);
    expect(&server, &shipper, 60_000);
    assert_eq!(server.repeated(), 0);
    assert_eq!(shipper.figure("queue_damaged_parts_total"), 0);
}

#[test]
fn damage_is_told_of_and_all_else_arrives() {
    let server = Server::start();
    server.set(Fault::Unavailable);
    let mut shipper = Shipper::new(&server.address, &format!("  bulk_max_size: 100\n{QUEUE_AND_IDS}"));
    std::fs::write(shipper.logs().join("app.log"), lines("app", 0..10_000)).unwrap();
    shipper.start();
    assert_eq!(shipper.wait_figure("queue_filled_events", |n| n >= 10_000), 10_000);
    shipper.kill();
    let segments = segments(&shipper);
    assert!(segments.len() > 1);
    let first = std::fs::File::options().write(true).open(&segments[0]).unwrap();
    first.write_all_at(b"damage", first.metadata().unwrap().len() / 2).unwrap();
    let last = std::fs::File::options().append(true).open(segments.last().unwrap()).unwrap();
    (&last).write_all(&[0; 1000]).unwrap();
    shipper.start();
    server.set(Fault::None);
    expect(&server, &shipper, 9_900);
    assert_eq!(shipper.wait_figure("queue_filled_events", |n| n == 0), 0);
    assert_eq!(shipper.figure("queue_damaged_parts_total"), 1);
    assert_eq!(shipper.figure("queue_lost_events_total"), 100);
    assert_eq!(shipper.figure("queue_torn_bytes_total"), 1000);
    let name = segments[0].file_name().unwrap().to_str().unwrap();
    let log = shipper.log();
    let damaged = log.lines().find(|line| line.contains("is damaged")).unwrap_or_else(|| panic!("{log}"));
    assert!(damaged.contains(name) && damaged.contains("\"events\":\"100\""), "{damaged}");
    assert!(log.contains("is torn and cut off"), "{log}");
}

#[test]
fn limits_may_change_and_a_queue_that_is_left_behind_is_not_forgotten() {
    let server = Server::start();
    server.set(Fault::Unavailable);
    let mut shipper = Shipper::new(&server.address, QUEUE_AND_IDS);
    shipper.configure("max_size: 10MB", "max_size: 20MB");
    std::fs::write(shipper.logs().join("app.log"), lines("app", 0..50_000)).unwrap();
    shipper.start();
    assert_eq!(shipper.wait_figure("queue_filled_events", |n| n >= 50_000), 50_000);
    shipper.stop();

    shipper.configure("max_size: 20MB", "max_size: 20MB, path: /nowhere/else");
    assert!(shipper.refusal().contains("still has events, and [queue.disk.path] does not name it any more"));
    shipper.configure("max_size: 20MB, path: /nowhere/else", "enabled: false, max_size: 20MB");
    assert!(shipper.refusal().contains("start with it until it is empty, or delete that folder"));
    shipper.configure("enabled: false, max_size: 20MB", "max_size: 10MB, segment_size: 2MB");
    std::fs::write(shipper.logs().join("more.log"), lines("more", 0..5_000)).unwrap();
    shipper.start();
    assert!(shipper.says("the queue on disk is full, inputs wait", LIMIT), "{}", shipper.log());
    assert_eq!(shipper.figure("queue_filled_events"), 50_000);
    server.set(Fault::None);
    expect(&server, &shipper, 55_000);
    assert_eq!(server.repeated(), 0);
    assert_eq!(shipper.wait_figure("queue_filled_events", |n| n == 0), 0);
    shipper.stop();

    shipper.configure("queue.disk:", "queue.mem: {bytes: 4MiB}\nqueue.disk: {enabled: false}\n#");
    std::fs::write(shipper.logs().join("last.log"), lines("last", 0..10)).unwrap();
    shipper.start();
    expect(&server, &shipper, 55_010);
}
