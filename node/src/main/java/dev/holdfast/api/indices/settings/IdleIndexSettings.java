package dev.holdfast.api.indices.settings;

import static dev.holdfast.api.indices.settings.ValueCheck.ACTIVE;
import static dev.holdfast.api.indices.settings.ValueCheck.BOOL;
import static dev.holdfast.api.indices.settings.ValueCheck.COMPOUND;
import static dev.holdfast.api.indices.settings.ValueCheck.COPIES;
import static dev.holdfast.api.indices.settings.ValueCheck.DURATION;
import static dev.holdfast.api.indices.settings.ValueCheck.LIST;
import static dev.holdfast.api.indices.settings.ValueCheck.SIZE;
import static dev.holdfast.api.indices.settings.ValueCheck.TEXT;
import static dev.holdfast.api.indices.settings.ValueCheck.TIME;
import static dev.holdfast.api.indices.settings.ValueCheck.anyCaseOf;
import static dev.holdfast.api.indices.settings.ValueCheck.number;
import static dev.holdfast.api.indices.settings.ValueCheck.oneOf;
import static dev.holdfast.api.indices.settings.ValueCheck.sizeFrom;
import static dev.holdfast.api.indices.settings.ValueCheck.timeFrom;
import static dev.holdfast.api.indices.settings.ValueCheck.whole;

import java.util.Collections;
import java.util.SortedMap;

/// Every index setting that clients of Elasticsearch may give and that has no effect here: a line
/// each, with the reason that the client is told.
final class IdleIndexSettings {
  private static final String USERS = "there are no users";
  private static final String LEVELS = "each threshold names its level";
  private static final String DISKS = "shards lie in the object store, not on disks of nodes";
  private static final String MERGES = "how segments are merged is chosen by the engine";
  private static final String OWN = "the fields of a mapping say it themselves, or nothing does";

  static final SortedMap<String, IndexSetting> ALL =
      Collections.unmodifiableSortedMap(
          new IndexSetting.Table()
              .idle("index.search.slowlog.include.user", true, BOOL, USERS)
              .idle("index.search.slowlog.level", true, TEXT, LEVELS)
              .idle("index.indexing.slowlog.include.user", true, BOOL, USERS)
              .idle("index.indexing.slowlog.level", true, TEXT, LEVELS)
              .idle("index.indexing.slowlog.reformat", true, BOOL, "sources are shown as they came")
              .idle(
                  "index.store.type", false, oneOf("", "fs", "hybridfs", "mmapfs", "niofs"), DISKS)
              .idle("index.store.preload", false, LIST, DISKS)
              .idle("index.store.stats_refresh_interval", false, TIME, DISKS)
              .idle("index.store.fs.fs_lock", false, TEXT, DISKS)
              .idle(
                  "index.store.fs.directio_async_prefetch_limit",
                  false,
                  whole(0, Integer.MAX_VALUE),
                  DISKS)
              .idle(
                  "index.shard.check_on_startup", false, oneOf("false", "true", "checksum"), DISKS)
              .idle("index.compound_format", true, COMPOUND, DISKS)
              .idle("index.recovery.type", false, TEXT, DISKS)
              .idle("index.recovery.use_synthetic_source", false, BOOL, DISKS)
              .idle("index.data_path", false, TEXT, DISKS)
              .idle(
                  "index.routing.allocation.enable",
                  true,
                  oneOf("all", "primaries", "new_primaries", "none"),
                  DISKS)
              .idle(
                  "index.routing.allocation.total_shards_per_node",
                  true,
                  whole(-1, Integer.MAX_VALUE),
                  DISKS)
              .idle("index.routing.allocation.disk.watermark.ignore", true, BOOL, DISKS)
              .idle(
                  "index.routing.rebalance.enable",
                  true,
                  oneOf("all", "primaries", "replicas", "none"),
                  DISKS)
              .idle("index.allocation.max_retries", true, whole(0, Integer.MAX_VALUE), DISKS)
              .idle("index.allocation.existing_shards_allocator", false, TEXT, DISKS)
              .idle("index.unassigned.node_left.delayed_timeout", true, DURATION, DISKS)
              .idle("index.priority", true, whole(0, Integer.MAX_VALUE), DISKS)
              .idle("index.translog.sync_interval", true, timeFrom("100ms"), DISKS)
              .idle("index.translog.flush_threshold_size", true, sizeFrom("56b"), DISKS)
              .idle("index.translog.flush_threshold_age", true, timeFrom("1s"), DISKS)
              .idle("index.translog.generation_threshold_size", true, sizeFrom("56b"), DISKS)
              .idle("index.translog.retention.age", true, TIME, DISKS)
              .idle("index.translog.retention.size", true, SIZE, DISKS)
              .idle("index.soft_deletes.enabled", false, BOOL, DISKS)
              .idle(
                  "index.soft_deletes.retention.operations",
                  true,
                  whole(0, Integer.MAX_VALUE),
                  DISKS)
              .idle("index.soft_deletes.retention_lease.period", true, DURATION, DISKS)
              .idle("index.merge.policy.deletes_pct_allowed", true, number(5, 50), MERGES)
              .idle("index.merge.policy.expunge_deletes_allowed", true, number(0, 100), MERGES)
              .idle("index.merge.policy.floor_segment", true, sizeFrom("1b"), MERGES)
              .idle(
                  "index.merge.policy.max_merge_at_once", true, whole(2, Integer.MAX_VALUE), MERGES)
              .idle(
                  "index.merge.policy.max_merge_at_once_explicit",
                  true,
                  whole(0, Integer.MAX_VALUE),
                  MERGES)
              .idle("index.merge.policy.max_merged_segment", true, SIZE, MERGES)
              .idle("index.merge.policy.merge_factor", true, whole(2, Integer.MAX_VALUE), MERGES)
              .idle(
                  "index.merge.policy.segments_per_tier", true, number(2, Double.MAX_VALUE), MERGES)
              .idle(
                  "index.merge.policy.type",
                  true,
                  anyCaseOf("unset", "tiered", "time_based"),
                  MERGES)
              .idle("index.merge.scheduler.auto_throttle", true, BOOL, MERGES)
              .idle(
                  "index.merge.scheduler.max_merge_count",
                  true,
                  whole(1, Integer.MAX_VALUE),
                  MERGES)
              .idle(
                  "index.merge.scheduler.max_thread_count",
                  true,
                  whole(1, Integer.MAX_VALUE),
                  MERGES)
              .idle("index.mapping.ignore_above", false, whole(0, Integer.MAX_VALUE), OWN)
              .idle("index.mapping.field_name_length.ignore_dynamic_beyond_limit", true, BOOL, OWN)
              .idle("index.mapping.nested_parents.limit", true, whole(0, Long.MAX_VALUE), OWN)
              .idle("index.flush_after_merge", true, SIZE, MERGES)
              .idle(
                  "index.translog.durability",
                  true,
                  oneOf("request", "async", "REQUEST", "ASYNC"),
                  "a write is acknowledged when it is durable, always")
              .idle(
                  "index.write.wait_for_active_shards",
                  true,
                  ACTIVE,
                  "a write is durable in the store before it is acknowledged, however many copies"
                      + " there are")
              .idle(
                  "index.auto_expand_replicas",
                  true,
                  COPIES,
                  "search copies are as many as number_of_replicas says")
              .idle(
                  "index.search.idle.after",
                  true,
                  DURATION,
                  "a search of a shard that nobody searched for a while waits for its refresh")
              .idle("index.search.throttled", true, BOOL, "no index is frozen")
              .idle(
                  "index.fast_refresh",
                  false,
                  BOOL,
                  "a search sees what a refresh made as soon as it has ended")
              .idle("index.warmer.enabled", true, BOOL, "a copy is searched when it has its commit")
              .idle(
                  "index.gc_deletes",
                  true,
                  TIME,
                  "deletions are remembered as long as an older write may come")
              .idle(
                  "index.bloom_filter_for_id_field.enabled",
                  true,
                  BOOL,
                  "ids always have a bloom filter")
              .idle(
                  "index.load_fixed_bitset_filters_eagerly",
                  false,
                  BOOL,
                  "filters of nested documents are made when a search first needs them")
              .idle(
                  "index.max_adjacency_matrix_filters",
                  true,
                  whole(2, Integer.MAX_VALUE),
                  "max_buckets and the limit of clauses bound them")
              .idle(
                  "index.max_refresh_listeners",
                  true,
                  whole(0, Integer.MAX_VALUE),
                  "requests that wait for a refresh are bounded by memory")
              .idle(
                  "index.query.parse.allow_unmapped_fields",
                  false,
                  BOOL,
                  "only percolated queries could differ by it")
              .idle(
                  "index.query_string.lenient",
                  false,
                  BOOL,
                  "a query_string says itself whether it is lenient")
              .idle(
                  "index.lifecycle.step.wait_time_threshold",
                  true,
                  TIME,
                  "a step of a policy waits as long as it takes")
              .done());

  private IdleIndexSettings() {}
}
