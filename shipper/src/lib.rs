//! Ships log files, plain or compressed, to Holdfast, Elasticsearch or `OpenSearch`, and neither loses
//! nor repeats a line that it need not.
//!
//! A line's way: [`input`] finds files, knows each by its first bytes, reads and decompresses them in
//! turns; [`event`] makes what is read a document; [`process`] changes documents; [`output`] sends them
//! in batches of bounded bytes. When a batch is acknowledged, [`registry`] notes how far each file was
//! delivered, and a restart goes on there.
//!
//! Threads are plain: a scanner, a few readers, a few senders, one that writes the registry. What
//! waits between them is bounded in bytes: in memory, and on [`disk`] when that is asked for.

pub mod ack;
pub mod config;
pub mod descriptors;
pub mod disk;
pub mod event;
pub mod input;
pub mod kept;
pub mod memory;
pub mod metrics;
pub mod monitor;
pub mod output;
pub mod process;
pub mod queue;
pub mod registry;
pub mod run;
pub mod signals;
pub mod stop;
pub mod top;
