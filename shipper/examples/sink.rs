//! Takes `_bulk` and says yes: what is left of the time is the shipper's own.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;

fn main() {
    let port = std::env::args().nth(1).unwrap_or_else(|| "29200".into());
    let listener = TcpListener::bind(format!("127.0.0.1:{port}")).expect("the port is free");
    for stream in listener.incoming().flatten() {
        std::thread::spawn(move || {
            let mut input = BufReader::new(&stream);
            let mut body = Vec::new();
            loop {
                let mut length = 0;
                let mut line = String::new();
                while input.read_line(&mut line).is_ok_and(|n| n > 2) {
                    if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                        length = value.trim().parse().unwrap_or(0);
                    }
                    line.clear();
                }
                body.resize(length, 0);
                if line.is_empty() || input.read_exact(&mut body).is_err() {
                    return;
                }
                let answer = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 16\r\n\r\n{\"errors\":false}";
                if (&stream).write_all(answer).is_err() {
                    return;
                }
            }
        });
    }
}
