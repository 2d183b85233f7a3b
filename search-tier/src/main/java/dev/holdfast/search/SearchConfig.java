package dev.holdfast.search;

import java.time.Duration;

/// Limits of the search tier of one node.
///
/// @param threads shards searched at once
/// @param queueMax shard searches that may wait; more are refused with 429
/// @param clausesMax clauses of a query after rewriting (`indices.query.bool.max_clause_count`)
/// @param firstCommitWaitMax how long a search waits for a shard whose first commit has not been
///   noticed yet
/// @param cachedQueriesMax queries whose documents are remembered
/// @param cachedQueriesBytesMax memory they may take
public record SearchConfig(
    int threads,
    int queueMax,
    int clausesMax,
    Duration firstCommitWaitMax,
    int cachedQueriesMax,
    long cachedQueriesBytesMax) {
  /// Elasticsearch's numbers for a machine.
  ///
  /// @param heapBytes of the process
  public static SearchConfig of(int processors, long heapBytes) {
    return new SearchConfig(
        processors * 3 / 2 + 1, 1000, 4096, Duration.ofSeconds(30), 10_000, heapBytes / 10);
  }
}
