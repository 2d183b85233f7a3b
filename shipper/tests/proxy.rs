//! Proxies between the shipper and its server.

#[allow(dead_code, unused_imports)] // what other tests need of it
mod support;

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::time::Duration;
use support::{Server, Shipper};

const LIMIT: Duration = Duration::from_mins(1);

/// A proxy that has one server behind it, whatever it is asked for.
fn proxy(server: &Server) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let behind = server.address.trim_start_matches("http://").to_owned();
    std::thread::spawn(move || {
        for mut client in listener.incoming().flatten() {
            let mut head = BufReader::new(client.try_clone().unwrap());
            let mut line = String::new();
            while head.read_line(&mut line).is_ok_and(|bytes| bytes > 2) {
                line.clear();
            }
            let mut server = TcpStream::connect(&behind).unwrap();
            client.write_all(b"HTTP/1.1 200 OK\r\n\r\n").unwrap();
            let (mut answers, mut to) = (server.try_clone().unwrap(), client);
            std::thread::spawn(move || std::io::copy(&mut answers, &mut to));
            std::thread::spawn(move || std::io::copy(&mut head, &mut server));
        }
    });
    format!("http://{address}")
}

#[test]
fn a_server_that_is_behind_a_proxy_is_reached_through_it() {
    let server = Server::start();
    let mut shipper = Shipper::new("http://search.invalid:9200", &format!("  proxy_url: '{}'\n", proxy(&server)));
    std::fs::write(shipper.logs().join("app.log"), "one\n").unwrap();
    shipper.start();
    server.wait_for(1, LIMIT);
    assert_eq!(server.distinct(), 1, "{}", shipper.log());
}

#[test]
fn a_server_on_this_machine_is_reached_whatever_proxies_there_are() {
    let server = Server::start();
    let mut shipper = Shipper::new(&server.address, "");
    shipper.before = Some("export HTTP_PROXY=http://127.0.0.1:1 HTTPS_PROXY=http://127.0.0.1:1 NO_PROXY=");
    std::fs::write(shipper.logs().join("app.log"), "one\n").unwrap();
    shipper.start();
    server.wait_for(1, LIMIT);
    assert_eq!(server.distinct(), 1, "{}", shipper.log());
}
