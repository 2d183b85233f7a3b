//! Inputs that are no files, and inputs that come and go while the program runs.

#[allow(dead_code, unused_imports)] // what other tests need of it
mod support;

use std::fmt::Write as _;
use std::io::{Read, Write};
use std::net::{TcpListener, UdpSocket};
use std::path::Path;
use std::time::Duration;
use support::{Fault, Server, Shipper, connect, files, free_address};

const LIMIT: Duration = Duration::from_mins(1);

fn lines(name: &str, range: std::ops::Range<usize>) -> String {
    range.fold(String::new(), |mut text, n| {
        let _ = writeln!(text, "{name} {n}");
        text
    })
}

fn expect(server: &Server, shipper: &Shipper, distinct: usize) {
    server.wait_for(distinct, LIMIT);
    assert_eq!(server.distinct(), distinct, "{}", shipper.log());
}

#[test]
fn lines_of_standard_input_arrive_once_though_the_server_is_away() {
    let server = Server::start();
    server.set(Fault::Unavailable);
    let mut shipper =
        Shipper::with(&server.address, &|_| "filebeat.inputs: [{type: stdin}]\n".into(), "  deterministic_ids: true\n");
    let mut input = shipper.start_with_input();
    input.write_all(lines("in", 0..5000).as_bytes()).unwrap();
    std::thread::sleep(Duration::from_millis(300));
    server.set(Fault::LosesAnswers);
    std::thread::sleep(Duration::from_millis(300));
    server.set(Fault::None);
    expect(&server, &shipper, 5000);
    input.write_all(b"the last has no end").unwrap();
    drop(input);
    expect(&server, &shipper, 5001);
    assert_eq!(server.repeated(), 0);
    shipper.stop();
}

#[test]
fn syslog_over_tcp_is_read_in_both_framings_and_limits_hold() {
    let server = Server::start();
    let address = free_address();
    let inputs = |_: &str| {
        format!(
            "filebeat.inputs: [{{type: syslog, protocol.tcp: {{host: '{address}', framing: rfc6587, max_connections: 2, timeout: 1s, max_message_size: 2KiB}}}}]\n"
        )
    };
    let mut shipper = Shipper::with(&server.address, &inputs, "");
    shipper.start();
    let mut counted = connect(&address);
    let message = "<34>1 2026-11-25T10:00:00.5Z far su 77 ID1 - first\nsecond line";
    counted.write_all(format!("{} {message}", message.len()).as_bytes()).unwrap();
    expect(&server, &shipper, 1);
    {
        let taken = server.taken.lock().unwrap();
        assert_eq!(taken.last["message"], "first\nsecond line");
        assert_eq!(taken.last["@timestamp"], "2026-11-25T10:00:00.500Z");
        assert_eq!(taken.last["host"]["name"], "far");
        assert_eq!(taken.last["input"]["type"], "syslog");
        assert_eq!(taken.last["syslog"]["facility"], 4);
        assert!(taken.last["log"]["source"]["address"].as_str().unwrap().starts_with("127.0.0.1:"));
        assert!(taken.last["log"].get("file").is_none());
    }
    let mut plain = connect(&address);
    plain.write_all(b"<13>Nov 25 10:00:00 near cron[9]: third\n<13>Nov 25 10:00:00 near cron[9]: ").unwrap();
    expect(&server, &shipper, 2);
    let mut refused = connect(&address);
    assert_eq!(refused.read(&mut [0]).unwrap_or(0), 0, "a third connection is closed");
    plain.write_all(&[b'x'; 5000]).unwrap();
    plain.write_all(b"\n<13>Nov 25 10:00:00 near cron[9]: fourth\n").unwrap();
    expect(&server, &shipper, 4);
    assert!(server.taken.lock().unwrap().messages.contains_key("fourth"), "what follows a long one is whole");
    // Both say nothing for a second.
    assert_eq!(plain.read(&mut [0]).unwrap(), 0, "an idle connection is closed");
    assert_eq!(counted.read(&mut [0]).unwrap(), 0);
    let mut again = connect(&address);
    again.write_all(b"after all that").unwrap();
    drop(again);
    expect(&server, &shipper, 5);
    assert!(shipper.log().contains("[max_connections] are open"), "{}", shipper.log());
    shipper.stop();
}

#[test]
fn lines_over_tcp_wait_while_the_server_is_away_and_none_is_lost() {
    let server = Server::start();
    let address = free_address();
    let inputs = |_: &str| format!("filebeat.inputs: [{{type: tcp, host: '{address}'}}]\n");
    let mut shipper = Shipper::with(&server.address, &inputs, "  deterministic_ids: true\n");
    shipper.start();
    server.set(Fault::Unavailable);
    let senders: Vec<_> = (0..4)
        .map(|n| {
            let mut stream = connect(&address);
            std::thread::spawn(move || {
                stream.write_all(lines(&format!("{n} {}", "y".repeat(300)), 0..20_000).as_bytes())
            })
        })
        .collect();
    std::thread::sleep(Duration::from_secs(1));
    server.set(Fault::None);
    for sender in senders {
        sender.join().unwrap().unwrap();
    }
    expect(&server, &shipper, 80_000);
    assert_eq!(server.repeated(), 0);
    assert!(shipper.peak_kib() < 60 << 10, "{} KiB", shipper.peak_kib());
    shipper.stop();
}

#[test]
fn datagrams_arrive_and_long_ones_are_cut() {
    let server = Server::start();
    let address = UdpSocket::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let inputs = |_: &str| format!("filebeat.inputs: [{{type: udp, host: '{address}', max_message_size: 1KiB}}]\n");
    let mut shipper = Shipper::with(&server.address, &inputs, "");
    shipper.start();
    let sender = UdpSocket::bind("127.0.0.1:0").unwrap();
    let until = std::time::Instant::now() + LIMIT;
    while server.distinct() == 0 && std::time::Instant::now() < until {
        sender.send_to(b"one\n", address).unwrap_or(0); // refused until it listens
        std::thread::sleep(Duration::from_millis(50));
    }
    sender.send_to(&[b'z'; 3000], address).unwrap();
    expect(&server, &shipper, 2);
    let taken = server.taken.lock().unwrap();
    assert!(taken.messages.contains_key("one") && taken.messages.contains_key(&"z".repeat(1024)));
    assert_eq!(taken.last["log"]["flags"], serde_json::json!(["truncated"]));
    drop(taken);
    shipper.stop();
}

#[test]
fn an_address_that_is_taken_is_said_at_the_start() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap();
    let inputs = |_: &str| format!("filebeat.inputs: [{{type: tcp, host: '{address}'}}]\n");
    let mut shipper = Shipper::with("http://127.0.0.1:9", &inputs, "");
    shipper.start();
    assert!(shipper.says("can't listen on", LIMIT), "{}", shipper.log());
}

/// A journal as systemd writes it, of 300 entries with a binary one among them.
fn journal(folder: &Path) -> String {
    let bytes = zstd::decode_all(&include_bytes!("data/journal.zst")[..]).unwrap();
    let path = folder.join("test.journal");
    std::fs::write(&path, bytes).unwrap();
    path.display().to_string()
}

#[test]
fn a_journal_is_read_and_a_restart_goes_on_behind_its_cursor() {
    if std::process::Command::new("journalctl").arg("--version").output().is_err() {
        eprintln!("not tried: there is no journalctl");
        return;
    }
    let server = Server::start();
    let inputs = |root: &str| {
        format!(
            "filebeat.inputs: [{{type: journald, id: j, paths: ['{}'], syslog_identifiers: [shipper-test]}}]\n",
            journal(Path::new(root))
        )
    };
    let mut shipper = Shipper::with(&server.address, &inputs, "  bulk_max_size: 20\n  deterministic_ids: true\n");
    server.set(Fault::Throttles);
    shipper.start();
    server.wait_for(50, LIMIT);
    shipper.kill();
    server.set(Fault::None);
    shipper.start();
    expect(&server, &shipper, 300);
    assert_eq!(server.repeated(), 0, "ids are made of cursors");
    std::thread::sleep(Duration::from_millis(300));
    shipper.stop();
    let events = server.taken.lock().unwrap().events;
    shipper.start();
    std::thread::sleep(Duration::from_secs(1));
    assert_eq!(server.taken.lock().unwrap().events, events, "nothing is sent again");
    shipper.stop();
    let taken = server.taken.lock().unwrap();
    assert_eq!(taken.last["input"]["type"], "journald");
    assert_eq!(taken.last["syslog"]["identifier"], "shipper-test");
    assert!(taken.messages.contains_key("binary \u{fffd}\u{fffd} entry\nwith a line end"));
}

#[test]
fn a_journalctl_that_complains_a_lot_is_read_on() {
    let server = Server::start();
    let inputs = |root: &str| {
        let program = format!("{root}/journalctl");
        let script = "#!/bin/sh\n[ \"$1\" = --version ] && exit\n\
             i=0; while [ $i -lt 4000 ]; do echo 'a complaint of some forty characters, again' >&2; i=$((i+1)); done\n\
             echo '{\"__CURSOR\":\"s=a;i=1\",\"MESSAGE\":\"behind it\",\"__REALTIME_TIMESTAMP\":\"1\"}'\nexec sleep 600\n";
        std::fs::write(&program, script).unwrap();
        std::fs::set_permissions(&program, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
        format!("filebeat.inputs: [{{type: journald, id: j, journalctl_path: '{program}'}}]\n")
    };
    let mut shipper = Shipper::with(&server.address, &inputs, "");
    shipper.start();
    expect(&server, &shipper, 1);
    shipper.stop();
}

#[test]
fn a_journalctl_that_leaves_a_child_behind_is_not_waited_for() {
    let server = Server::start();
    let inputs = |root: &str| {
        let program = format!("{root}/journalctl");
        let script = format!(
            "#!/bin/sh\n[ \"$1\" = --version ] && exit\n\
             if [ ! -e '{root}/child' ]; then sleep 600 >/dev/null & echo $! >'{root}/child'; exit 1; fi\n\
             kill $(cat '{root}/child')\n\
             echo '{{\"__CURSOR\":\"s=a;i=1\",\"MESSAGE\":\"behind it\",\"__REALTIME_TIMESTAMP\":\"1\"}}'\nexec sleep 600\n"
        );
        std::fs::write(&program, script).unwrap();
        std::fs::set_permissions(&program, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
        format!("filebeat.inputs: [{{type: journald, id: j, journalctl_path: '{program}'}}]\n")
    };
    let mut shipper = Shipper::with(&server.address, &inputs, "");
    shipper.start();
    expect(&server, &shipper, 1);
    shipper.stop();
}

#[test]
fn inputs_come_and_go_with_their_files() {
    let server = Server::start();
    let inputs = |root: &str| {
        std::fs::create_dir(format!("{root}/inputs")).unwrap();
        "filebeat.config.inputs: {path: 'inputs/*.yml', reload: {enabled: true, period: 100ms}}\n".into()
    };
    let mut shipper = Shipper::with(&server.address, &inputs, "");
    let root = shipper.folder.path().to_owned();
    let of = |name: &str| files(name, &format!("{}/logs/{name}*", root.display()));
    let config = |name: &str| root.join("inputs").join(name);
    let append = |name: &str, text: &str| {
        let mut file =
            std::fs::OpenOptions::new().append(true).create(true).open(root.join("logs").join(name)).unwrap();
        file.write_all(text.as_bytes()).unwrap();
    };
    append("a.log", &lines("a", 0..100));
    append("b.log", &lines("b", 0..100));
    shipper.start();
    std::fs::write(config("one.yml"), of("a")).unwrap();
    expect(&server, &shipper, 100);
    // A file that is wrong changes nothing, and is told of.
    std::fs::write(config("one.yml"), "- type: filestream\n  pathz: [/x]\n").unwrap();
    std::fs::write(config("two.yml"), of("b")).unwrap();
    expect(&server, &shipper, 200);
    assert!(shipper.says("unknown setting", LIMIT), "{}", shipper.log());
    append("a.log", &lines("a", 100..110));
    expect(&server, &shipper, 210);
    // An input that changes goes on where it was.
    std::fs::write(config("one.yml"), of("a") + "  tags: [changed]\n  buffer_size: 1\n").unwrap();
    std::thread::sleep(Duration::from_millis(600));
    append("a.log", "after the change\n");
    expect(&server, &shipper, 211);
    assert_eq!(server.taken.lock().unwrap().last["tags"], serde_json::json!(["changed"]));
    assert!(shipper.log().contains("buffer_size] has no effect here"), "{}", shipper.log());
    // An input whose file is gone reads no more; another with its id in use is refused.
    std::fs::remove_file(config("two.yml")).unwrap();
    std::fs::write(config("three.yml"), of("a").replace("logs/a", "logs/c")).unwrap();
    assert!(shipper.says("an input with the id [a] is at work", LIMIT), "{}", shipper.log());
    append("b.log", "nobody reads this\n");
    std::thread::sleep(Duration::from_millis(600));
    assert_eq!((server.distinct(), server.repeated()), (211, 0), "{}", shipper.log());
    shipper.stop();
}
