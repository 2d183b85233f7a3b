//! Finds files, knows each by its first bytes, and reads them, decompressed, in turns.

pub mod emit;
pub mod events;
pub mod glob;
pub mod gzip;
pub mod harvester;
pub mod head;
pub mod in_hand;
pub mod inflate;
pub mod kind;
pub mod lines;
pub mod parse;
pub mod point;
pub mod pool;
mod room;
pub mod scan;
pub mod settings;
pub mod source;
pub mod stat;
pub mod stream;
mod tail;
pub mod turn;
pub mod zstd_reader;
