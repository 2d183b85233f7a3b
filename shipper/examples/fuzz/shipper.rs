//! A shipper without threads and without a server: it looks, reads and sends when it is told to.

use super::rng::Rng;
use ::shipper::config::section::Section;
use ::shipper::config::tree;
use ::shipper::event::body::{Encoder, InputEvents, InputFacts};
use ::shipper::input::harvester::{Harvester, Turn};
use ::shipper::input::in_hand::InHand;
use ::shipper::input::point::Points;
use ::shipper::input::pool::ClosedFile;
use ::shipper::input::scan::Scan;
use ::shipper::input::settings::InputSettings;
use ::shipper::output::batch::{Batch, Filler, Limits, Spares};
use ::shipper::queue::Queue;
use ::shipper::registry::Registry;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// Nothing waits for room.
const QUEUE_BYTES: usize = 1 << 30;

pub struct Shipper {
    folder: PathBuf,
    registry: Arc<Registry>,
    points: Arc<Points>,
    settings: Arc<InputSettings>,
    events: Arc<InputEvents>,
    scan: Scan,
    /// What is read, or on its way.
    active: BTreeMap<u64, (Option<Harvester>, Arc<InHand>)>,
    filler: Filler,
    queue: Arc<Queue<Batch>>,
    /// What the server has, by its text: the ids.
    pub taken: BTreeMap<String, BTreeSet<String>>,
}

impl Shipper {
    pub fn start(folder: &Path, rng: &mut Rng) -> Result<Shipper, String> {
        let yaml = format!(
            "id: fuzz\npaths: ['{}/logs/*']\nclose: {{on_state_change.inactive: {}, reader.on_eof: {}}}",
            folder.display(),
            rng.pick(&["1ns", "1h"]),
            rng.one_in(4),
        );
        let section = Section::new("", tree::parse(&yaml, &|_| None)?)?;
        let settings = Arc::new(InputSettings::read(section, &mut Vec::new())?.ok_or("it is disabled")?);
        let registry = Arc::new(Registry::open(&folder.join("registry"), None).map_err(|e| e.to_string())?);
        let points = Arc::new(Points::open(folder.join("points")).map_err(|e| e.to_string())?);
        let facts = InputFacts {
            members: Map::new(),
            processors: Vec::new(),
            index: None,
            pipeline: None,
            has_actions: true,
            has_ids: true,
        };
        let scan = Scan::new(Arc::clone(&settings), Arc::clone(&registry), "host".into())?;
        let queue = Arc::new(Queue::new(QUEUE_BYTES));
        let limits = Limits { events: 20, bytes: 10_000, age: Duration::ZERO };
        let filler = Filler::new(limits, Arc::clone(&queue), Arc::new(Spares::default()));
        Ok(Shipper {
            folder: folder.to_owned(),
            registry,
            points,
            settings,
            events: Arc::new(InputEvents::new(facts)),
            scan,
            active: BTreeMap::new(),
            filler,
            queue,
            taken: BTreeMap::new(),
        })
    }

    /// It is killed and started again.
    pub fn again(self, rng: &mut Rng) -> Result<Shipper, String> {
        let mut next = Shipper::start(&self.folder, rng)?;
        next.taken = self.taken;
        Ok(next)
    }

    /// Looks for files once.
    pub fn look(&mut self) -> Result<(), String> {
        self.active.retain(|_, (harvester, in_hand)| harvester.is_some() || in_hand.is_pending());
        let active = &self.active;
        let targets = self.scan.look(&|entry| active.contains_key(&entry)).map_err(|e| e.to_string())?;
        for target in targets {
            let id = target.entry.id;
            let in_hand = Arc::new(InHand::new(id, Arc::clone(&self.registry), Arc::clone(&self.points)));
            let path = target.path.display().to_string();
            let encoder = Encoder::new(Arc::clone(&self.events), Some(path), format!("{id:016x}"));
            let harvester = Harvester::new(
                target.path,
                target.compression,
                target.entry.identity,
                Arc::clone(&self.settings),
                encoder,
                Arc::clone(&in_hand),
                target.entry.offset,
            );
            self.active.insert(id, (Some(harvester), in_hand));
        }
        Ok(())
    }

    /// One turn of a file, with a buffer that may be short.
    pub fn read(&mut self, rng: &mut Rng) -> Result<(), String> {
        let ids: Vec<u64> = self.active.keys().copied().collect();
        if ids.is_empty() {
            return Ok(());
        }
        let size = usize::try_from(*rng.pick(&[10, 1000, 100_000])).expect("small");
        self.turn(*rng.pick(&ids), size).map(|_| ())
    }

    fn turn(&mut self, id: u64, size: usize) -> Result<bool, String> {
        let Some((slot, _)) = self.active.get_mut(&id) else { return Ok(false) };
        let Some(harvester) = slot else { return Ok(false) };
        let turn = harvester.turn(&mut vec![0; size], &mut self.filler).map_err(|_| "it is closed")?;
        if let Turn::Closed(reason) = turn {
            self.scan.closed(&ClosedFile { entry: id, reason, left: harvester.left() });
            *slot = None;
        }
        Ok(turn == Turn::More)
    }

    /// Turns of all files, until none has more.
    pub fn read_all(&mut self) -> Result<(), String> {
        let ids: Vec<u64> = self.active.keys().copied().collect();
        for id in ids {
            while self.turn(id, 50_000)? {}
        }
        Ok(())
    }

    /// Some batches arrive, in any order; of some nobody hears that they did.
    pub fn send(&mut self, rng: &mut Rng) -> Result<(), String> {
        self.filler.seal().map_err(|_| "it is closed")?;
        let mut batches = self.batches();
        while !batches.is_empty() {
            let at = usize::try_from(rng.below(batches.len() as u64)).expect("a few");
            let mut batch = batches.swap_remove(at);
            self.take(&batch)?;
            if rng.one_in(5) {
                batches.push(batch); // its answer is lost: it is sent again
                continue;
            }
            batch.delivered();
            if rng.one_in(2) {
                self.registry.write().map_err(|e| e.to_string())?;
            }
        }
        Ok(())
    }

    /// All that was read arrives, and is noted.
    pub fn send_all(&mut self) -> Result<(), String> {
        self.filler.seal().map_err(|_| "it is closed")?;
        for mut batch in self.batches() {
            self.take(&batch)?;
            batch.delivered();
        }
        self.registry.write().map_err(|e| e.to_string())
    }

    fn batches(&self) -> Vec<Batch> {
        let mut batches = Vec::new();
        while let Some((batch, taken)) = self.queue.pop(Duration::ZERO) {
            self.queue.release(taken);
            batches.push(batch);
        }
        batches
    }

    fn take(&mut self, batch: &Batch) -> Result<(), String> {
        for at in 0..batch.ends.len() {
            let mut parts = batch.event(at).split(|byte| *byte == b'\n');
            let mut json =
                || serde_json::from_slice::<Value>(parts.next().unwrap_or_default()).map_err(|e| e.to_string());
            let (action, document) = (json()?, json()?);
            let text = |value: &Value, at: &str| value.pointer(at).and_then(Value::as_str).map(str::to_owned);
            let id = text(&action, "/create/_id").ok_or("an event without an id")?;
            let message = text(&document, "/message").ok_or("an event without a message")?;
            self.taken.entry(message).or_default().insert(id);
        }
        Ok(())
    }
}
