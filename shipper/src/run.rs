//! Puts the threads together and takes them apart.

use crate::config::Settings;
use crate::event::body::{Encoder, FileFacts};
use crate::input::harvester::Harvester;
use crate::input::in_hand::InHand;
use crate::input::point::Points;
use crate::input::pool::Pool;
use crate::input::scan::{Scan, Target};
use crate::input::settings::InputSettings;
use crate::metrics;
use crate::monitor;
use crate::output::batch::{Batch, Filler, Limits, Spares};
use crate::output::outlet::Outlet;
use crate::output::settings::OutputSettings;
use crate::process::Processors;
use crate::queue::Queue;
use crate::registry::Registry;
use crate::stop::Stop;
use std::fs::File;
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
    queue: Arc<Queue<Batch>>,
    registry: Arc<Registry>,
    readers: Vec<JoinHandle<()>>,
    senders: Vec<JoinHandle<()>>,
    shutdown_timeout: Duration,
    _lock: File,
}

/// Starts everything.
///
/// # Errors
/// Says in one line what keeps it from starting.
pub fn start(settings: Settings) -> Result<Running, String> {
    metrics::set_level(settings.log_level);
    let lock = lock(&settings.data)?;
    let say = |e: std::io::Error| format!("the data folder [{}]: {e}", settings.data.display());
    let registry =
        Registry::open(&settings.data.join("registry"), settings.filebeat_registry.as_deref()).map_err(say)?;
    let registry = Arc::new(registry);
    let points = Arc::new(Points::open(settings.data.join("points")).map_err(say)?);
    let queue = Arc::new(Queue::new(settings.queue_bytes));
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
        queue: Arc::clone(&queue),
        spares: Arc::clone(&spares),
        registry: Arc::clone(&registry),
        stop: Arc::clone(&sending),
    };
    let senders = outlet.start(&output)?;
    let limits = limits(&output, settings.flush_after);
    let mut running = Running {
        reading: Arc::clone(&reading),
        sending,
        pool: Arc::clone(&pool),
        queue: Arc::clone(&queue),
        registry: Arc::clone(&registry),
        readers: Vec::new(),
        senders,
        shutdown_timeout: settings.shutdown_timeout,
        _lock: lock,
    };
    for _ in 0..settings.readers {
        let (pool, filler) = (Arc::clone(&pool), Filler::new(limits, Arc::clone(&queue), Arc::clone(&spares)));
        running.readers.push(std::thread::spawn(move || read(&pool, filler)));
    }
    let common = Arc::new((settings.common, Arc::new(settings.processors)));
    for (number, input) in settings.inputs.into_iter().enumerate() {
        let input = Arc::new(input);
        let host = common.0.get("host").map(ToString::to_string).unwrap_or_default();
        let scan = Scan::new(Arc::clone(&input), Arc::clone(&registry), host)?;
        let facts = Facts { input, common: Arc::clone(&common), output: Arc::clone(&output) };
        let scanner = Scanner {
            number,
            scan,
            facts,
            pool: Arc::clone(&pool),
            registry: Arc::clone(&registry),
            points: Arc::clone(&points),
            stop: Arc::clone(&reading),
        };
        running.readers.push(std::thread::spawn(move || scanner.run()));
    }
    let every = settings.registry_flush;
    running.readers.push(std::thread::spawn(move || keep(&registry, every, &reading)));
    metrics::info("started", &[("version", env!("CARGO_PKG_VERSION")), ("data", &settings.data.display().to_string())]);
    Ok(running)
}

fn all_warnings(settings: &Settings) -> Vec<String> {
    let mut all = settings.warnings.clone();
    all.extend(settings.processors.warnings().iter().cloned());
    for input in &settings.inputs {
        all.extend(input.processors.warnings().iter().cloned());
    }
    all
}

/// One process for a data folder: two would each move the registry on.
fn lock(data: &Path) -> Result<File, String> {
    std::fs::create_dir_all(data).map_err(|e| format!("the data folder [{}]: {e}", data.display()))?;
    let path = data.join("lock");
    let file =
        File::options().create(true).append(true).open(&path).map_err(|e| format!("[{}]: {e}", path.display()))?;
    file.try_lock().map_err(|_| format!("another shipper uses the data folder [{}]", data.display()))?;
    Ok(file)
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
        self.pool.stop();
        let until = Instant::now() + self.shutdown_timeout;
        let is_over = |threads: &[JoinHandle<()>]| threads.iter().all(JoinHandle::is_finished);
        while Instant::now() < until && !is_over(&self.readers) {
            std::thread::sleep(Duration::from_millis(10));
        }
        self.queue.close();
        while Instant::now() < until && !is_over(&self.senders) {
            std::thread::sleep(Duration::from_millis(10));
        }
        self.sending.set();
        if let Err(e) = self.registry.flush() {
            metrics::error("the registry could not be written", &[("reason", &e.to_string())]);
        }
        metrics::info(
            "stopped",
            &[
                ("events_acked", &metrics::value(&metrics::EVENTS_ACKED).to_string()),
                ("unsent_bytes", &self.queue.bytes().to_string()),
            ],
        );
    }

    /// Whether everything that was found is delivered.
    pub fn is_at_rest(&self) -> bool {
        self.pool.is_at_rest() && self.queue.bytes() == 0
    }
}

/// What events of an input have in common, and where they go.
struct Facts {
    input: Arc<InputSettings>,
    common: Arc<(serde_json::Map<String, serde_json::Value>, Arc<Processors>)>,
    output: Arc<OutputSettings>,
}

impl Facts {
    fn encoder(&self, target: &Target) -> Encoder {
        let mut members = self.common.0.clone();
        crate::event::merge(&mut members, &self.input.members);
        let mut facts = FileFacts {
            members,
            path: target.path.display().to_string(),
            id: String::new(),
            processors: vec![Arc::new(self.input.processors.clone()), Arc::clone(&self.common.1)],
            index: None,
            pipeline: None,
            has_actions: false,
        };
        if let OutputSettings::Elasticsearch(es) = &*self.output {
            facts.has_actions = true;
            facts.index = self.input.index.clone().or_else(|| es.index.fixed().is_none().then(|| es.index.clone()));
            let of_output = es.pipeline.clone().filter(|p| p.fixed().is_none());
            facts.pipeline = self.input.pipeline.clone().or(of_output);
            if es.has_ids {
                facts.id = format!("{:016x}", target.entry.id);
            }
        }
        Encoder::new(facts)
    }
}

struct Scanner {
    number: usize,
    scan: Scan,
    facts: Facts,
    pool: Arc<Pool>,
    registry: Arc<Registry>,
    points: Arc<Points>,
    stop: Arc<Stop>,
}

impl Scanner {
    fn run(mut self) {
        loop {
            for closed in self.pool.take_closed(self.number) {
                self.scan.closed(&closed);
            }
            let pool = Arc::clone(&self.pool);
            match self.scan.look(&|entry| pool.is_active(entry)) {
                Ok(targets) => self.begin(targets),
                Err(e) => {
                    metrics::error("the registry can't be written: nothing new is read", &[("reason", &e.to_string())]);
                }
            }
            if self.stop.sleep(self.facts.input.check_interval) {
                return;
            }
        }
    }

    fn begin(&self, targets: Vec<Target>) {
        let limit = match self.facts.input.harvester_limit {
            0 => usize::MAX,
            n => usize::try_from(n).unwrap_or(usize::MAX),
        };
        let room = limit.saturating_sub(self.pool.count(self.number));
        for target in targets.into_iter().take(room) {
            let in_hand = InHand::new(target.entry.id, Arc::clone(&self.registry), Arc::clone(&self.points));
            let in_hand = Arc::new(in_hand);
            let encoder = self.facts.encoder(&target);
            let input = Arc::clone(&self.facts.input);
            let Target { entry, path, compression } = target;
            let harvester =
                Harvester::new(path, compression, entry.identity, input, encoder, Arc::clone(&in_hand), entry.offset);
            self.pool.add(self.number, harvester, in_hand);
        }
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
fn keep(registry: &Registry, every: Duration, stop: &Stop) {
    while !stop.sleep(every) {
        if let Err(e) = registry.flush() {
            metrics::error("the registry can't be written, trying again", &[("reason", &e.to_string())]);
        }
    }
}
