package dev.holdfast.api.diagnostics;

import dev.holdfast.api.stats.ShardFigures;
import dev.holdfast.api.stats.TierParts;
import dev.holdfast.blobcache.BlobCache;
import dev.holdfast.blobcache.stats.CacheStats;
import dev.holdfast.indexing.IndexingTier;
import dev.holdfast.indexing.call.ShardFigure;
import dev.holdfast.indexing.call.ShardStats;
import dev.holdfast.indexing.node.TierMeasures;
import dev.holdfast.indexing.notice.IndexingShardInfo;
import dev.holdfast.indexing.sweep.SweepReport;
import dev.holdfast.scrub.ScrubReport;
import dev.holdfast.search.SearchTier;
import dev.holdfast.search.copy.SearchCopyInfo;
import dev.holdfast.search.figures.SearchFigures;
import dev.holdfast.translog.LogCounters;
import dev.holdfast.translog.NodeLog;
import java.io.IOException;
import java.util.List;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/// Metrics of the shards, copies, log, cache and sweep of this node.
public final class TierMetrics {
  private final TierParts tiers;

  public TierMetrics(TierParts tiers) {
    this.tiers = tiers;
  }

  void add(PrometheusExposition lines) throws IOException {
    TierParts parts = tiers;
    IndexingTier indexing = parts.indexing();
    if (indexing != null) {
      shards(lines, indexing);
      measures(lines, indexing.measures());
    }
    NodeLog log = parts.log();
    if (log != null) {
      log(lines, log);
    }
    searches(lines, parts.search());
    BlobCache cache = parts.cache();
    if (cache != null) {
      cache(lines, cache);
    }
    sweep(lines, parts.sweep().report());
    scrub(lines, parts.scrub().report());
  }

  private static void shards(PrometheusExposition lines, IndexingTier tier) throws IOException {
    List<IndexingShardInfo> sights = tier.sights();
    ShardStats sum = ShardFigures.sumOf(ShardFigures.ofNode(tier));
    long open = sights.stream().filter(sight -> sight.open() != null).count();
    lines.gauge("holdfast_shards", "Indexing shards that this node owns.", sights.size());
    lines.gauge("holdfast_shards_started", "Of them, those that are open.", open);
    lines.gauge(
        "holdfast_shards_hollow",
        "Of them, those that are idle and hold no memory.",
        tier.hollowShards());
    lines.gauge("holdfast_documents", "Live documents.", sum.documents());
    lines.gauge("holdfast_stored_bytes", "Bytes of the newest commits.", sum.storeBytes());
    lines.gauge("holdfast_segments", "Lucene segments.", sum.segments());
    lines.counter(
        "holdfast_index_operations_total", "Documents indexed.", sum.figure(ShardFigure.INDEXED));
    lines.counter(
        "holdfast_delete_operations_total", "Documents deleted.", sum.figure(ShardFigure.DELETED));
    lines.counter(
        "holdfast_index_seconds_total",
        "Time spent indexing.",
        sum.figure(ShardFigure.INDEX_MILLIS) / 1000.0);
    lines.counter("holdfast_gets_total", "Real-time gets.", sum.figure(ShardFigure.GETS));
    lines.counter("holdfast_refreshes_total", "Refreshes.", sum.figure(ShardFigure.REFRESHES));
    lines.counter("holdfast_merges_total", "Merges.", sum.figure(ShardFigure.MERGES));
    lines.counter(
        "holdfast_uploads_total",
        "Batched compound commits uploaded.",
        sum.figure(ShardFigure.UPLOADS));
    lines.counter(
        "holdfast_uploaded_bytes_total",
        "Bytes of batched compound commits uploaded.",
        sum.figure(ShardFigure.UPLOADED_BYTES));
    lines.gauge(
        "holdfast_virtual_batch_bytes",
        "Bytes of virtual batches that are not uploaded.",
        sum(sights, IndexingShardInfo.Open::pendingBytes));
    lines.gauge(
        "holdfast_virtual_batch_commits",
        "Commits in virtual batches that are not uploaded.",
        sum(sights, IndexingShardInfo.Open::pendingCommits));
    long lagMillis = 0;
    for (IndexingShardInfo sight : sights) {
      IndexingShardInfo.Open shard = sight.open();
      if (shard != null) {
        for (IndexingShardInfo.CopySight copy : shard.copies().values()) {
          lagMillis = Math.max(lagMillis, copy.lagMillis());
        }
      }
    }
    lines.gauge(
        "holdfast_refresh_lag_worst_seconds",
        "How long the search copy that is furthest behind has lacked a durable commit.",
        lagMillis / 1000.0);
  }

  private static long sum(
      List<IndexingShardInfo> sights, ToLongFunction<IndexingShardInfo.Open> figure) {
    long sum = 0;
    for (IndexingShardInfo sight : sights) {
      IndexingShardInfo.Open open = sight.open();
      sum += open == null ? 0 : figure.applyAsLong(open);
    }
    return sum;
  }

  private static void measures(PrometheusExposition lines, TierMeasures measures) {
    lines.histogram(
        "holdfast_upload_bytes",
        "Sizes of uploaded batched compound commits.",
        measures.uploadBytes().snapshot());
    lines.histogram(
        "holdfast_upload_seconds",
        "How long their uploads took.",
        measures.uploadSeconds().snapshot());
    lines.histogram(
        "holdfast_recovery_seconds",
        "How long shards took to open, replay of the log included.",
        measures.replaySeconds().snapshot());
    lines.histogram(
        "holdfast_refresh_lag_seconds",
        "From a commit being durable to a search copy serving it.",
        measures.lagSeconds().snapshot());
  }

  private static void log(PrometheusExposition lines, NodeLog log) {
    LogCounters.Snapshot counted = log.counters();
    lines.histogram(
        "holdfast_translog_seconds",
        "From sealing a translog file to it and all before it being in the store.",
        log.sealedToDurable().snapshot());
    lines.counter("holdfast_translog_operations_total", "Operations logged.", counted.operations());
    lines.counter(
        "holdfast_translog_bytes_total", "Bytes of operations, uncompressed.", counted.bytes());
    lines.counter("holdfast_translog_uploads_total", "Files uploaded.", counted.uploads());
    lines.counter(
        "holdfast_translog_uploaded_bytes_total",
        "Bytes of files uploaded.",
        counted.uploadedBytes());
    lines.gauge(
        "holdfast_translog_buffered_bytes",
        "Bytes of operations that are not durable.",
        counted.bufferedBytes());
    lines.gauge("holdfast_translog_files", "Files that some shard still needs.", counted.files());
  }

  private static void searches(PrometheusExposition lines, @Nullable SearchTier tier) {
    if (tier != null) {
      SearchFigures searched = SearchFigures.sum(tier.searched().values());
      lines.counter(
          "holdfast_search_queries_total",
          "Query phases on this node, one a shard and search.",
          searched.query().total());
      lines.counter(
          "holdfast_search_query_failures_total",
          "Those of them that failed.",
          searched.query().failures());
      lines.counter(
          "holdfast_search_seconds_total",
          "Time spent on them.",
          searched.query().millis() / 1000.0);
      lines.histogram(
          "holdfast_search_phase_seconds",
          "How long the phases of searches took, on a shard each.",
          tier.phases().querySeconds(),
          "phase",
          "query");
      lines.histogram(
          "holdfast_search_phase_seconds",
          "How long the phases of searches took, on a shard each.",
          tier.phases().fetchSeconds(),
          "phase",
          "fetch");
      List<SearchCopyInfo> copies = tier.sights();
      lines.gauge("holdfast_search_copies", "Search copies on this node.", copies.size());
      lines.gauge(
          "holdfast_search_copies_hollow",
          "Of them, those that hold no reader.",
          tier.hollowCopies());
      lines.gauge(
          "holdfast_search_contexts",
          "Searches whose hits are still to be fetched.",
          tier.openContexts());
    }
  }

  private static void cache(PrometheusExposition lines, BlobCache cache) {
    CacheStats stats = cache.stats();
    lines.gauge("holdfast_cache_capacity_bytes", "Room for blobs.", cache.size().bytes());
    lines.gauge("holdfast_cache_used_bytes", "Bytes of blobs on disk.", stats.bytes());
    lines.gauge("holdfast_cache_pinned_bytes", "Hot regions on the heap.", stats.bytesPinned());
    lines.counter("holdfast_cache_hits_total", "Reads of cached bytes.", stats.hits());
    lines.counter("holdfast_cache_misses_total", "Reads that had to fetch.", stats.misses());
    long all = stats.bytesFromPinned() + stats.bytesFromRegions() + stats.bytesFromStore();
    tier(lines, "pinned", stats.bytesFromPinned(), all);
    tier(lines, "regions", stats.bytesFromRegions(), all);
    tier(lines, "store", stats.bytesFromStore(), all);
    lines.counter("holdfast_cache_fetches_total", "Requests for blobs.", stats.fetches());
    lines.counter("holdfast_cache_fetched_bytes_total", "Bytes fetched.", stats.bytesFetched());
    lines.counter("holdfast_cache_evictions_total", "Regions evicted.", stats.evictions());
    lines.counter("holdfast_cache_hedges_total", "Second requests sent.", stats.hedges());
    lines.counter(
        "holdfast_cache_hedges_won_total",
        "Second requests that answered first.",
        stats.hedgesWon());
    lines.counter(
        "holdfast_cache_checked_pages_total",
        "Pages of 64 KiB that were compared with the checksums of their blob.",
        stats.checked());
    lines.counter(
        "holdfast_cache_damaged_reads_total",
        "Reads of blobs that did not match them.",
        stats.damaged());
    lines.counter(
        "holdfast_cache_damaged_disk_pages_total",
        "Pages of this node's own cache files that were damaged when it started, and fetched"
            + " again.",
        stats.damagedHere());
  }

  private static void tier(PrometheusExposition lines, String tier, long bytes, long all) {
    lines.counter(
        "holdfast_cache_answered_bytes_total",
        "Bytes that readers asked for, by what answered.",
        bytes,
        "tier",
        tier);
    lines.gauge(
        "holdfast_cache_answered_ratio",
        "The share of those bytes since the process started.",
        all == 0 ? 0.0 : (double) bytes / all,
        "tier",
        tier);
  }

  private static void scrub(PrometheusExposition lines, ScrubReport report) {
    lines.counter("holdfast_scrub_rounds_total", "Whole checks of the store.", report.rounds());
    lines.counter("holdfast_scrub_objects_total", "Objects checked.", report.objects());
    lines.counter("holdfast_scrub_bytes_total", "Bytes of them.", report.bytes());
    lines.counter("holdfast_scrub_pages_total", "Pages of blobs compared.", report.pages());
    lines.counter("holdfast_scrub_damages_total", "Damage found.", report.damages());
    lines.gauge(
        "holdfast_scrub_damaged_objects",
        "Objects that were damaged when they were last looked at.",
        report.damaged().size());
  }

  private static void sweep(PrometheusExposition lines, SweepReport report) {
    lines.counter("holdfast_sweeps_total", "Sweeps for orphans by this node.", report.sweeps());
    lines.gauge("holdfast_sweep_orphans", "Orphans in their grace.", report.orphans().size());
    lines.counter(
        "holdfast_sweep_deleted_blobs_total",
        "Blobs of deleted indices that sweeps deleted.",
        report.deletedBlobs());
    lines.counter(
        "holdfast_sweep_deleted_log_files_total",
        "Translog files of dead nodes that sweeps deleted.",
        report.deletedLogFiles());
  }
}
