package dev.holdfast.api.cluster;

import dev.holdfast.clusterstate.Formats;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The cluster settings that clients and tools set: kept and shown; names of other families are
/// refused. What a name does here is told by the room that reads it; many do nothing in a cluster
/// without disks and replicas.
final class ClusterSettingNames {
  /// Families whose members users make up.
  private static final List<String> FAMILIES =
      List.of(
          "archived.",
          "cluster.metadata.",
          "cluster.remote.",
          "cluster.routing.allocation.exclude.",
          "cluster.routing.allocation.include.",
          "cluster.routing.allocation.require.",
          "cluster.routing.allocation.awareness.force.",
          "logger.",
          "xpack.");

  /// Settings and the values they have when nobody set them; an empty text for "none".
  static final List<List<String>> KNOWN =
      List.of(
          List.of("action.auto_create_index", "true"),
          List.of("action.destructive_requires_name", "false"),
          List.of("action.search.shard_count.limit", "9223372036854775807"),
          List.of("cluster.auto_shrink_voting_configuration", "true"),
          List.of("cluster.blocks.read_only", "false"),
          List.of("cluster.blocks.read_only_allow_delete", "false"),
          List.of(Formats.HOLD, "false"),
          List.of("cluster.indices.close.enable", "true"),
          List.of("cluster.indices.tombstones.size", "500"),
          List.of("cluster.info.update.interval", "30s"),
          List.of("cluster.info.update.timeout", "15s"),
          List.of("cluster.max_shards_per_node", "1000"),
          List.of("cluster.max_shards_per_node.frozen", "3000"),
          List.of("cluster.max_voting_config_exclusions", "10"),
          List.of("cluster.no_master_block", "metadata_write"),
          List.of("cluster.persistent_tasks.allocation.enable", "all"),
          List.of("cluster.persistent_tasks.allocation.recheck_interval", "30s"),
          List.of("cluster.routing.allocation.allow_rebalance", "always"),
          List.of("cluster.routing.allocation.awareness.attributes", ""),
          List.of("cluster.routing.allocation.balance.index", "0.55"),
          List.of("cluster.routing.allocation.balance.shard", "0.45"),
          List.of("cluster.routing.allocation.balance.threshold", "1.0"),
          List.of("cluster.routing.allocation.cluster_concurrent_rebalance", "2"),
          List.of("cluster.routing.allocation.disk.threshold_enabled", "true"),
          List.of("cluster.routing.allocation.disk.watermark.flood_stage", "95%"),
          List.of("cluster.routing.allocation.disk.watermark.high", "90%"),
          List.of("cluster.routing.allocation.disk.watermark.low", "85%"),
          List.of("cluster.routing.allocation.enable", "all"),
          List.of("cluster.routing.allocation.node_concurrent_incoming_recoveries", "2"),
          List.of("cluster.routing.allocation.node_concurrent_outgoing_recoveries", "2"),
          List.of("cluster.routing.allocation.node_concurrent_recoveries", "2"),
          List.of("cluster.routing.allocation.node_initial_primaries_recoveries", "4"),
          List.of("cluster.routing.allocation.same_shard.host", "false"),
          List.of("cluster.routing.allocation.total_shards_per_node", "-1"),
          List.of("cluster.routing.rebalance.enable", "all"),
          List.of("cluster.service.slow_task_logging_threshold", "10s"),
          List.of("data_streams.lifecycle.poll_interval", "5m"),
          List.of("indices.breaker.fielddata.limit", "40%"),
          List.of("indices.breaker.request.limit", "60%"),
          List.of("indices.breaker.total.limit", "95%"),
          List.of("indices.id_field_data.enabled", "false"),
          List.of("indices.lifecycle.history_index_enabled", "true"),
          List.of("indices.lifecycle.poll_interval", "10m"),
          List.of("indices.mapping.dynamic_timeout", "30s"),
          List.of("indices.recovery.internal_action_timeout", "15m"),
          List.of("indices.recovery.max_bytes_per_sec", "40mb"),
          List.of("indices.recovery.max_concurrent_file_chunks", "2"),
          List.of("indices.recovery.max_concurrent_operations", "1"),
          List.of("ingest.geoip.downloader.enabled", "false"),
          List.of("network.breaker.inflight_requests.limit", "15%"),
          List.of("network.breaker.inflight_requests.overhead", "2.0"),
          List.of("script.max_compilations_rate", "150/5m"),
          List.of("search.aggs.rewrite_to_filter_by_filter", "true"),
          List.of("search.allow_expensive_queries", "true"),
          List.of("search.default_allow_partial_results", "true"),
          List.of("search.default_keep_alive", "5m"),
          List.of("search.default_search_timeout", "-1"),
          List.of("search.keep_alive_interval", "1m"),
          List.of("search.low_level_cancellation", "true"),
          List.of("search.max_async_search_response_size", "10mb"),
          List.of("search.max_buckets", "65536"),
          List.of("search.max_keep_alive", "24h"),
          List.of("search.max_open_scroll_context", "500"),
          List.of("slm.retention_schedule", "0 30 1 * * ?"),
          List.of("snapshot.max_concurrent_operations", "1000"),
          List.of("stack.templates.enabled", "true"),
          List.of("transport.tracer.exclude", ""),
          List.of("transport.tracer.include", ""));

  private static final Map<String, List<String>> CHOICES =
      Map.of(
          "cluster.routing.allocation.enable",
          List.of("all", "primaries", "new_primaries", "none"),
          "cluster.routing.rebalance.enable",
          List.of("all", "primaries", "replicas", "none"));

  private ClusterSettingNames() {}

  static boolean isKnown(String name) {
    return FAMILIES.stream().anyMatch(name::startsWith)
        || KNOWN.stream().anyMatch(known -> known.getFirst().equals(name));
  }

  /// Refuses a value that is of another kind than the setting's own.
  ///
  /// @param value null for "back to the default"
  static void check(String name, @Nullable Object value) {
    String own = "";
    for (List<String> known : KNOWN) {
      own = known.getFirst().equals(name) ? known.get(1) : own;
    }
    String text = value == null ? own : value.toString();
    List<String> choices = CHOICES.get(name);
    if (choices != null && !choices.contains(text.toLowerCase(Locale.ROOT))) {
      throw Refusal.badArgument(
          "illegal value [" + text + "] for [" + name + "], it must be one of " + choices);
    }
    if (!own.matches("\\d+")) {
      return;
    }
    long number;
    try {
      number = Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new Refusal(
          ErrorType.ILLEGAL_ARGUMENT,
          "Failed to parse value [" + text + "] for setting [" + name + "]",
          new Refusal(ErrorType.NUMBER_FORMAT, String.valueOf(e.getMessage())));
    }
    if (number < 0) {
      throw Refusal.badArgument(
          "Failed to parse value [" + text + "] for setting [" + name + "] must be >= 0");
    }
  }

  static List<String> names() {
    return KNOWN.stream().map(List::getFirst).toList();
  }
}
