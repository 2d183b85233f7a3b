//! Answers that are no success and no reason to give events up.

#[allow(dead_code)] // what other tests need of it
mod support;

use std::fmt::Write;
use std::time::Duration;
use support::{Fault, Server, Shipper};

const LIMIT: Duration = Duration::from_mins(2);
const EVENTS: usize = 50;

fn events() -> String {
    (0..EVENTS).fold(String::new(), |mut text, n| {
        let _ = writeln!(text, "event {n}, {}", if n == 7 { "bad" } else { "good" });
        text
    })
}

fn shipper(server: &Server, extra: &str) -> Shipper {
    let shipper = Shipper::new(&server.address, extra);
    std::fs::write(shipper.logs().join("app.log"), events()).unwrap();
    shipper
}

#[test]
fn nothing_is_given_up_for_what_a_proxy_says_or_for_rights_that_are_missing() {
    for (fault, words) in [
        (Fault::Moved, "status 301 points to [https://elsewhere/]"),
        (Fault::BadPage, "status 400"),
        (Fault::Refuses, "status 400: on purpose"),
        (Fault::Denies, "security_exception"),
    ] {
        let server = Server::start();
        server.set(fault);
        let mut shipper = shipper(&server, "  deterministic_ids: true\n");
        shipper.start();
        assert!(shipper.says(words, LIMIT), "{fault:?}: {}", shipper.log());
        server.set(Fault::None);
        server.wait_for(EVENTS, LIMIT);
        assert_eq!((server.distinct(), server.repeated()), (EVENTS, 0), "{fault:?}: {}", shipper.log());
        assert!(!shipper.log().contains("refuses an event for good"), "{fault:?}: {}", shipper.log());
    }
}

#[test]
fn a_host_that_is_away_holds_nobody_up() {
    let server = Server::start();
    let hosts = format!("http://{}', '{}", support::free_address(), server.address);
    let mut shipper = Shipper::new(&hosts, "  worker: 1\n  bulk_max_size: 5\n");
    shipper.configure("backoff: {init: 20ms, max: 100ms}\n  timeout", "backoff: {init: 1h, max: 1h}\n  timeout");
    std::fs::write(shipper.logs().join("app.log"), events()).unwrap();
    shipper.start();
    server.wait_for(EVENTS, LIMIT);
    assert_eq!((server.distinct(), server.repeated()), (EVENTS, 0), "{}", shipper.log());
    assert!(shipper.log().contains("does not take events"), "the other was asked: {}", shipper.log());
}

#[test]
fn a_page_with_the_status_of_a_success_is_none() {
    let server = Server::start();
    server.set(Fault::GoodPage);
    let mut shipper = shipper(&server, "");
    shipper.start();
    assert!(shipper.says("the answer is none of _bulk", LIMIT), "{}", shipper.log());
    server.set(Fault::Refuses); // which may be a setting, because nothing was taken yet
    assert!(shipper.says("status 400: on purpose", LIMIT), "{}", shipper.log());
    server.set(Fault::None);
    server.wait_for(EVENTS, LIMIT);
    assert_eq!((server.distinct(), server.repeated()), (EVENTS, 0), "{}", shipper.log());
    assert!(!shipper.log().contains("refuses an event for good"), "{}", shipper.log());
}

#[test]
fn an_event_for_which_requests_are_refused_is_given_up_alone() {
    let server = Server::start();
    server.set(Fault::Chokes);
    let mut shipper = shipper(&server, "  worker: 1\n");
    shipper.start();
    server.wait_for(EVENTS - 1, LIMIT);
    assert!(shipper.says("refuses an event for good", LIMIT), "{}", shipper.log());
    assert_eq!((server.distinct(), server.repeated()), (EVENTS - 1, 0), "{}", shipper.log());
    assert_eq!(shipper.log().matches("refuses an event for good").count(), 1, "{}", shipper.log());
}

#[test]
fn an_answer_that_is_too_long_to_be_read_is_not_asked_for_again_and_again() {
    let server = Server::start();
    server.set(Fault::Floods);
    let mut shipper = shipper(&server, "  worker: 1\n  deterministic_ids: true\n");
    shipper.start();
    let acked = shipper.wait_figure("output_events_acked_total", |events| events >= EVENTS as u64);
    assert_eq!((acked, server.distinct(), server.repeated()), (EVENTS as u64, EVENTS, 0), "{}", shipper.log());
}

#[test]
fn one_event_that_is_too_large_holds_nothing_up() {
    let server = Server::start();
    server.set(Fault::TooLarge);
    let mut shipper = shipper(&server, "  worker: 1\n  bulk_max_size: 1\n");
    shipper.start();
    assert!(shipper.says("refuses an event for good", LIMIT), "{}", shipper.log());
    server.set(Fault::None);
    std::fs::write(shipper.logs().join("new.log"), "another\n").unwrap();
    assert!(shipper.wait_figure("output_events_acked_total", |events| events > 0) > 0, "{}", shipper.log());
}

#[test]
fn a_dead_letter_waits_until_it_is_taken_and_goes_through_no_pipeline() {
    let server = Server::start();
    server.set(Fault::Picky);
    let mut shipper = shipper(&server, "  pipeline: picky\n  dead_letter_index.index: dead\n");
    shipper.start();
    server.wait_for(EVENTS, LIMIT);
    // One of them as the text of a dead letter.
    assert_eq!(server.distinct(), EVENTS, "{}", shipper.log());
    let taken = server.taken.lock().unwrap();
    assert_eq!(taken.letters.len(), 3);
    assert!(taken.letters.iter().all(|action| action["create"]["pipeline"] == "_none"), "{:?}", taken.letters);
    assert_eq!(taken.messages.keys().filter(|message| message.contains("bad")).count(), 1);
}

#[test]
fn what_is_refused_is_in_the_file_of_dead_letters() {
    let server = Server::start();
    server.set(Fault::Picky);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("dead.ndjson");
    let mut shipper = shipper(&server, &format!("  dead_letter_file: '{}'\n", path.display()));
    shipper.start();
    server.wait_for(EVENTS - 1, LIMIT);
    let letters = shipper.wait_figure("output_events_dead_letter_total", |letters| letters > 0);
    assert_eq!((letters, server.distinct()), (1, EVENTS - 1), "{}", shipper.log());
    assert_eq!(shipper.figure("output_events_dropped_total"), 0);
    let text = std::fs::read_to_string(path).unwrap();
    assert_eq!(text.lines().count(), 1, "{text}");
    assert!(text.contains("event 7, bad") && text.contains("mapper: bad"), "{text}");
}

#[test]
fn a_file_of_dead_letters_that_is_none_is_said_at_the_start() {
    let mut shipper = Shipper::new("http://127.0.0.1:9", "  dead_letter_file: /dev/null\n");
    shipper.start();
    assert!(shipper.says("[/dev/null] is no regular file", LIMIT), "{}", shipper.log());
}

#[test]
fn every_signal_that_ends_it_does_so_in_good_order() {
    for signal in ["-HUP", "-INT", "-TERM"] {
        let server = Server::start();
        let mut shipper = shipper(&server, "");
        shipper.start();
        server.wait_for(EVENTS, LIMIT);
        shipper.stop_with(signal);
        shipper.start();
        std::fs::write(shipper.logs().join("new.log"), "another\n").unwrap();
        server.wait_for(EVENTS + 1, LIMIT);
        assert_eq!((server.distinct(), server.repeated()), (EVENTS + 1, 0), "{signal}: {}", shipper.log());
    }
}

#[test]
fn a_terminal_that_closes_does_not_end_what_was_started_to_go_on() {
    let server = Server::start();
    let mut shipper = shipper(&server, "");
    shipper.before = Some("trap '' HUP"); // as nohup does
    shipper.start();
    server.wait_for(EVENTS, LIMIT);
    shipper.signal("-HUP");
    std::fs::write(shipper.logs().join("new.log"), "another\n").unwrap();
    server.wait_for(EVENTS + 1, LIMIT);
    assert_eq!(server.distinct(), EVENTS + 1, "{}", shipper.log());
    shipper.stop();
}

#[test]
fn dead_letters_that_are_denied_wait_for_rights_too() {
    let server = Server::start();
    server.set(Fault::Denies);
    let mut shipper = shipper(&server, "  dead_letter_index.index: dead\n");
    shipper.start();
    assert!(shipper.says("a dead letter is not taken, trying again", LIMIT), "{}", shipper.log());
    server.set(Fault::None);
    server.wait_for(EVENTS, LIMIT);
    assert_eq!((server.distinct(), server.repeated()), (EVENTS, 0), "{}", shipper.log());
    assert!(!shipper.log().contains("refuses an event for good"), "{}", shipper.log());
}
