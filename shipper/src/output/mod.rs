//! Batches and where they go.

pub mod backoff;
pub mod batch;
pub mod bulk;
pub mod elasticsearch;
pub mod outlet;
pub mod plain;
pub mod settings;
