package dev.holdfast.search.node;

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
/// @param requestCacheBytesMax memory that shards' answers to whole requests may take
/// @param hollowAfter a copy that nobody searched for so long keeps no reader
/// @param contextKept how long a shard's reader waits for the fetch phase
/// @param queryMax how long a phase may take on one node
public record SearchConfig(
    int threads,
    int queueMax,
    int clausesMax,
    Duration firstCommitWaitMax,
    int cachedQueriesMax,
    long cachedQueriesBytesMax,
    long requestCacheBytesMax,
    Duration hollowAfter,
    Duration contextKept,
    Duration queryMax) {
  private static final int CLAUSES_MIN = 1024;

  /// Elasticsearch's numbers for a machine.
  ///
  /// @param heapBytes of the process
  public static SearchConfig of(int processors, long heapBytes) {
    int threads = processors * 3 / 2 + 1;
    return new SearchConfig(
        threads,
        1000,
        clausesMax(heapBytes >> 20, threads),
        Duration.ofSeconds(60),
        10_000,
        heapBytes / 10,
        heapBytes / 100,
        Duration.ofMinutes(30),
        Duration.ofMinutes(2),
        Duration.ofMinutes(10));
  }

  /// As Elasticsearch since 8.0: each thread's share of the heap has room for 64 clauses a MiB.
  private static int clausesMax(long heapMib, int threads) {
    return Math.clamp(heapMib * 64 / threads, CLAUSES_MIN, Integer.MAX_VALUE);
  }

  /// The same with other budgets of the caches.
  public SearchConfig withCaches(int queriesMax, long queriesBytesMax, long requestsBytesMax) {
    return new SearchConfig(
        threads,
        queueMax,
        clausesMax,
        firstCommitWaitMax,
        queriesMax,
        queriesBytesMax,
        requestsBytesMax,
        hollowAfter,
        contextKept,
        queryMax);
  }
}
