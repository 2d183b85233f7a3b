//! A server that takes `_bulk`, with faults, and the shipper as a process.

mod server;

pub use server::{Fault, Server};

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

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
    /// What a shell does before it starts it.
    pub before: Option<&'static str>,
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
        Shipper { folder, child: None, config, figures, small_disk: None, before: None }
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
            None => {
                let before = self.before.unwrap_or("true");
                // Whoever runs the tests may have been told to ignore SIGHUP, as by nohup.
                let mut command = Command::new("env");
                command.args(["--default-signal=HUP", "sh", "-c", &format!("{before} && exec \"$@\""), "sh", program]);
                command
            }
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

    /// Starts it to ship what is there, and then stop.
    pub fn start_once(&mut self) {
        let log = std::fs::File::options().create(true).append(true).open(self.folder.path().join("stderr")).unwrap();
        let mut command = self.command();
        command.arg("--once").stderr(log).stdout(Stdio::null()).stdin(Stdio::null());
        self.child = Some(command.spawn().unwrap());
    }

    /// Waits until it has ended; whether it says that all went well.
    pub fn ends_well(&mut self) -> bool {
        self.child.take().unwrap().wait().unwrap().success()
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
        self.stop_with("-TERM");
    }

    /// Sends one.
    pub fn signal(&self, signal: &str) {
        if let Some(child) = &self.child {
            let status = Command::new("kill").arg(signal).arg(child.id().to_string()).status().unwrap();
            assert!(status.success());
        }
    }

    /// A signal that ends it in good order.
    pub fn stop_with(&mut self, signal: &str) {
        self.signal(signal);
        if let Some(mut child) = self.child.take() {
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
