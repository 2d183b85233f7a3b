//! Puts the threads together and takes them apart.

pub mod inputs;
mod left;
pub mod reload;
mod scanner;

use crate::config::Settings;
use crate::disk::DiskQueue;
use crate::disk::stages::Stages;
use crate::input::point::Points;
use crate::input::pool::Pool;
use crate::metrics;
use crate::monitor;
use crate::output::batch::{Batch, Filler, Limits, Spares};
use crate::output::outlet::Outlet;
use crate::output::settings::OutputSettings;
use crate::queue::Queue;
use crate::registry::{Import, Registry};
use crate::stop::Stop;
use inputs::{Context, Inputs};
use reload::Reloading;
use std::fs::{File, TryLockError};
use std::path::Path;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// What one read of a file asks for.
const READ_BYTES: usize = 256 << 10;

/// A reader without work looks again after so long.
const READER_WAIT: Duration = Duration::from_millis(500);

/// A shipper at work.
pub struct Running {
    reading: Arc<Stop>,
    sending: Arc<Stop>,
    pool: Arc<Pool>,
    /// Where inputs put batches.
    queue: Arc<Queue<Batch>>,
    /// Where senders take batches: the same, when nothing is between.
    sent: Arc<Queue<Batch>>,
    disk: Option<(Arc<DiskQueue>, JoinHandle<()>)>,
    registry: Arc<Registry>,
    inputs: Arc<Inputs>,
    readers: Vec<JoinHandle<()>>,
    senders: Vec<JoinHandle<()>>,
    shutdown_timeout: Duration,
    _lock: File,
}

/// Starts everything; with `is_once` inputs end where what is there ends.
///
/// # Errors
/// Says in one line what keeps it from starting.
pub fn start(settings: Settings, is_once: bool) -> Result<Running, String> {
    metrics::set_level(settings.log_level);
    let lock = lock(&settings.data)?;
    let say = |e: std::io::Error| format!("the data folder [{}]: {e}", settings.data.display());
    let host = inputs::host(&settings.common);
    let import = settings.filebeat_registry.as_deref().map(|folder| Import { folder, host: &host });
    let registry = Registry::open(&settings.data.join("registry"), import).map_err(say)?;
    let registry = Arc::new(registry);
    let points = Arc::new(Points::open(settings.data.join("points")).map_err(say)?);
    points.keep_only(registry.ids().iter().map(ToString::to_string));
    left::check(&settings)?;
    let disk = disk(&settings)?;
    // With a queue on disk there is memory before it and behind it.
    let parts = if disk.is_some() { 2 } else { 1 };
    let queue = Arc::new(Queue::new(settings.queue.memory_bytes / parts));
    let sent =
        if disk.is_some() { Arc::new(Queue::new(settings.queue.memory_bytes / parts)) } else { Arc::clone(&queue) };
    let pool = Arc::new(Pool::default());
    let reading = Arc::new(Stop::default());
    let sending = Arc::new(Stop::default());
    for warning in all_warnings(&settings) {
        metrics::warning(&warning, &[]);
    }
    if let Some(address) = &settings.monitor {
        monitor::serve(address)?;
    }
    let output = Arc::new(settings.output);
    let spares = Arc::new(Spares::default());
    let outlet = Outlet {
        queue: Arc::clone(&sent),
        spares: Arc::clone(&spares),
        registry: Arc::clone(&registry),
        stop: Arc::clone(&sending),
    };
    let senders = outlet.start(&output)?;
    let disk = disk.map(|disk| {
        let stages = Stages {
            disk: Arc::clone(&disk),
            front: Arc::clone(&queue),
            back: Arc::clone(&sent),
            spares: Arc::clone(&spares),
            registry: Arc::clone(&registry),
            stop: Arc::clone(&sending),
        };
        (disk, stages.start())
    });
    let limits = limits(&output, settings.queue.flush_after);
    let context = Context {
        registry: Arc::clone(&registry),
        points,
        pool: Arc::clone(&pool),
        queue: Arc::clone(&queue),
        spares: Arc::clone(&spares),
        limits,
        output,
        common: settings.common,
        processors: Arc::new(settings.processors),
        is_once,
        is_kept: disk.is_some(),
    };
    let context = Arc::new(context);
    let inputs = Arc::new(Inputs::new(Arc::clone(&context)));
    let mut running = Running {
        reading: Arc::clone(&reading),
        sending,
        pool: Arc::clone(&pool),
        queue,
        sent,
        disk,
        registry: Arc::clone(&registry),
        inputs: Arc::clone(&inputs),
        readers: Vec::new(),
        senders,
        shutdown_timeout: settings.shutdown_timeout,
        _lock: lock,
    };
    for _ in 0..settings.readers {
        let (pool, filler) = (Arc::clone(&pool), context.filler());
        running.readers.push(std::thread::spawn(move || read(&pool, filler)));
    }
    for input in settings.inputs {
        inputs.start(input)?;
    }
    if let Some(reload) = settings.reload
        && let Some(thread) = Reloading::new(reload, inputs).begin(&reading)?
    {
        running.readers.push(thread);
    }
    let every = settings.registry_flush;
    let disk = running.disk.as_ref().map(|(disk, _)| Arc::clone(disk));
    running.readers.push(std::thread::spawn(move || keep(&registry, disk.as_deref(), every, &reading)));
    metrics::info("started", &[("version", env!("CARGO_PKG_VERSION")), ("data", &settings.data.display().to_string())]);
    Ok(running)
}

fn all_warnings(settings: &Settings) -> Vec<String> {
    let mut all = settings.warnings.clone();
    all.extend(settings.processors.warnings().iter().cloned());
    all
}

/// One process for a data folder: two would each move the registry on.
fn lock(data: &Path) -> Result<File, String> {
    std::fs::create_dir_all(data).map_err(|e| format!("the data folder [{}]: {e}", data.display()))?;
    let path = data.join("lock");
    let file =
        File::options().create(true).append(true).open(&path).map_err(|e| format!("[{}]: {e}", path.display()))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(format!("another shipper uses the data folder [{}]", data.display())),
        Err(TryLockError::Error(e)) => Err(format!("[{}] can't be locked: {e}", path.display())),
    }
}

fn disk(settings: &Settings) -> Result<Option<Arc<DiskQueue>>, String> {
    let Some(disk) = &settings.queue.disk else { return Ok(None) };
    let (has_actions, has_ids) = match &settings.output {
        OutputSettings::Elasticsearch(es) => (true, es.has_ids),
        _ => (false, false),
    };
    let queue = DiskQueue::open(disk.clone(), has_actions, has_ids)?;
    left::note(&settings.data, &disk.folder)?;
    if !queue.is_empty() {
        let (events, bytes) = (queue.events().to_string(), queue.bytes().to_string());
        metrics::info("events wait in the queue on disk", &[("events", &events), ("bytes", &bytes)]);
    }
    Ok(Some(Arc::new(queue)))
}

fn limits(output: &OutputSettings, age: Duration) -> Limits {
    match output {
        OutputSettings::Elasticsearch(es) => Limits { events: es.events_max, bytes: es.bytes_max, age },
        _ => Limits { events: 10_000, bytes: 1 << 20, age: age.min(Duration::from_millis(200)) },
    }
}

impl Running {
    /// Reads no more, sends what is read as long as it may take, and notes what was delivered.
    pub fn stop(self) {
        self.reading.set();
        self.inputs.stop_all();
        self.pool.stop();
        let until = Instant::now() + self.shutdown_timeout;
        let is_over = |threads: &[JoinHandle<()>]| threads.iter().all(JoinHandle::is_finished);
        while Instant::now() < until && !(is_over(&self.readers) && self.inputs.are_finished()) {
            std::thread::sleep(Duration::from_millis(10));
        }
        self.queue.close();
        if let Some((disk, writer)) = &self.disk {
            while Instant::now() < until && !writer.is_finished() {
                std::thread::sleep(Duration::from_millis(10));
            }
            disk.close(); // what is in it is sent after the next start
            self.sent.close();
        }
        while Instant::now() < until && !is_over(&self.senders) {
            std::thread::sleep(Duration::from_millis(10));
        }
        self.sending.set();
        if let Err(e) = self.registry.flush() {
            metrics::error("the registry could not be written", &[("reason", &e.to_string())]);
        }
        let mut figures = vec![
            ("events_acked", metrics::value(&metrics::EVENTS_ACKED).to_string()),
            ("unsent_bytes", self.queue.bytes().to_string()),
        ];
        if let Some((disk, _)) = &self.disk {
            if let Err(e) = disk.sync() {
                metrics::error("the position of the queue on disk could not be synced", &[("reason", &e.to_string())]);
            }
            figures.push(("queued_events", disk.events().to_string()));
        }
        let figures: Vec<(&str, &str)> = figures.iter().map(|(name, value)| (*name, value.as_str())).collect();
        metrics::info("stopped", &figures);
    }

    /// Of who ships only what is there: files that could not be read to their ends.
    pub fn unread(&self) -> usize {
        self.pool.idle() + self.inputs.unreadable()
    }

    /// Whether everything that was found is delivered.
    pub fn is_at_rest(&self) -> bool {
        self.pool.is_at_rest()
            && self.inputs.are_at_rest()
            && self.queue.bytes() == 0
            && self.disk.as_ref().is_none_or(|(disk, _)| disk.is_empty())
    }
}

fn read(pool: &Pool, mut filler: Filler) {
    let mut buffer = vec![0u8; READ_BYTES];
    loop {
        let wait = filler.due_in().map_or(READER_WAIT, |due| due.min(READER_WAIT));
        let taken = pool.take(wait);
        let is_idle = taken.is_none();
        if let Some(mut harvester) = taken {
            let Ok(turn) = harvester.turn(&mut buffer, &mut filler) else { return };
            pool.give_back(harvester, &turn);
        }
        let is_due = filler.due_in().is_some_and(|due| due.is_zero());
        if is_due && filler.seal().is_err() {
            return;
        }
        if is_idle && pool.is_stopped() {
            let _ = filler.seal();
            return;
        }
    }
}

/// Writes the registry now and then.
fn keep(registry: &Registry, disk: Option<&DiskQueue>, every: Duration, stop: &Stop) {
    while !stop.sleep(every) {
        if let Err(e) = registry.flush() {
            metrics::error("the registry can't be written, trying again", &[("reason", &e.to_string())]);
        }
        if let Some(Err(e)) = disk.map(DiskQueue::sync) {
            let reason = e.to_string();
            metrics::error("the position of the queue on disk can't be synced, trying again", &[("reason", &reason)]);
        }
    }
}
