/// The query phase on one shard and the merge of all shards' answers. [QueryPhase] runs on a copy
/// of a shard and returns at most `from + size` hits, partial aggregations and a total;
/// [SearchMerge] makes one answer of the answers of all shards, in any order of their coming: ties
/// are broken by shard and document, so that the same searches have the same answer. [KnnPhase]
/// finds out beforehand how many of the nearest each shard has. Functions over a reader: the caller
/// chooses the thread and says when time is over.
///
/// What may fail: a query that does not fit the index (`query_shard_exception`), too many clauses
/// after rewriting, a window beyond `index.max_result_window`, cancellation; all are refusals of
/// one shard, and the coordinator decides what becomes of the search.
@NullMarked
package dev.holdfast.query.phase;

import org.jspecify.annotations.NullMarked;
