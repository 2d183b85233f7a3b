//! Inputs from files of their own, `filebeat.config.inputs`, looked at again and again: what is new
//! there is started, what is gone is stopped. A file that is wrong changes nothing.

use super::inputs::Inputs;
use crate::config::inputs::{self, Reload, Written};
use crate::config::tree::Tree;
use crate::metrics;
use crate::stop::Stop;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

/// While inputs are ending, those that take their places are tried so often.
const SOON: Duration = Duration::from_millis(200);

struct Dynamic {
    file: PathBuf,
    tree: Tree,
    number: usize,
}

/// Keeps inputs as their files say.
pub struct Reloading {
    reload: Reload,
    inputs: Arc<Inputs>,
    running: Vec<Dynamic>,
    /// What was said of a file, or of an input in it, and not mended since.
    said: BTreeMap<PathBuf, String>,
}

impl Reloading {
    pub(super) fn new(reload: Reload, inputs: Arc<Inputs>) -> Reloading {
        Reloading { reload, inputs, running: Vec::new(), said: BTreeMap::new() }
    }

    /// Starts what is there, and a thread that looks again when that is asked for.
    ///
    /// # Errors
    /// Says what is wrong, when nobody looks again.
    pub(super) fn begin(mut self, stop: &Arc<Stop>) -> Result<Option<JoinHandle<()>>, String> {
        self.look();
        if !self.reload.is_enabled {
            return match self.said.values().next() {
                Some(wrong) => Err(wrong.clone()),
                None => Ok(None),
            };
        }
        let stop = Arc::clone(stop);
        Ok(Some(std::thread::spawn(move || self.run(&stop))))
    }

    /// Looks once.
    fn look(&mut self) {
        let mut wanted: Vec<(PathBuf, Written)> = Vec::new();
        let mut wrong: BTreeMap<PathBuf, String> = BTreeMap::new();
        let files = match inputs::files(&self.reload) {
            Ok(files) => files,
            Err(why) => return self.say(BTreeMap::from([(PathBuf::new(), why)])),
        };
        for file in files {
            match inputs::read_file(&file, &self.reload) {
                Ok(all) => wanted.extend(all.into_iter().map(|written| (file.clone(), written))),
                Err(why) => {
                    wrong.insert(file, why);
                }
            }
        }
        self.end(&wanted, &wrong);
        for (file, written) in wanted {
            let is_running = self.running.iter().any(|d| d.file == file && d.tree == written.tree);
            if is_running || self.inputs.are_ending() {
                continue; // what ends may have the same id or address: soon
            }
            match self.inputs.start(written.input) {
                Ok(number) => {
                    for warning in &written.warnings {
                        metrics::warning(warning, &[]);
                    }
                    metrics::info("an input is started", &[("file", &file.display().to_string())]);
                    self.running.push(Dynamic { file, tree: written.tree, number });
                }
                Err(why) => {
                    wrong.insert(file, why);
                }
            }
        }
        self.say(wrong);
    }

    /// Tells what is wrong, once.
    fn say(&mut self, wrong: BTreeMap<PathBuf, String>) {
        for (file, why) in &wrong {
            if self.said.get(file) != Some(why) {
                metrics::error(
                    "inputs of a file can't be started",
                    &[("file", &file.display().to_string()), ("reason", why)],
                );
            }
        }
        self.said = wrong;
    }

    /// Ends what is in no file any more. What was in a file that is wrong now goes on.
    fn end(&mut self, wanted: &[(PathBuf, Written)], wrong: &BTreeMap<PathBuf, String>) {
        let mut kept = BTreeSet::new();
        for (at, dynamic) in self.running.iter().enumerate() {
            let is_wanted = wanted.iter().any(|(file, written)| *file == dynamic.file && written.tree == dynamic.tree);
            if is_wanted || wrong.contains_key(&dynamic.file) {
                kept.insert(at);
            } else {
                metrics::info("an input is stopped", &[("file", &dynamic.file.display().to_string())]);
                self.inputs.stop(dynamic.number);
            }
        }
        let mut at = 0;
        self.running.retain(|_| {
            at += 1;
            kept.contains(&(at - 1))
        });
    }

    fn run(mut self, stop: &Stop) {
        loop {
            let wait = if self.inputs.are_ending() { SOON.min(self.reload.period) } else { self.reload.period };
            if stop.sleep(wait) {
                return;
            }
            self.look();
        }
    }
}
