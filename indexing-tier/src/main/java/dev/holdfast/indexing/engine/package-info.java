/// One shard's documents: [ShardEngine] holds Lucene's writer, the numbering of operations and
/// which of them are durable ([DurableNumbers]).
///
/// Writes hold the engine's gate shared, from numbering until Lucene and the log have them; a
/// commit takes it alone, for the moment in which it asks which numbers are in Lucene and where the
/// log stands. So a commit's position in the log is never later than an operation that it lacks. A
/// batch goes to Lucene in up to two calls, deletes and then documents; a commit sees all of it or
/// none, because it waits at the gate. A row that Lucene itself refuses is told so, and the others
/// stay. An operation is numbered once; a number whose operation failed is never used again. After
/// a failure that leaves Lucene and log apart, the engine is failed for good and whoever opened it
/// opens it anew.
@NullMarked
package dev.holdfast.indexing.engine;

import org.jspecify.annotations.NullMarked;
