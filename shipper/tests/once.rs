//! `--once`: what is there is shipped, all of it, and the exit status says whether it was.

#[allow(dead_code, unused_imports)] // what other tests need of it
mod support;

use std::io::Write;
use std::time::Duration;
use support::{Fault, Server, Shipper};

const LIMIT: Duration = Duration::from_mins(1);

fn shipper(server: &Server, more: &str, extra: &str) -> Shipper {
    let inputs = |root: &str| format!("filebeat.inputs:\n- id: a\n  paths: ['{root}/logs/*']\n{more}");
    Shipper::with(&server.address, &inputs, extra)
}

#[test]
fn files_that_wait_for_others_and_lines_that_wait_to_be_joined_are_shipped() {
    let server = Server::start();
    let more = "  harvester_limit: 1\n  parsers: [{multiline: {pattern: '^ ', match: after, timeout: 1h}}]\n";
    let mut shipper = shipper(&server, more, "");
    for name in ["a", "b", "c"] {
        std::fs::write(shipper.logs().join(name), format!("{name} begins\n and goes on\n")).unwrap();
    }
    shipper.start_once();
    assert!(shipper.ends_well(), "{}", shipper.log());
    assert_eq!((server.distinct(), server.repeated()), (3, 0), "{}", shipper.log());
    shipper.start_once();
    assert!(shipper.ends_well(), "{}", shipper.log());
    assert_eq!((server.distinct(), server.repeated()), (3, 0), "{}", shipper.log());
}

#[test]
fn short_files_that_begin_the_same_are_shipped() {
    let server = Server::start();
    let mut shipper = shipper(&server, "", "");
    std::fs::write(shipper.logs().join("a"), "started\n").unwrap();
    std::fs::write(shipper.logs().join("b"), "started\nand more\n").unwrap();
    shipper.start_once();
    assert!(shipper.ends_well(), "{}", shipper.log());
    let taken = server.taken.lock().unwrap();
    assert_eq!((taken.messages["started"], taken.messages["and more"]), (2, 1), "{}", shipper.log());
}

#[test]
fn the_exit_status_says_whether_all_was_shipped() {
    let server = Server::start();
    let mut shipper = shipper(&server, "", "filebeat.shutdown_timeout: 100ms\n");
    std::fs::write(shipper.logs().join("a"), "one\ntwo, bad\n").unwrap();
    server.set(Fault::Unavailable);
    shipper.start_once();
    assert!(shipper.says("the output does not take events", LIMIT), "{}", shipper.log());
    shipper.signal("-TERM");
    assert!(!shipper.ends_well(), "{}", shipper.log());
    assert!(shipper.log().contains("told to stop before all"), "{}", shipper.log());
    server.set(Fault::Picky);
    shipper.start_once();
    assert!(!shipper.ends_well(), "{}", shipper.log());
    assert!(shipper.log().contains("1 events were refused"), "{}", shipper.log());
    assert_eq!(server.distinct(), 1, "{}", shipper.log());
}

#[test]
fn an_archive_that_is_damaged_or_breaks_off_is_no_success() {
    let archive = |text: &str| {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(text.as_bytes()).unwrap();
        encoder.finish().unwrap()
    };
    let server = Server::start();
    let mut shipper = shipper(&server, "", "");
    let write = |shipper: &Shipper, name: &str, times: usize, change: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = archive(&format!("{name} {times}\n").repeat(times));
        change(&mut bytes);
        std::fs::write(shipper.logs().join(format!("{name}{times}.gz")), bytes).unwrap();
    };
    // Nothing, less than a file is known by, and more.
    for times in [0, 1, 1000] {
        write(&shipper, "sound", times, &|_| {});
    }
    shipper.start_once();
    assert!(shipper.ends_well(), "{}", shipper.log());
    for times in [0, 1, 1000] {
        write(&shipper, "short", times, &|bytes| bytes.truncate(bytes.len() - 3));
        write(&shipper, "damaged", times, &|bytes| *bytes.last_mut().unwrap() ^= 1);
    }
    for runs in 1..=2 {
        shipper.start_once();
        assert!(!shipper.ends_well(), "{}", shipper.log());
        let told = shipper.log().matches("6 files could not be read to their ends").count();
        assert_eq!(told, runs, "{}", shipper.log());
    }
}

#[test]
fn a_file_that_is_not_read_is_no_success() {
    let server = Server::start();
    let mut shipper = shipper(&server, "  file_identity.fingerprint.growing: false\n", "");
    std::fs::write(shipper.logs().join("a"), "short\n").unwrap();
    shipper.start_once();
    assert!(!shipper.ends_well(), "{}", shipper.log());
    assert!(shipper.log().contains("1 files could not be read"), "{}", shipper.log());
}

#[test]
fn a_registry_that_was_emptied_is_told_of() {
    let server = Server::start();
    let mut shipper = shipper(&server, "", "");
    std::fs::write(shipper.logs().join("a"), "one\n").unwrap();
    let registry = shipper.folder.path().join("data").join("registry").join("registry.log");
    let told = |shipper: &Shipper| shipper.log().matches("the registry is empty").count();
    for times in [0, 1] {
        shipper.start_once();
        assert!(shipper.ends_well(), "{}", shipper.log());
        assert_eq!((server.repeated(), told(&shipper)), (times, times), "{}", shipper.log());
        // As a full disk leaves it, or somebody who wanted its room.
        std::fs::File::options().write(true).open(&registry).unwrap().set_len(0).unwrap();
    }
}
