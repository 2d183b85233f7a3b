/// The search language (§2): one file a query, sorting, the query and fetch phases over one shard's
/// reader, and the merge of shards' answers. Functions over Lucene readers: no cluster, no HTTP.
@NullMarked
package dev.holdfast.query;

import org.jspecify.annotations.NullMarked;
