//! A server that takes `_bulk`, with faults, and the shipper as a process.

use flate2::read::GzDecoder;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// What the server does wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    None,
    /// 503 to everything.
    Unavailable,
    /// Takes a request and answers nothing.
    LosesAnswers,
    /// 429 to every third event.
    Throttles,
    /// Some hundred bytes for each event of the answer.
    Verbose,
    /// 415 to bodies that are zstd.
    KnowsNoZstd,
}

#[derive(Default)]
pub struct Taken {
    /// The last document.
    pub last: Value,
    /// How often each message came.
    pub messages: BTreeMap<String, u32>,
    /// By id, for a server that knows ids.
    pub ids: BTreeMap<String, u32>,
    pub events: u64,
    pub zstd_bodies: u64,
    /// Paths of requests that are none to `_bulk`, until the first that is.
    pub before: Vec<String>,
}

pub struct Server {
    pub address: String,
    pub taken: Arc<Mutex<Taken>>,
    pub fault: Arc<Mutex<Fault>>,
}

impl Server {
    pub fn start() -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let taken = Arc::new(Mutex::new(Taken::default()));
        let fault = Arc::new(Mutex::new(Fault::None));
        let server = Server { address, taken: Arc::clone(&taken), fault: Arc::clone(&fault) };
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (taken, fault) = (Arc::clone(&taken), Arc::clone(&fault));
                std::thread::spawn(move || connection(&stream, &taken, &fault));
            }
        });
        server
    }

    pub fn set(&self, fault: Fault) {
        *self.fault.lock().unwrap() = fault;
    }

    /// Distinct messages.
    pub fn distinct(&self) -> usize {
        self.taken.lock().unwrap().messages.len()
    }

    /// Waits until so many distinct messages came.
    pub fn wait_for(&self, distinct: usize, limit: Duration) {
        let until = Instant::now() + limit;
        while self.distinct() < distinct && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Messages that came more than once.
    pub fn repeated(&self) -> usize {
        self.taken.lock().unwrap().messages.values().filter(|n| **n > 1).count()
    }
}

fn connection(stream: &TcpStream, taken: &Mutex<Taken>, fault: &Mutex<Fault>) {
    let mut input = BufReader::new(stream);
    while let Some((path, body, is_zstd)) = request(&mut input) {
        let fault = *fault.lock().unwrap();
        if is_zstd && fault == Fault::KnowsNoZstd {
            answer(stream, 415, &json!({"error": {"type": "unsupported", "reason": "zstd"}}));
            continue;
        }
        taken.lock().unwrap().zstd_bodies += u64::from(is_zstd);
        if fault == Fault::Unavailable {
            answer(stream, 503, &json!({"error": {"type": "unavailable", "reason": "on purpose"}}));
            continue;
        }
        if !path.contains("/_bulk") {
            let mut taken = taken.lock().unwrap();
            if taken.events == 0 {
                taken.before.push(path);
            }
            answer(stream, 200, &json!({"version": {"number": "9.5.3"}}));
            continue;
        }
        let result = bulk(&body, &mut taken.lock().unwrap(), fault);
        if fault == Fault::LosesAnswers {
            return;
        }
        answer(stream, 200, &result);
    }
}

fn request(input: &mut impl BufRead) -> Option<(String, Vec<u8>, bool)> {
    let mut first = String::new();
    input.read_line(&mut first).ok().filter(|n| *n > 0)?;
    let (mut length, mut is_gzip, mut is_zstd) = (0, false, false);
    loop {
        let mut line = String::new();
        input.read_line(&mut line).ok()?;
        let line = line.trim().to_ascii_lowercase();
        if line.is_empty() {
            break;
        }
        if let Some(value) = line.strip_prefix("content-length:") {
            length = value.trim().parse().ok()?;
        }
        is_gzip |= line.starts_with("content-encoding:") && line.contains("gzip");
        is_zstd |= line.starts_with("content-encoding:") && line.contains("zstd");
    }
    let mut body = vec![0; length];
    input.read_exact(&mut body).ok()?;
    if is_gzip {
        let mut plain = Vec::new();
        GzDecoder::new(&body[..]).read_to_end(&mut plain).ok()?;
        body = plain;
    }
    if is_zstd {
        body = zstd::decode_all(&body[..]).ok()?;
    }
    Some((first.split(' ').nth(1)?.to_owned(), body, is_zstd))
}

/// Does what a request says.
fn bulk(body: &[u8], taken: &mut Taken, fault: Fault) -> Value {
    let mut items = Vec::new();
    let mut lines = body.split(|b| *b == b'\n').filter(|line| !line.is_empty());
    while let (Some(action), Some(document)) = (lines.next(), lines.next()) {
        let action: Value = serde_json::from_slice(action).unwrap();
        let document: Value = serde_json::from_slice(document).unwrap();
        taken.events += 1;
        if fault == Fault::Throttles && taken.events.is_multiple_of(3) {
            items.push(json!({"create": {"status": 429, "error": {"type": "es_rejected", "reason": "slow"}}}));
            continue;
        }
        if let Some(id) = action.pointer("/create/_id").and_then(Value::as_str) {
            let times = taken.ids.entry(id.to_owned()).or_default();
            *times += 1;
            if *times > 1 {
                items
                    .push(json!({"create": {"status": 409, "error": {"type": "version_conflict", "reason": "there"}}}));
                continue;
            }
        }
        taken.last = document.clone();
        let message = document.get("message").and_then(Value::as_str).unwrap_or_default().to_owned();
        *taken.messages.entry(message).or_default() += 1;
        let padding = if fault == Fault::Verbose { "x".repeat(300) } else { String::new() };
        items.push(json!({"create": {"status": 201, "padding": padding}}));
    }
    let errors = items.iter().any(|item| item.pointer("/create/error").is_some());
    json!({"errors": errors, "items": items})
}

fn answer(mut stream: &TcpStream, status: u16, body: &Value) {
    let body = body.to_string();
    let _ = write!(
        stream,
        "HTTP/1.1 {status} X\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
}

/// An address that nobody listens on.
pub fn free_address() -> String {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string()
}

/// Connects to one that is about to listen.
pub fn connect(address: &str) -> TcpStream {
    let until = Instant::now() + Duration::from_mins(1);
    loop {
        match TcpStream::connect(address) {
            Ok(stream) => return stream,
            Err(e) => assert!(Instant::now() < until, "{e}"),
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// An input of files that looks often.
pub fn files(id: &str, paths: &str) -> String {
    format!(
        "- type: filestream\n  id: {id}\n  paths: ['{paths}']\n  prospector.scanner.check_interval: 50ms\n  backoff: {{init: 20ms, max: 50ms}}\n  close.on_state_change.inactive: 2s\n"
    )
}

/// A folder with logs, and the shipper that ships them.
pub struct Shipper {
    pub folder: tempfile::TempDir,
    child: Option<Child>,
    config: PathBuf,
    /// Where figures are served.
    figures: String,
    /// A folder that is a disk of so many MiB of its own.
    pub small_disk: Option<(PathBuf, u32)>,
}

impl Shipper {
    pub fn new(server: &str, extra: &str) -> Shipper {
        let files = |root: &str| format!("filebeat.inputs:\n{}", files("test", &format!("{root}/logs/*")));
        Shipper::with(server, &files, extra)
    }

    /// With these inputs, which may name the folder that they are given.
    pub fn with(server: &str, inputs: &dyn Fn(&str) -> String, extra: &str) -> Shipper {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("logs")).unwrap();
        let config = folder.path().join("shipper.yml");
        let root = folder.path().display();
        let inputs = inputs(&root.to_string());
        let figures = free_address();
        let port = figures.rsplit(':').next().unwrap();
        let text = format!(
            "{inputs}http: {{enabled: true, port: {port}}}\n\
             path.data: {root}/data\nqueue.mem.flush.timeout: 50ms\nfilebeat.registry.flush: 50ms\nlogging.level: warning\n\
             output.elasticsearch:\n  hosts: ['{server}']\n  backoff: {{init: 20ms, max: 100ms}}\n  timeout: 5s\n{extra}"
        );
        std::fs::write(&config, text).unwrap();
        Shipper { folder, child: None, config, figures, small_disk: None }
    }

    pub fn logs(&self) -> PathBuf {
        self.folder.path().join("logs")
    }

    /// Starts it with a standard input that can be written to.
    pub fn start_with_input(&mut self) -> std::process::ChildStdin {
        self.start_as(Stdio::piped()).unwrap()
    }

    pub fn start(&mut self) {
        self.start_as(Stdio::null());
    }

    fn start_as(&mut self, input: Stdio) -> Option<std::process::ChildStdin> {
        let log = std::fs::File::options().create(true).append(true).open(self.folder.path().join("stderr")).unwrap();
        let mut child = self.command().stderr(log).stdout(Stdio::null()).stdin(input).spawn().unwrap();
        let input = child.stdin.take();
        self.child = Some(child);
        input
    }

    fn command(&self) -> Command {
        let program = env!("CARGO_BIN_EXE_holdfast-shipper");
        let mut command = match &self.small_disk {
            None => Command::new(program),
            Some((folder, mebibytes)) => {
                let mount = format!("mount -t tmpfs -o size={mebibytes}m none {}", folder.display());
                let mut command = Command::new("unshare");
                command.args(["-rm", "sh", "-c", &format!("{mount} && exec \"$@\""), "sh", program]);
                command
            }
        };
        command.arg("-c").arg(&self.config);
        command
    }

    /// Why it does not start.
    pub fn refusal(&self) -> String {
        let output = self.command().output().unwrap();
        assert!(!output.status.success());
        String::from_utf8(output.stderr).unwrap()
    }

    /// Changes words of the configuration.
    pub fn configure(&self, from: &str, to: &str) {
        let text = std::fs::read_to_string(&self.config).unwrap();
        assert!(text.contains(from), "{text}");
        std::fs::write(&self.config, text.replace(from, to)).unwrap();
    }

    /// A figure of one that runs.
    pub fn figure(&self, name: &str) -> u64 {
        let mut stream = connect(&self.figures);
        stream.write_all(b"GET /metrics HTTP/1.1\r\n\r\n").unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        let line = text.lines().find_map(|line| line.strip_prefix(&format!("holdfast_shipper_{name} ")));
        line.unwrap_or_else(|| panic!("no {name}")).parse().unwrap()
    }

    /// Waits until a figure is what it should be; the last that it was.
    pub fn wait_figure(&self, name: &str, is_so: impl Fn(u64) -> bool) -> u64 {
        let until = Instant::now() + Duration::from_mins(1);
        loop {
            let figure = self.figure(name);
            if is_so(figure) || Instant::now() > until {
                return figure;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// `kill -9`.
    pub fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }

    /// SIGTERM.
    pub fn stop(&mut self) {
        if let Some(mut child) = self.child.take() {
            let status = Command::new("kill").arg(child.id().to_string()).status().unwrap();
            assert!(status.success());
            assert!(child.wait().unwrap().success());
        }
    }

    /// Peak resident memory so far, in KiB.
    pub fn peak_kib(&self) -> u64 {
        let pid = self.child.as_ref().unwrap().id();
        let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
        let line = status.lines().find(|line| line.starts_with("VmHWM")).unwrap();
        line.split_whitespace().nth(1).unwrap().parse().unwrap()
    }

    /// Waits until the log has some words; whether it has.
    pub fn says(&self, words: &str, limit: Duration) -> bool {
        let until = Instant::now() + limit;
        while !self.log().contains(words) && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(20));
        }
        self.log().contains(words)
    }

    pub fn log(&self) -> String {
        std::fs::read_to_string(self.folder.path().join("stderr")).unwrap_or_default()
    }
}

impl Drop for Shipper {
    fn drop(&mut self) {
        self.kill();
    }
}

/// `gzip FILE` as people do it: the archive appears, then the file goes.
pub fn gzip(from: &Path, to: &Path) {
    let out = std::fs::File::create(to.with_extension("tmp~")).unwrap();
    let mut encoder = flate2::write::GzEncoder::new(out, flate2::Compression::new(6));
    encoder.write_all(&std::fs::read(from).unwrap()).unwrap();
    encoder.finish().unwrap();
    std::fs::rename(to.with_extension("tmp~"), to).unwrap();
    std::fs::remove_file(from).unwrap();
}
