package dev.holdfast.api.indices.settings;

import dev.holdfast.clusterstate.IndexMetadata;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// What settings are when nobody set them, as `include_defaults` shows them: names and values of
/// Elasticsearch 9.5. Those of disks and merges say what clients expect to read; they change
/// nothing here.
public final class IndexSettingDefaults {
  private static final SortedMap<String, Object> ALL = new TreeMap<>();

  static {
    ALL.put("index.query.default_field", List.of("*"));
    put("index.allocation.max_retries", "5");
    put("index.analyze.max_token_count", "10000");
    put("index.auto_expand_replicas", "false");
    put("index.blocks.metadata", "false");
    put("index.blocks.read", "false");
    put("index.blocks.read_only", "false");
    put("index.blocks.read_only_allow_delete", "false");
    put("index.blocks.write", "false");
    put("index.bloom_filter_for_id_field.enabled", "true");
    put("index.codec", "default");
    put("index.default_pipeline", "_none");
    put("index.fast_refresh", "false");
    put("index.final_pipeline", "_none");
    put("index.flush_after_merge", "512mb");
    put("index.gc_deletes", "60s");
    put("index.hidden", "false");
    put("index.highlight.max_analyzed_offset", "1000000");
    put("index.indexing.slowlog.include.user", "false");
    put("index.indexing.slowlog.level", "");
    put("index.indexing.slowlog.reformat", "true");
    put("index.indexing.slowlog.source", "1000");
    put("index.indexing.slowlog.threshold.index.debug", "-1");
    put("index.indexing.slowlog.threshold.index.info", "-1");
    put("index.indexing.slowlog.threshold.index.trace", "-1");
    put("index.indexing.slowlog.threshold.index.warn", "-1");
    put("index.lifecycle.indexing_complete", "false");
    put("index.lifecycle.name", "");
    put("index.lifecycle.origination_date", "-1");
    put("index.lifecycle.parse_origination_date", "false");
    put("index.lifecycle.prefer_ilm", "true");
    put("index.lifecycle.rollover_alias", "");
    put("index.lifecycle.skip", "false");
    put("index.load_fixed_bitset_filters_eagerly", "true");
    put("index.mapping.coerce", "false");
    put("index.mapping.depth.limit", "20");
    put("index.mapping.dimension_fields.limit", "32768");
    put("index.mapping.exclude_source_vectors", "true");
    put("index.mapping.field_name_length.limit", "9223372036854775807");
    put("index.mapping.ignore_above", "2147483647");
    put("index.mapping.ignore_malformed", "false");
    put("index.mapping.nested_fields.limit", "100");
    put("index.mapping.nested_objects.limit", "10000");
    put("index.mapping.source.mode", "STORED");
    put("index.mapping.synthetic_source_keep", "none");
    put("index.mapping.total_fields.ignore_dynamic_beyond_limit", "false");
    put("index.mapping.total_fields.limit", "1000");
    put("index.max_adjacency_matrix_filters", "100");
    put("index.max_docvalue_fields_search", "100");
    put("index.max_inner_result_window", "100");
    put("index.max_ngram_diff", "1");
    put("index.max_refresh_listeners", "1000");
    put("index.max_regex_length", "1000");
    put("index.max_rescore_window", "10000");
    put("index.max_result_window", "10000");
    put("index.max_script_fields", "32");
    put("index.max_shingle_diff", "3");
    put("index.max_slices_per_scroll", "1024");
    put("index.max_terms_count", "65536");
    put("index.merge.policy.deletes_pct_allowed", "20.0");
    put("index.merge.policy.expunge_deletes_allowed", "10.0");
    put("index.merge.policy.floor_segment", "16mb");
    put("index.merge.policy.max_merge_at_once", "16");
    put("index.merge.policy.max_merge_at_once_explicit", "30");
    put("index.merge.policy.max_merged_segment", "0b");
    put("index.merge.policy.segments_per_tier", "8.0");
    put("index.merge.scheduler.auto_throttle", "true");
    put("index.merge.scheduler.max_merge_count", "6");
    put("index.merge.scheduler.max_thread_count", "1");
    put("index.mode", "standard");
    put("index.priority", "1");
    put("index.queries.cache.enabled", "true");
    put("index.query.parse.allow_unmapped_fields", "true");
    put("index.query_string.lenient", "false");
    put("index.refresh_interval", "1s");
    put("index.requests.cache.enable", "true");
    put("index.routing.allocation.disk.watermark.ignore", "false");
    put("index.routing.allocation.enable", "all");
    put("index.routing.allocation.total_shards_per_node", "-1");
    put("index.routing.rebalance.enable", "all");
    put("index.routing_partition_size", "1");
    put("index.search.idle.after", "30s");
    put("index.search.slowlog.include.user", "false");
    put("index.search.slowlog.level", "");
    put("index.search.slowlog.threshold.fetch.debug", "-1");
    put("index.search.slowlog.threshold.fetch.info", "-1");
    put("index.search.slowlog.threshold.fetch.trace", "-1");
    put("index.search.slowlog.threshold.fetch.warn", "-1");
    put("index.search.slowlog.threshold.query.debug", "-1");
    put("index.search.slowlog.threshold.query.info", "-1");
    put("index.search.slowlog.threshold.query.trace", "-1");
    put("index.search.slowlog.threshold.query.warn", "-1");
    put("index.shard.check_on_startup", "false");
    put("index.soft_deletes.enabled", "true");
    put("index.soft_deletes.retention.operations", "0");
    put("index.soft_deletes.retention_lease.period", "12h");
    put("index.store.type", "");
    put("index.translog.durability", "REQUEST");
    put("index.translog.flush_threshold_age", "1m");
    put("index.translog.flush_threshold_size", "10gb");
    put("index.translog.generation_threshold_size", "64mb");
    put("index.translog.retention.age", "-1");
    put("index.translog.retention.size", "-1");
    put("index.translog.sync_interval", "5s");
    put("index.unassigned.node_left.delayed_timeout", "1m");
    put("index.warmer.enabled", "true");
    put("index.write.wait_for_active_shards", "1");
  }

  private IndexSettingDefaults() {}

  /// By name.
  public static SortedMap<String, Object> all() {
    return Collections.unmodifiableSortedMap(ALL);
  }

  private static void put(String name, String value) {
    ALL.put(name, value);
  }

  /// The settings of an index that are at their defaults, by dotted name.
  public static SortedMap<String, Object> of(IndexMetadata index) {
    SortedMap<String, Object> defaults = new TreeMap<>(ALL);
    defaults.put("index.number_of_routing_shards", Integer.toString(index.shards()));
    defaults.keySet().removeAll(index.settings().keySet());
    return defaults;
  }
}
