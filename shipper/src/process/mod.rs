//! Processors: what changes documents before they are sent. One file a kind, one line in [`KINDS`].
//!
//! A processor either does all that it should or leaves the document as it was and says why; then
//! the rest of its list is passed over, and the document is sent as the last good one left it.

mod condition;
mod decode;
mod fields;
mod identify;
mod kubernetes;
mod shape;
mod timestamp;
mod values;

use crate::config::section::{Section, Warnings};
use crate::config::tree::Tree;
use condition::Condition;
use serde_json::{Map, Value};

/// A document.
pub type Document = Map<String, Value>;

/// Whether a document is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It goes on.
    Kept,
    /// It is not sent.
    Dropped,
}

/// Changes documents.
pub trait Processor: Send + Sync {
    /// Changes a document, or leaves it as it was and says why.
    fn apply(&self, document: &mut Document) -> Result<Fate, String>;
}

type Read = fn(&Section) -> Result<Box<dyn Processor>, String>;

/// Every kind by name.
const KINDS: &[(&str, Read)] = &[
    ("add_fields", fields::add_fields),
    ("add_host_metadata", identify::add_host_metadata),
    ("add_kubernetes_metadata", kubernetes::add_kubernetes_metadata),
    ("add_tags", fields::add_tags),
    ("convert", values::convert),
    ("copy_fields", shape::copy_fields),
    ("decode_json_fields", decode::decode_json_fields),
    ("dissect", decode::dissect),
    ("drop_event", fields::drop_event),
    ("drop_fields", fields::drop_fields),
    ("fingerprint", identify::fingerprint),
    ("include_fields", fields::include_fields),
    ("rate_limit", identify::rate_limit),
    ("rename", shape::rename),
    ("replace", values::replace),
    ("timestamp", timestamp::timestamp),
    ("truncate_fields", values::truncate_fields),
    ("urldecode", values::urldecode),
];

/// Kinds of Filebeat's shipped configuration that find nothing here, and why.
const WITHOUT_EFFECT: &[(&str, &str)] = &[
    ("add_cloud_metadata", "this shipper asks no metadata service of a cloud"),
    ("add_docker_metadata", "this shipper does not talk to Docker"),
    ("add_process_metadata", "this shipper does not look at processes"),
];

/// A list of processors.
#[derive(Default)]
pub struct Processors {
    steps: Vec<Step>,
    warnings: Warnings,
}

impl Clone for Processors {
    fn clone(&self) -> Self {
        Processors { steps: self.steps.clone(), warnings: self.warnings.clone() }
    }
}

#[derive(Clone)]
enum Step {
    Apply { name: &'static str, when: Option<Condition>, processor: std::sync::Arc<dyn Processor> },
    Branch { condition: Condition, then: Processors, otherwise: Processors },
}

/// Reads `processors`.
pub fn read(list: &[Tree], path: &str) -> Result<Processors, String> {
    read_list(list, path, false)
}

/// Of a branch, or of all events.
fn read_list(list: &[Tree], path: &str, is_branch: bool) -> Result<Processors, String> {
    let mut processors = Processors::default();
    for (at, tree) in list.iter().enumerate() {
        let path = format!("{path}.{at}");
        let item = Section::new(&path, tree.clone())?;
        if item.is_named("if") {
            processors.steps.push(branch(&item, &path)?);
            item.finish()?;
            continue;
        }
        let names = item.names();
        let [name] = names.as_slice() else {
            return Err(format!("[{path}] must name one processor"));
        };
        if let Some((_, because)) = WITHOUT_EFFECT.iter().find(|(known, _)| known == name) {
            processors.warnings.push(format!("[{path}.{name}] has no effect here: {because}"));
            continue;
        }
        let (name, kind) = KINDS.iter().find(|(known, _)| known == name).ok_or_else(|| {
            let known: Vec<&str> = KINDS.iter().map(|(n, _)| *n).collect();
            format!("[{path}] names an unknown processor [{name}]; known are {}", known.join(", "))
        })?;
        let section = item.section(name)?;
        let when = if section.is_named("when") {
            Some(condition::read(&section.tree("when").unwrap_or(Tree::Null), &section.path("when"))?)
        } else {
            None
        };
        if *name == "drop_event" && when.is_none() && !is_branch {
            return Err(format!("[{}] is missing: without it every event would be dropped", section.path("when")));
        }
        let processor = kind(&section)?;
        processors.warnings.extend(section.ignored());
        section.finish()?;
        processors.steps.push(Step::Apply { name, when, processor: processor.into() });
    }
    Ok(processors)
}

fn branch(item: &Section, path: &str) -> Result<Step, String> {
    let condition = condition::read(&item.tree("if").unwrap_or(Tree::Null), &item.path("if"))?;
    let list = |name: &str| -> Result<Processors, String> {
        match item.tree(name) {
            None => Ok(Processors::default()),
            Some(Tree::List(list)) => read_list(&list, &format!("{path}.{name}"), true),
            Some(one) => read_list(&[one], &format!("{path}.{name}"), true),
        }
    };
    if !item.has("then") {
        return Err(item.missing("then"));
    }
    Ok(Step::Branch { condition, then: list("then")?, otherwise: list("else")? })
}

impl Processors {
    /// Whether documents stay as they are.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// What was accepted and does nothing.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Changes a document.
    pub fn apply(&self, document: &mut Document) -> Fate {
        match self.steps(document) {
            Ok(fate) => fate,
            Err(why) => {
                crate::metrics::count(&crate::metrics::PROCESSOR_FAILURES, 1);
                crate::metrics::debug("a processor failed, the event is sent as it was before", &[("reason", &why)]);
                Fate::Kept
            }
        }
    }

    fn steps(&self, document: &mut Document) -> Result<Fate, String> {
        for step in &self.steps {
            let fate = match step {
                Step::Apply { name, when, processor } => {
                    if when.as_ref().is_some_and(|c| !c.holds(document)) {
                        continue;
                    }
                    processor.apply(document).map_err(|e| format!("{name}: {e}"))?
                }
                Step::Branch { condition, then, otherwise } => {
                    let list = if condition.holds(document) { then } else { otherwise };
                    list.steps(document)?
                }
            };
            if fate == Fate::Dropped {
                return Ok(Fate::Dropped);
            }
        }
        Ok(Fate::Kept)
    }
}

#[cfg(test)]
#[path = "process_test.rs"]
mod tests;
