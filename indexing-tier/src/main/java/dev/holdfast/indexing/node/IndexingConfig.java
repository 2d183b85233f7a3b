package dev.holdfast.indexing.node;

import dev.holdfast.indexing.repository.RepositoryConfig;
import dev.holdfast.world.ByteSize;
import dev.holdfast.world.Promise;
import java.time.Duration;

/// What can be set about indexing; defaults from the paper where it names them.
///
/// @param deletionGrace a blob that nothing holds is deleted after this time (§6.1)
/// @param rowsMax documents given to Lucene as one batch
/// @param deletesRemembered how long versions go on counting after a delete (`index.gc_deletes`)
/// @param mappingRoundsMax how often one write may grow the mapping
/// @param openingMax how long a write waits for a shard that is being opened
/// @param closingMax how long a clean stop may take
/// @param tick how often shards are looked at
/// @param threads platform threads for writing, and for refreshing
/// @param queueMax writes that wait for a thread
/// @param repositories where snapshots lie that shards may begin with
public record IndexingConfig(
    Refreshes refreshes,
    Uploads uploads,
    Memory memory,
    Duration deletionGrace,
    int rowsMax,
    Duration deletesRemembered,
    int mappingRoundsMax,
    Duration openingMax,
    Duration closingMax,
    Duration tick,
    int threads,
    int queueMax,
    RepositoryConfig repositories) {

  public IndexingConfig {
    Promise.keep(rowsMax > 0, "a batch has rows", "rowsMax", rowsMax);
    Promise.keep(threads > 0, "there are threads", "threads", threads);
  }

  /// When changes become searchable.
  ///
  /// @param interval how often by themselves when the index does not say: 5 s (§4.1)
  /// @param intervalMin an index cannot ask for less
  /// @param waitersMax so many waiters for a refresh force one (`index.max_refresh_listeners`)
  public record Refreshes(Duration interval, Duration intervalMin, int waitersMax) {}

  /// When a virtual batch is uploaded (§4.1).
  ///
  /// @param size when it has so many bytes
  /// @param commits when it has so many commits
  /// @param age when its first commit is so old
  /// @param noticeMax local files go so long after an upload, even when the search tier has not
  ///   answered
  /// @param replayMax a node uploads before its threads, each of them, have spent so long on writes
  ///   that no upload covers: a recovery applies them again, and writes their segments (§5)
  /// @param replayFilesMax and before a recovery of one shard would read so many files of the log
  public record Uploads(
      ByteSize size,
      int commits,
      Duration age,
      Duration noticeMax,
      Duration replayMax,
      int replayFilesMax,
      Duration markEvery) {
    private static final int LOGGED_MAX = 4;

    public Uploads {
      Promise.keep(commits > 0, "a batch has commits", "commits", commits);
    }

    /// A shard commits when the log has so many bytes of documents that no upload covers, whoever
    /// searches it: recoveries replay them (§5).
    public ByteSize loggedMax() {
      return new ByteSize(LOGGED_MAX * size.bytes());
    }
  }

  /// Bounds of memory.
  ///
  /// @param shardBuffer Lucene's indexing buffer of one shard
  /// @param buffers the buffers of all shards together; the largest is flushed when over
  /// @param inFlight bytes of operations being written, all shards together; more are refused
  /// @param versionMap ids remembered between two reopenings of a shard's internal reader
  public record Memory(
      ByteSize shardBuffer, ByteSize buffers, ByteSize inFlight, ByteSize versionMap) {}

  /// The defaults for this machine.
  public static IndexingConfig defaults() {
    return of(Runtime.getRuntime().maxMemory(), Runtime.getRuntime().availableProcessors());
  }

  /// The defaults for a heap of that size.
  public static IndexingConfig of(long heapBytes, int processors) {
    ByteSize share = new ByteSize(Math.max(16 << 20, heapBytes / 10));
    // Larger segments cost less: terms that come again are written once, and merged less often.
    ByteSize shardBuffer = new ByteSize(Math.min(256 << 20, share.bytes()));
    return new IndexingConfig(
        new Refreshes(Duration.ofSeconds(5), Duration.ofSeconds(1), 1000),
        new Uploads(
            ByteSize.mib(15),
            100,
            Duration.ofSeconds(300),
            Duration.ofSeconds(5),
            Duration.ofMillis(1250),
            128,
            Duration.ofSeconds(30)),
        new Memory(shardBuffer, share, share, versionMap(heapBytes)),
        Duration.ofMinutes(10),
        1000,
        Duration.ofSeconds(60),
        10,
        Duration.ofSeconds(30),
        Duration.ofMillis(3500),
        Duration.ofMillis(100),
        processors,
        10_000,
        RepositoryConfig.OWN);
  }

  /// Each shard has one, and documents that were updated lie in it.
  private static ByteSize versionMap(long heapBytes) {
    return new ByteSize(Math.clamp(heapBytes / 64, 4 << 20, 16 << 20));
  }

  /// Knowing other places of snapshots.
  public IndexingConfig withRepositories(RepositoryConfig places) {
    return new IndexingConfig(
        refreshes,
        uploads,
        memory,
        deletionGrace,
        rowsMax,
        deletesRemembered,
        mappingRoundsMax,
        openingMax,
        closingMax,
        tick,
        threads,
        queueMax,
        places);
  }

  public IndexingConfig withDeletionGrace(Duration grace) {
    return with(refreshes, uploads, memory, grace);
  }

  /// With other reasons to upload.
  public IndexingConfig withUploads(ByteSize size, int commits, Duration age) {
    Uploads changed =
        new Uploads(
            size,
            commits,
            age,
            uploads.noticeMax,
            uploads.replayMax,
            uploads.replayFilesMax,
            uploads.markEvery);
    return with(refreshes, changed, memory, deletionGrace);
  }

  /// Telling the cluster state more or less often what is in the store.
  public IndexingConfig withMarkEvery(Duration markEvery) {
    Uploads changed =
        new Uploads(
            uploads.size,
            uploads.commits,
            uploads.age,
            uploads.noticeMax,
            uploads.replayMax,
            uploads.replayFilesMax,
            markEvery);
    return with(refreshes, changed, memory, deletionGrace);
  }

  /// With other bounds on what a node may leave to a recovery.
  public IndexingConfig withReplayMax(Duration replayMax, int filesMax) {
    Uploads changed =
        new Uploads(
            uploads.size,
            uploads.commits,
            uploads.age,
            uploads.noticeMax,
            replayMax,
            filesMax,
            uploads.markEvery);
    return with(refreshes, changed, memory, deletionGrace);
  }

  /// With other bounds on memory.
  public IndexingConfig withMemory(ByteSize shardBuffer, ByteSize buffers, ByteSize inFlight) {
    Memory changed = new Memory(shardBuffer, buffers, inFlight, memory.versionMap);
    return with(refreshes, uploads, changed, deletionGrace);
  }

  public IndexingConfig withRefreshInterval(Duration interval) {
    Refreshes changed = new Refreshes(interval, refreshes.intervalMin, refreshes.waitersMax);
    return with(changed, uploads, memory, deletionGrace);
  }

  private IndexingConfig with(
      Refreshes newRefreshes, Uploads newUploads, Memory newMemory, Duration newGrace) {
    return new IndexingConfig(
        newRefreshes,
        newUploads,
        newMemory,
        newGrace,
        rowsMax,
        deletesRemembered,
        mappingRoundsMax,
        openingMax,
        closingMax,
        tick,
        threads,
        queueMax,
        repositories);
  }
}
