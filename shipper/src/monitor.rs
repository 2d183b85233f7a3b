//! Serves metrics over HTTP: `GET /metrics` in Prometheus' text format.

use crate::metrics;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::time::Duration;

/// A client that is slower is cut off: answers are a few kilobytes.
const CLIENT_MAX: Duration = Duration::from_secs(5);

/// Between tries to take a client.
const PAUSE: Duration = Duration::from_millis(500);

/// A request's head is never longer.
const HEAD_BYTES_MAX: u64 = 8 << 10;

/// Listens, in a thread of its own.
pub fn serve(address: &str) -> Result<(), String> {
    let listener = TcpListener::bind(address).map_err(|e| format!("[http.host], [http.port]: {address}: {e}"))?;
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            match stream {
                Ok(stream) => {
                    if let Err(e) = answer(&stream) {
                        metrics::debug("a client of the metrics went away", &[("reason", &e.to_string())]);
                    }
                }
                Err(e) => {
                    // Too many open files: it may come right.
                    metrics::debug("a client of the metrics can't be taken", &[("reason", &e.to_string())]);
                    std::thread::sleep(PAUSE);
                }
            }
        }
    });
    Ok(())
}

fn answer(mut stream: &TcpStream) -> std::io::Result<()> {
    stream.set_read_timeout(Some(CLIENT_MAX))?;
    stream.set_write_timeout(Some(CLIENT_MAX))?;
    let mut lines = BufReader::new(stream.take(HEAD_BYTES_MAX));
    let mut first = String::new();
    lines.read_line(&mut first)?;
    let mut line = String::new();
    while lines.read_line(&mut line)? > 2 {
        line.clear();
    }
    let (status, body) = match first.split(' ').collect::<Vec<_>>()[..] {
        ["GET", "/metrics", _] => ("200 OK", metrics::prometheus()),
        ["GET", "/", _] => ("200 OK", "GET /metrics\n".to_owned()),
        ["GET", ..] => ("404 Not Found", "GET /metrics\n".to_owned()),
        _ => ("405 Method Not Allowed", "GET /metrics\n".to_owned()),
    };
    write!(
        stream,
        "HTTP/1.1 {status}\r\ncontent-type: text/plain; version=0.0.4\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    )
}
