//! Inputs at work: each can be started and stopped by itself.

use super::scanner::Scanner;
use crate::event::body::{Encoder, InputEvents, InputFacts};
use crate::event::format::Format;
use crate::input::events::EventSettings;
use crate::input::kind::Input;
use crate::input::point::Points;
use crate::input::pool::Pool;
use crate::input::scan::Scan;
use crate::input::settings::InputSettings;
use crate::input::stream::feed::Feed;
use crate::input::stream::journal_place::JournalPlace;
use crate::input::stream::settings::{From, StreamSettings};
use crate::input::stream::{self, Tools};
use crate::output::batch::{Batch, Filler, Limits, Spares};
use crate::output::settings::OutputSettings;
use crate::process::Processors;
use crate::queue::Queue;
use crate::registry::Registry;
use crate::stop::Stop;
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread::JoinHandle;

/// What all inputs share.
pub struct Context {
    pub(super) registry: Arc<Registry>,
    pub(super) points: Arc<Points>,
    pub(super) pool: Arc<Pool>,
    pub(super) queue: Arc<Queue<Batch>>,
    pub(super) spares: Arc<Spares>,
    pub(super) limits: Limits,
    pub(super) output: Arc<OutputSettings>,
    /// Members and processors of every event.
    pub(super) common: Map<String, Value>,
    pub(super) processors: Arc<Processors>,
    /// Whether inputs end where what is there ends.
    pub(super) is_once: bool,
    /// Whether events wait on disk, and are sent by whoever starts next.
    pub(super) is_kept: bool,
}

impl Context {
    pub(super) fn filler(&self) -> Filler {
        Filler::new(self.limits, Arc::clone(&self.queue), Arc::clone(&self.spares))
    }

    fn host(&self) -> String {
        host(&self.common)
    }

    /// What the events of an input have in common.
    fn events(&self, events: &EventSettings) -> Arc<InputEvents> {
        let mut members = self.common.clone();
        crate::event::merge(&mut members, &events.members);
        let mut facts = InputFacts {
            members,
            processors: vec![Arc::new(events.processors.clone()), Arc::clone(&self.processors)],
            index: None,
            pipeline: None,
            has_actions: false,
            has_ids: false,
        };
        if let OutputSettings::Elasticsearch(es) = &*self.output {
            facts.has_actions = true;
            facts.has_ids = es.has_ids;
            // What the output's address says does not wait on disk with the event.
            let is_said = |f: &Format| f.fixed().is_none_or(|name| self.is_kept && !name.is_empty());
            facts.index = events.index.clone().or_else(|| Some(es.index.clone()).filter(is_said));
            facts.pipeline = events.pipeline.clone().or_else(|| es.pipeline.clone().filter(is_said));
        }
        Arc::new(InputEvents::new(facts))
    }
}

/// One input at work, or coming to its end.
struct Working {
    number: usize,
    id: String,
    stop: Arc<Stop>,
    thread: JoinHandle<()>,
    /// A stream has ended by itself, or all files that are there were begun with.
    is_ended: Arc<AtomicBool>,
    /// Files and folders that can't be read now.
    unreadable: Arc<AtomicUsize>,
    place: Option<Arc<JournalPlace>>,
}

impl Working {
    /// Whether nothing of it is on its way any more that a successor would send again.
    fn is_over(&self) -> bool {
        self.thread.is_finished() && self.place.as_ref().is_none_or(|place| !place.is_pending())
    }
}

#[derive(Default)]
struct All {
    working: Vec<Working>,
    ending: Vec<Working>,
    numbered: usize,
}

/// All inputs.
pub struct Inputs {
    context: Arc<Context>,
    all: Mutex<All>,
}

impl Inputs {
    pub(super) fn new(context: Arc<Context>) -> Inputs {
        Inputs { context, all: Mutex::default() }
    }

    fn lock(&self) -> MutexGuard<'_, All> {
        self.all.lock().expect("no thread panics while it holds the inputs")
    }

    /// Starts an input; its number.
    ///
    /// # Errors
    /// Says what keeps it from starting.
    pub fn start(&self, input: Input) -> Result<usize, String> {
        let mut all = self.lock();
        let id = input.id().to_owned();
        if all.working.iter().chain(&all.ending).any(|w| w.id == id && !w.is_over()) {
            return Err(format!("an input with the id [{id}] is at work"));
        }
        if self.context.is_once && !input.ends() {
            return Err(format!("the input [{id}] never ends by itself, which [--once] asks for"));
        }
        let number = all.numbered;
        all.numbered += 1;
        let stop = Arc::new(Stop::default());
        let working = match input {
            Input::Files(files) => self.files(number, files, stop)?,
            Input::Stream(stream) => self.stream(number, stream, stop)?,
        };
        all.working.push(working);
        Ok(number)
    }

    fn files(&self, number: usize, mut files: InputSettings, stop: Arc<Stop>) -> Result<Working, String> {
        let context = Arc::clone(&self.context);
        files.closing.on_eof |= context.is_once;
        let (id, input) = (files.id.clone(), Arc::new(files));
        let scan = Scan::new(Arc::clone(&input), Arc::clone(&context.registry), context.host())?;
        let events = context.events(&input.events);
        let (is_ended, unreadable) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
        let scanner = Scanner {
            number,
            scan,
            input,
            events,
            context,
            stop: Arc::clone(&stop),
            is_settled: Arc::clone(&is_ended),
            unreadable: Arc::clone(&unreadable),
            read: BTreeSet::new(),
            unfinished: BTreeSet::new(),
        };
        let thread = std::thread::spawn(move || scanner.run());
        Ok(Working { number, id, stop, thread, is_ended, unreadable, place: None })
    }

    fn stream(&self, number: usize, stream: StreamSettings, stop: Arc<Stop>) -> Result<Working, String> {
        let context = &self.context;
        let id = stream.id.clone();
        let place = matches!(stream.from, From::Journal(_))
            .then(|| JournalPlace::open(&id, &context.host(), Arc::clone(&context.registry)));
        let encoder = Encoder::new(context.events(&stream.events), None, run_id(&id));
        let feed = Feed::new(stream.events.clone(), encoder, context.filler(), place.clone());
        let is_ended = Arc::new(AtomicBool::new(false));
        let tools = Tools {
            feed: Arc::new(feed),
            stop: Arc::clone(&stop),
            is_ended: Arc::clone(&is_ended),
            is_once: context.is_once,
        };
        let thread = stream::start(stream, tools)?;
        Ok(Working { number, id, stop, thread, is_ended, unreadable: Arc::default(), place })
    }

    /// Tells an input to end; what it has read is still delivered.
    pub fn stop(&self, number: usize) {
        let mut all = self.lock();
        if let Some(at) = all.working.iter().position(|w| w.number == number) {
            let working = all.working.remove(at);
            working.stop.set();
            all.ending.push(working);
        }
    }

    /// Whether inputs that were told to end are doing so; forgets those that are over.
    pub fn are_ending(&self) -> bool {
        let mut all = self.lock();
        all.ending.retain(|working| !working.is_over());
        !all.ending.is_empty()
    }

    /// Tells all to end.
    pub(super) fn stop_all(&self) {
        self.lock().working.iter().for_each(|working| working.stop.set());
    }

    /// Whether no input reads any more.
    pub(super) fn are_finished(&self) -> bool {
        let all = self.lock();
        all.working.iter().chain(&all.ending).all(|working| working.thread.is_finished())
    }

    /// Files and folders that can't be read now.
    pub(super) fn unreadable(&self) -> usize {
        self.lock().working.iter().map(|working| working.unreadable.load(Relaxed)).sum()
    }

    /// Whether every stream has ended, all files that are there were begun with, and all of it is on its
    /// way.
    pub(super) fn are_at_rest(&self) -> bool {
        let all = self.lock();
        let is_on_its_way = |w: &Working| w.place.as_ref().is_none_or(|place| !place.is_pending());
        all.working.iter().all(|w| w.is_ended.load(Relaxed) && is_on_its_way(w))
    }
}

/// What numbers of files and journals have of who sends, by the members that every event has.
pub(super) fn host(common: &Map<String, Value>) -> String {
    common.get("host").map(ToString::to_string).unwrap_or_default()
}

/// What ids of a stream's events begin with that can't be read again: of this run alone.
fn run_id(input: &str) -> String {
    let now = jiff::Timestamp::now();
    let digest: [u8; 32] = Sha256::digest(format!("{input}\0{}\0{now}", std::process::id())).into();
    format!("{:016x}", u64::from_le_bytes(digest[..8].try_into().expect("8 bytes")))
}
