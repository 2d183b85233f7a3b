/// The search language (§2), the part that all of it stands on: what a query is, what it is read
/// with, and what it knows of the shard it runs on. Queries, sorts, aggregations, highlights and
/// suggesters are in the packages below and depend on this one; this one depends on none of them.
///
/// What a search goes through, by package: `parse` reads the JSON body into a
/// `request.SearchSource`; `phase` finds the best hits of one shard and merges those of all;
/// `fetch` shows hits. A query is a [QueryClause]: read and checked once, bound to a shard by
/// [QueryClause#toLucene] as often as it is run. The reading needs no index and the binding no
/// JSON: a body is read on the node that coordinates, travels as JSON, and is read again on each
/// node that has a shard.
///
/// Invariants:
///
/// - One query is one file in `clause.*` and one line in `parse.Queries`. No clause names the
///   registry: a [QueryReader] that holds it is handed to whatever may contain a query, and what a
///   kind needs besides its body is handed in on its line.
/// - Clauses and everything they hold are immutable: any thread may run them, several at once.
/// - A [QueryContext] is of one shard, one commit and one request. Its `now` is the same on all
///   shards, so that they agree on what `now-1d` means. It is used by the threads of that request
///   only.
/// - Nothing here blocks except on reads of index files: no cluster, no HTTP, no locks.
///
/// What may fail: reading, with `parsing_exception` and kin, before any shard is asked; binding,
/// with `query_shard_exception`, when the query does not fit the mapping of an index; reads of
/// blobs, with an `IOException`, while documents are scored. A search that is cancelled ends by the
/// loop of `collect.SegmentLoop`.
@NullMarked
package dev.holdfast.query;

import org.jspecify.annotations.NullMarked;
