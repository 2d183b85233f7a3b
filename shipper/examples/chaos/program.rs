//! The shipper as a process, with settings that a seed decides.

use super::Options;
use super::rng::Rng;
use std::fs::File;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// No event takes fewer bytes of a queue: its constant members alone are more.
const EVENT_BYTES_MIN: u64 = 200;

pub struct Program {
    binary: PathBuf,
    folder: PathBuf,
    child: Option<Child>,
    /// Ends without time to finish.
    pub kills: u64,
    /// Peak of its resident memory, in KiB.
    pub peak_kib: u64,
    queue_bytes: u64,
    /// Events of the requests that are under way at once.
    pub under_way: u64,
    /// Events have ids that the server knows again.
    pub has_ids: bool,
}

impl Program {
    pub fn new(options: &Options, folder: &Path, output: &str, index: &str, rng: &mut Rng) -> std::io::Result<Program> {
        let has_ids = rng.one_in(2);
        let queue_bytes = *rng.pick(&[256u64, 512, 2048]) << 10;
        let (workers, events) = (rng.within(1, 3), rng.within(20, 1500));
        let logs = folder.join("logs");
        std::fs::create_dir_all(&logs)?;
        let mut text = format!(
            "filebeat.inputs:\n- type: filestream\n  id: chaos\n  paths: ['{}/*']\n  \
             prospector.scanner.check_interval: {}ms\n  backoff: {{init: {}ms, max: 100ms}}\n  \
             close.on_state_change.inactive: {}ms\n  close.reader.on_eof: {}\n\
             path.data: {}\nshipper.readers: {}\nqueue.mem: {{bytes: {queue_bytes}, flush.timeout: {}ms}}\n\
             filebeat.registry.flush: {}ms\nfilebeat.shutdown_timeout: {}ms\nlogging.level: debug\n\
             output.elasticsearch:\n  hosts: ['{output}']\n  index: {index}\n  workers: {workers}\n  \
             bulk_max_size: {events}\n  bulk_max_bytes: {}KiB\n  compression_level: {}\n  \
             backoff: {{init: 20ms, max: 200ms}}\n  timeout: 60s\n  deterministic_ids: {has_ids}\n",
            logs.display(),
            rng.within(20, 300),
            rng.within(5, 50),
            rng.within(100, 2000),
            rng.one_in(4),
            folder.join("data").display(),
            rng.within(1, 3),
            rng.within(10, 200),
            rng.within(20, 1000),
            rng.within(0, 1000),
            rng.pick(&[8, 64, 256]),
            rng.below(2),
        );
        if options.is_on_disk {
            text.push_str("queue.disk: {max_size: 10MB, segment_size: 1MB, retry_interval: 20ms}\n");
        }
        std::fs::write(folder.join("shipper.yml"), text)?;
        Ok(Program {
            binary: options.shipper.clone(),
            folder: folder.to_owned(),
            child: None,
            kills: 0,
            peak_kib: 0,
            queue_bytes,
            under_way: workers * events,
            has_ids,
        })
    }

    /// Events that may be repeated for each end without time to finish: one window.
    pub fn window_events(&self) -> u64 {
        self.queue_bytes / EVENT_BYTES_MIN
    }

    pub fn is_running(&self) -> bool {
        self.child.is_some()
    }

    pub fn start(&mut self) -> std::io::Result<()> {
        if self.child.is_some() {
            return Ok(());
        }
        let log = File::options().create(true).append(true).open(self.folder.join("shipper.log"))?;
        let child = Command::new(&self.binary)
            .arg("-c")
            .arg(self.folder.join("shipper.yml"))
            .stdout(Stdio::null())
            .stderr(log)
            .spawn()?;
        self.child = Some(child);
        Ok(())
    }

    /// `kill -9`.
    pub fn kill(&mut self) {
        self.look();
        if let Some(mut child) = self.child.take() {
            let _ = child.kill();
            let _ = child.wait();
            self.kills += 1;
        }
    }

    /// SIGTERM. What can't be sent in time is not told as delivered, which is as after a kill.
    pub fn stop(&mut self) -> std::io::Result<()> {
        self.look();
        if let Some(mut child) = self.child.take() {
            Command::new("kill").arg(child.id().to_string()).status()?;
            let status = child.wait()?;
            // SIGTERM may come before it is ready for it.
            if !status.success() && status.signal() != Some(15) {
                return Err(std::io::Error::other(format!("the shipper ended with {status}")));
            }
            self.kills += 1;
        }
        Ok(())
    }

    /// Says when it has ended by itself, which it never should.
    pub fn ended(&mut self) -> Option<String> {
        let status = self.child.as_mut()?.try_wait().ok().flatten()?;
        Some(format!("the shipper ended by itself with {status}"))
    }

    /// Notes its peak of memory.
    pub fn look(&mut self) {
        let Some(child) = &self.child else { return };
        let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.split_whitespace().next()?.parse().ok());
        self.peak_kib = self.peak_kib.max(peak.unwrap_or(0));
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        if let Some(mut child) = self.child.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}
