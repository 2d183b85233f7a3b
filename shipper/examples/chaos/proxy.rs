//! Stands between the shipper and the node and fails as networks do: it refuses, breaks off, loses
//! answers to requests that arrived. What a request without an answer may repeat is counted.

use flate2::read::GzDecoder;
use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// What goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    None,
    /// Connections are closed as soon as they say something.
    Refused,
    /// 503 to everything.
    Unavailable,
    /// 429 to everything.
    TooMany,
    /// The request breaks off: the node never has it.
    HalfRequest,
    /// The node has it, the answer never comes.
    NoAnswer,
    /// The node has it, half of the answer comes.
    HalfAnswer,
    /// Everything takes a while.
    Slow,
}

pub const FAULTS: &[Fault] = &[
    Fault::Refused,
    Fault::Unavailable,
    Fault::TooMany,
    Fault::HalfRequest,
    Fault::NoAnswer,
    Fault::HalfAnswer,
    Fault::Slow,
];

/// A proxy of one node.
pub struct Proxy {
    pub address: String,
    shared: Arc<Shared>,
}

struct Shared {
    node: String,
    fault: Mutex<Fault>,
    /// Events of requests that arrived and were not answered whole.
    unanswered: AtomicU64,
    /// Hashes of messages in requests that the node answered with success, and whose answer was
    /// handed on.
    acknowledged: Mutex<BTreeSet<u64>>,
    is_over: AtomicBool,
    agent: ureq::Agent,
}

impl Proxy {
    pub fn start(node: &str) -> Proxy {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
        let address = format!("http://{}", listener.local_addr().expect("it is bound"));
        let agent = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .timeout_global(Some(Duration::from_mins(1)))
            .build()
            .into();
        let shared = Arc::new(Shared {
            node: node.to_owned(),
            fault: Mutex::new(Fault::None),
            unanswered: AtomicU64::new(0),
            acknowledged: Mutex::default(),
            is_over: AtomicBool::new(false),
            agent,
        });
        let of_listener = Arc::clone(&shared);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                if of_listener.is_over.load(Relaxed) {
                    return;
                }
                let shared = Arc::clone(&of_listener);
                std::thread::spawn(move || shared.connection(&stream));
            }
        });
        Proxy { address, shared }
    }

    pub fn set(&self, fault: Fault) {
        *self.shared.fault.lock().expect("a flag") = fault;
    }

    /// Events that may be there although the shipper was not told so.
    pub fn unanswered(&self) -> u64 {
        self.shared.unanswered.load(Relaxed)
    }

    /// Whether the shipper was told that the node has a message.
    pub fn is_acknowledged(&self, message: &str) -> bool {
        self.shared.acknowledged.lock().expect("a set").contains(&hash(message))
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.shared.is_over.store(true, Relaxed);
        let _ = TcpStream::connect(self.address.trim_start_matches("http://"));
    }
}

struct Request {
    method: String,
    path: String,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
}

impl Shared {
    fn connection(&self, stream: &TcpStream) {
        let mut input = BufReader::new(stream);
        loop {
            let Some(request) = read(&mut input) else { return };
            let fault = *self.fault.lock().expect("a flag");
            match fault {
                Fault::Refused | Fault::HalfRequest => return,
                Fault::Unavailable => answer(stream, 503, br#"{"error":{"reason":"on purpose"}}"#),
                Fault::TooMany => answer(stream, 429, br#"{"error":{"reason":"on purpose"}}"#),
                Fault::Slow => {
                    std::thread::sleep(Duration::from_millis(150));
                    self.forward(stream, &request);
                }
                Fault::None => self.forward(stream, &request),
                Fault::NoAnswer | Fault::HalfAnswer => {
                    self.unanswered.fetch_add(messages(&request).len() as u64, Relaxed);
                    if let Ok((_, body)) = self.ask(&request)
                        && fault == Fault::HalfAnswer
                    {
                        let mut stream = stream;
                        let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n", body.len());
                        let _ = stream.write_all(head.as_bytes());
                        let _ = stream.write_all(&body[..body.len() / 2]);
                    }
                    return;
                }
            }
        }
    }

    fn forward(&self, stream: &TcpStream, request: &Request) {
        if let Ok((status, body)) = self.ask(request) {
            // Errors of items keep it from being counted: what it says of them is not looked at.
            if status == 200 && body.starts_with(br#"{"errors":false"#) {
                let mut set = self.acknowledged.lock().expect("a set");
                set.extend(messages(request).iter().map(|m| hash(m)));
            }
            answer(stream, status, &body);
        } else {
            // The node is killed, perhaps after it had taken the request.
            self.unanswered.fetch_add(messages(request).len() as u64, Relaxed);
            let _ = stream.shutdown(std::net::Shutdown::Both);
        }
    }

    fn ask(&self, request: &Request) -> Result<(u16, Vec<u8>), ureq::Error> {
        let url = format!("{}{}", self.node, request.path);
        let mut response = if request.method == "GET" {
            self.agent.get(url).call()?
        } else {
            let mut post = self.agent.post(url);
            for (name, value) in request.headers.iter().filter(|(name, _)| name.starts_with("content-")) {
                if name != "content-length" {
                    post = post.header(name, value);
                }
            }
            post.send(&request.body[..])?
        };
        let body = response.body_mut().with_config().limit(64 << 20).read_to_vec()?;
        Ok((response.status().as_u16(), body))
    }
}

fn hash(message: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    message.hash(&mut hasher);
    hasher.finish()
}

/// Messages of a bulk request.
fn messages(request: &Request) -> Vec<String> {
    let mut plain = Vec::new();
    let is_gzip = request.headers.iter().any(|(name, value)| name == "content-encoding" && value == "gzip");
    let body = if is_gzip && GzDecoder::new(&request.body[..]).read_to_end(&mut plain).is_ok() {
        &plain
    } else {
        &request.body
    };
    body.split(|b| *b == b'\n')
        .skip(1)
        .step_by(2)
        .filter_map(|line| {
            let document: serde_json::Value = serde_json::from_slice(line).ok()?;
            Some(document.get("message")?.as_str()?.to_owned())
        })
        .collect()
}

fn read(input: &mut impl BufRead) -> Option<Request> {
    let mut first = String::new();
    input.read_line(&mut first).ok().filter(|n| *n > 0)?;
    let mut words = first.split(' ');
    let (method, path) = (words.next()?.to_owned(), words.next()?.to_owned());
    let mut headers = Vec::new();
    let mut length = 0;
    loop {
        let mut line = String::new();
        input.read_line(&mut line).ok().filter(|n| *n > 0)?;
        let line = line.trim();
        if line.is_empty() {
            break;
        }
        let (name, value) = line.split_once(':')?;
        let (name, value) = (name.to_ascii_lowercase(), value.trim().to_owned());
        if name == "content-length" {
            length = value.parse().ok()?;
        }
        headers.push((name, value));
    }
    let mut body = vec![0; length];
    input.read_exact(&mut body).ok()?;
    Some(Request { method, path, headers, body })
}

fn answer(mut stream: &TcpStream, status: u16, body: &[u8]) {
    let head =
        format!("HTTP/1.1 {status} X\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n", body.len());
    let _ = stream.write_all(&[head.as_bytes(), body].concat());
}
