//! Batches and where they go.

mod agent;
mod answer_body;
pub mod backoff;
pub mod batch;
pub mod bulk;
mod compressor;
pub mod elasticsearch;
pub mod greet;
mod hosts;
pub mod letters;
mod names;
pub mod outlet;
pub mod plain;
pub mod proxy;
pub mod settings;
mod shared;
pub mod template;
mod url;
