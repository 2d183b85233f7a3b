//! Batches and where they go.

mod answer_body;
pub mod backoff;
pub mod batch;
pub mod bulk;
pub mod elasticsearch;
mod names;
pub mod outlet;
pub mod plain;
pub mod settings;
pub mod template;
