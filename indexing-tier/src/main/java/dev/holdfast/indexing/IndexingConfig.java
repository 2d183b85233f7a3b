package dev.holdfast.indexing;

import dev.holdfast.world.ByteSize;
import dev.holdfast.world.Promise;
import java.time.Duration;

/// What can be set about indexing; defaults from the paper where it names them.
///
/// @param refreshInterval how often changes become searchable by themselves when the index does not
///   say: 5 s (§4.1)
/// @param refreshIntervalMin an index cannot ask for less
/// @param refreshWaitersMax so many waiters for a refresh force one (`index.max_refresh_listeners`)
/// @param uploadSize a virtual batch of so many bytes is uploaded (§4.1)
/// @param uploadCommits a virtual batch of so many commits is uploaded (§4.1)
/// @param uploadAge a virtual batch is uploaded when its first commit is so old (§4.1)
/// @param uploadNoticeMax local files go so long after an upload, even when the search tier has not
///   answered
/// @param deletionGrace a blob that nothing holds is deleted after this time (§6.1)
/// @param rowsMax documents given to Lucene as one batch
/// @param shardBuffer Lucene's indexing buffer of one shard
/// @param indexingMemory the buffers of all shards together; the largest is flushed when over
/// @param inFlight bytes of operations being written, all shards together; more are refused
/// @param versionMapSize ids remembered between two reopenings of a shard's internal reader
/// @param deletesRemembered how long versions go on counting after a delete (`index.gc_deletes`)
/// @param mappingRoundsMax how often one write may grow the mapping
/// @param openingMax how long a write waits for a shard that is being opened
/// @param closingMax how long a clean stop may take
/// @param tick how often shards are looked at
/// @param threads platform threads for writing, and for refreshing
/// @param queueMax writes that wait for a thread
public record IndexingConfig(
    Duration refreshInterval,
    Duration refreshIntervalMin,
    int refreshWaitersMax,
    ByteSize uploadSize,
    int uploadCommits,
    Duration uploadAge,
    Duration uploadNoticeMax,
    Duration deletionGrace,
    int rowsMax,
    ByteSize shardBuffer,
    ByteSize indexingMemory,
    ByteSize inFlight,
    ByteSize versionMapSize,
    Duration deletesRemembered,
    int mappingRoundsMax,
    Duration openingMax,
    Duration closingMax,
    Duration tick,
    int threads,
    int queueMax) {

  public IndexingConfig {
    Promise.keep(rowsMax > 0, "a batch has rows", "rowsMax", rowsMax);
    Promise.keep(threads > 0, "there are threads", "threads", threads);
    Promise.keep(uploadCommits > 0, "a batch has commits", "uploadCommits", uploadCommits);
  }

  /// The defaults for this machine.
  public static IndexingConfig defaults() {
    return of(Runtime.getRuntime().maxMemory(), Runtime.getRuntime().availableProcessors());
  }

  /// The defaults for a heap of that size.
  public static IndexingConfig of(long heapBytes, int processors) {
    return new IndexingConfig(
        Duration.ofSeconds(5),
        Duration.ofSeconds(1),
        1000,
        ByteSize.mib(15),
        100,
        Duration.ofSeconds(300),
        Duration.ofSeconds(5),
        Duration.ofMinutes(10),
        1000,
        ByteSize.mib(64),
        new ByteSize(Math.max(16 << 20, heapBytes / 10)),
        new ByteSize(Math.max(16 << 20, heapBytes / 10)),
        ByteSize.mib(16),
        Duration.ofSeconds(60),
        10,
        Duration.ofSeconds(30),
        Duration.ofSeconds(10),
        Duration.ofMillis(100),
        processors,
        10_000);
  }

  public IndexingConfig withDeletionGrace(Duration grace) {
    return new IndexingConfig(
        refreshInterval,
        refreshIntervalMin,
        refreshWaitersMax,
        uploadSize,
        uploadCommits,
        uploadAge,
        uploadNoticeMax,
        grace,
        rowsMax,
        shardBuffer,
        indexingMemory,
        inFlight,
        versionMapSize,
        deletesRemembered,
        mappingRoundsMax,
        openingMax,
        closingMax,
        tick,
        threads,
        queueMax);
  }

  /// With other reasons to upload.
  public IndexingConfig withUploads(ByteSize size, int commits, Duration age) {
    return new IndexingConfig(
        refreshInterval,
        refreshIntervalMin,
        refreshWaitersMax,
        size,
        commits,
        age,
        uploadNoticeMax,
        deletionGrace,
        rowsMax,
        shardBuffer,
        indexingMemory,
        inFlight,
        versionMapSize,
        deletesRemembered,
        mappingRoundsMax,
        openingMax,
        closingMax,
        tick,
        threads,
        queueMax);
  }

  /// With other bounds on memory.
  public IndexingConfig withMemory(ByteSize shardBuffer, ByteSize indexing, ByteSize inFlight) {
    return new IndexingConfig(
        refreshInterval,
        refreshIntervalMin,
        refreshWaitersMax,
        uploadSize,
        uploadCommits,
        uploadAge,
        uploadNoticeMax,
        deletionGrace,
        rowsMax,
        shardBuffer,
        indexing,
        inFlight,
        versionMapSize,
        deletesRemembered,
        mappingRoundsMax,
        openingMax,
        closingMax,
        tick,
        threads,
        queueMax);
  }

  public IndexingConfig withRefreshInterval(Duration interval) {
    return new IndexingConfig(
        interval,
        refreshIntervalMin,
        refreshWaitersMax,
        uploadSize,
        uploadCommits,
        uploadAge,
        uploadNoticeMax,
        deletionGrace,
        rowsMax,
        shardBuffer,
        indexingMemory,
        inFlight,
        versionMapSize,
        deletesRemembered,
        mappingRoundsMax,
        openingMax,
        closingMax,
        tick,
        threads,
        queueMax);
  }
}
