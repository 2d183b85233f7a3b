package dev.holdfast.search.node;

import java.time.Duration;

/// Limits of the search tier of one node.
///
/// @param threads shards searched at once
/// @param queueMax shard searches that may wait; more are refused with 429
/// @param clausesMax clauses of a query after rewriting (`indices.query.bool.max_clause_count`)
/// @param firstCommitWaitMax how long a search without a timeout waits for a shard that is not open
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
  /// As the timeout of a search: it has none.
  public static final long NO_TIMEOUT = -1;

  private static final int CLAUSES_MIN = 1024;

  /// What a copy that sleeps may take to wake. A search with a shorter timeout waits so long, too:
  /// else the first search after a pause would fail that is answered a moment later.
  private static final Duration WAKE = Duration.ofSeconds(5);

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

  /// How long a search waits for a shard that is not open: no longer than the search may take, but
  /// as long as a copy that sleeps may need.
  ///
  /// @param timeoutMillis of the search; negative for none
  public Duration openingMax(long timeoutMillis) {
    Duration own = Duration.ofMillis(Math.max(timeoutMillis, WAKE.toMillis()));
    return timeoutMillis < 0 || own.compareTo(firstCommitWaitMax) > 0 ? firstCommitWaitMax : own;
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
