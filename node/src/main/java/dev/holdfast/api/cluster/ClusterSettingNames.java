package dev.holdfast.api.cluster;

import dev.holdfast.api.cluster.ClusterSetting.Kind;
import dev.holdfast.api.indices.lifecycle.AutoSharding;
import dev.holdfast.api.indices.lifecycle.Retention;
import dev.holdfast.api.scaling.ScalingLimits;
import dev.holdfast.clusterstate.Formats;
import dev.holdfast.clusterstate.stream.FailureStore;
import dev.holdfast.cost.StorageClassPolicy;
import dev.holdfast.cost.StoreBudget;
import dev.holdfast.script.CompilationRate;
import dev.holdfast.settings.LogLevels;
import dev.holdfast.world.Refusal;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The cluster settings that clients and tools set: kept and shown; names of other families are
/// refused. Those that mean nothing in a cluster without disks, replicas and votes are answered
/// with a warning.
public final class ClusterSettingNames {
  private static final String SHARDS =
      "shards lie in the object store: there are no disks to allocate them to";
  private static final String VOTES = "a lease in the object store says who leads, not votes";
  private static final String TASKS = "no task is allocated to a node";
  private static final String RECOVERY = "no shard is copied from node to node";
  private static final String NOT_HERE = "the feature does not exist here";
  private static final String MEMORY = "memory is asked for by request and as a whole";
  private static final String FIXED_TIMES = "how often and how long is fixed";
  private static final String TRACES = "calls between nodes are not traced";
  private static final String SEARCHES = "searches do not follow it";
  private static final String SIZES = "no number of shards is refused";

  /// Filters of nodes by address.
  private static final Pattern ADDRESSES =
      Pattern.compile(
          "cluster\\.routing\\.allocation\\.(include|exclude|require)"
              + "\\.(_ip|_host_ip|_publish_ip)");

  /// Families whose members users make up.
  private static final Map<String, String> FAMILIES =
      Map.of(
          "archived.", "nobody reads settings of other versions",
          "cluster.metadata.", "",
          "cluster.remote.", "there are no remote clusters",
          "cluster.routing.allocation.exclude.", SHARDS,
          "cluster.routing.allocation.include.", SHARDS,
          "cluster.routing.allocation.require.", SHARDS,
          "cluster.routing.allocation.awareness.force.", SHARDS,
          "logger.", "",
          "xpack.", NOT_HERE);

  /// Every one that is declared.
  public static final List<ClusterSetting> KNOWN =
      List.of(
          ClusterSetting.read("action.auto_create_index", Kind.CREATION, "true", "AutoCreation"),
          ClusterSetting.read(
              "action.destructive_requires_name", Kind.BOOL, "false", "DestructiveExpressions"),
          ClusterSetting.idle(
              "action.search.shard_count.limit", Kind.WHOLE, "9223372036854775807", SIZES),
          ClusterSetting.read(
              ScalingLimits.IDLE, Kind.DURATION, ScalingLimits.IDLE_DEFAULT, "ScalingLimits"),
          ClusterSetting.read(
              ScalingLimits.INDEX_MAX,
              Kind.COUNT,
              ScalingLimits.NODES_MAX_DEFAULT,
              "ScalingLimits"),
          ClusterSetting.read(
              ScalingLimits.INDEX_MIN,
              Kind.WHOLE,
              ScalingLimits.NODES_MIN_DEFAULT,
              "ScalingLimits"),
          ClusterSetting.read(
              ScalingLimits.QUIET, Kind.DURATION, ScalingLimits.QUIET_DEFAULT, "ScalingLimits"),
          ClusterSetting.read(
              ScalingLimits.SEARCH_MAX,
              Kind.COUNT,
              ScalingLimits.NODES_MAX_DEFAULT,
              "ScalingLimits"),
          ClusterSetting.read(
              ScalingLimits.SEARCH_MIN,
              Kind.WHOLE,
              ScalingLimits.NODES_MIN_DEFAULT,
              "ScalingLimits"),
          ClusterSetting.read(
              ScalingLimits.BETWEEN_STEPS,
              Kind.DURATION,
              ScalingLimits.BETWEEN_STEPS_DEFAULT,
              "ScalingLimits"),
          ClusterSetting.read(AutoSharding.THREADS_MAX, Kind.COUNT, "32", "AutoSharding"),
          ClusterSetting.read(AutoSharding.THREADS_MIN, Kind.COUNT, "2", "AutoSharding"),
          ClusterSetting.idle("cluster.auto_shrink_voting_configuration", Kind.BOOL, "true", VOTES),
          ClusterSetting.read("cluster.auto_split.enabled", Kind.BOOL, "false", "SplitRuns"),
          ClusterSetting.read("cluster.auto_split.max_shard_size", Kind.SIZE, "50gb", "SplitRuns"),
          ClusterSetting.read("cluster.blocks.read_only", Kind.BOOL, "false", "ClusterBlocks"),
          ClusterSetting.read(
              "cluster.blocks.read_only_allow_delete", Kind.BOOL, "false", "ClusterBlocks"),
          ClusterSetting.read(Formats.HOLD, Kind.BOOL, "false", "Formats"),
          ClusterSetting.read(AutoSharding.DECREASE_COOLDOWN, Kind.DURATION, "3d", "AutoSharding"),
          ClusterSetting.read(AutoSharding.DECREASE_METRIC, Kind.LOAD, "all_time", "AutoSharding"),
          ClusterSetting.read(AutoSharding.EXCLUDES, Kind.TEXT, "", "AutoSharding"),
          ClusterSetting.read(
              AutoSharding.INCREASE_COOLDOWN, Kind.DURATION, "270s", "AutoSharding"),
          ClusterSetting.read(AutoSharding.INCREASE_METRIC, Kind.LOAD, "all_time", "AutoSharding"),
          ClusterSetting.read(FailureStore.ENABLED, Kind.TEXT, "", "FailureStore"),
          ClusterSetting.read(
              "data_streams.lifecycle.poll_interval", Kind.POLL, "5m", "LifecycleRuns"),
          ClusterSetting.read(Retention.DEFAULT, Kind.RETENTION, "-1", "Retention"),
          ClusterSetting.read(
              Retention.FAILURES, Kind.RETENTION, Retention.FAILURES_BY_DEFAULT, "Retention"),
          ClusterSetting.read(Retention.MAX, Kind.RETENTION, "-1", "Retention"),
          ClusterSetting.read("cluster.indices.close.enable", Kind.BOOL, "true", "OpenIndexApi"),
          ClusterSetting.idle("cluster.indices.tombstones.size", Kind.WHOLE, "500", FIXED_TIMES),
          ClusterSetting.idle("cluster.info.update.interval", Kind.TIME, "30s", SHARDS),
          ClusterSetting.idle("cluster.info.update.timeout", Kind.TIME, "15s", SHARDS),
          ClusterSetting.read("cluster.logsdb.enabled", Kind.BOOL, "false", "LogsMode"),
          ClusterSetting.idle("cluster.max_shards_per_node", Kind.COUNT, "1000", SIZES),
          ClusterSetting.idle("cluster.max_shards_per_node.frozen", Kind.COUNT, "3000", SIZES),
          ClusterSetting.idle("cluster.max_voting_config_exclusions", Kind.WHOLE, "10", VOTES),
          ClusterSetting.idle("cluster.no_master_block", Kind.BLOCK, "metadata_write", VOTES),
          ClusterSetting.idle(
              "cluster.persistent_tasks.allocation.enable", Kind.TASKS, "all", TASKS),
          ClusterSetting.idle(
              "cluster.persistent_tasks.allocation.recheck_interval", Kind.TIME, "30s", TASKS),
          ClusterSetting.idle(
              "cluster.routing.allocation.allow_rebalance", Kind.REBALANCING, "always", SHARDS),
          ClusterSetting.idle(
              "cluster.routing.allocation.awareness.attributes", Kind.TEXT, "", SHARDS),
          ClusterSetting.idle(
              "cluster.routing.allocation.balance.index", Kind.NUMBER, "0.55", SHARDS),
          ClusterSetting.idle(
              "cluster.routing.allocation.balance.shard", Kind.NUMBER, "0.45", SHARDS),
          ClusterSetting.idle(
              "cluster.routing.allocation.balance.threshold", Kind.NUMBER, "1.0", SHARDS),
          ClusterSetting.idle(
              "cluster.routing.allocation.cluster_concurrent_rebalance", Kind.WHOLE, "2", SHARDS),
          ClusterSetting.idle(
              "cluster.routing.allocation.disk.threshold_enabled", Kind.BOOL, "true", SHARDS),
          ClusterSetting.idle(
              "cluster.routing.allocation.disk.watermark.flood_stage",
              Kind.WATERMARK,
              "95%",
              SHARDS),
          ClusterSetting.idle(
              "cluster.routing.allocation.disk.watermark.high", Kind.WATERMARK, "90%", SHARDS),
          ClusterSetting.idle(
              "cluster.routing.allocation.disk.watermark.low", Kind.WATERMARK, "85%", SHARDS),
          ClusterSetting.idle("cluster.routing.allocation.enable", Kind.ALLOCATION, "all", SHARDS),
          ClusterSetting.idle(
              "cluster.routing.allocation.node_concurrent_incoming_recoveries",
              Kind.WHOLE,
              "2",
              SHARDS),
          ClusterSetting.idle(
              "cluster.routing.allocation.node_concurrent_outgoing_recoveries",
              Kind.WHOLE,
              "2",
              SHARDS),
          ClusterSetting.idle(
              "cluster.routing.allocation.node_concurrent_recoveries", Kind.WHOLE, "2", SHARDS),
          ClusterSetting.idle(
              "cluster.routing.allocation.node_initial_primaries_recoveries",
              Kind.WHOLE,
              "4",
              SHARDS),
          ClusterSetting.idle(
              "cluster.routing.allocation.same_shard.host", Kind.BOOL, "false", SHARDS),
          ClusterSetting.idle(
              "cluster.routing.allocation.total_shards_per_node", Kind.TEXT, "-1", SHARDS),
          ClusterSetting.idle("cluster.routing.rebalance.enable", Kind.REBALANCE, "all", SHARDS),
          ClusterSetting.idle(
              "cluster.service.slow_task_logging_threshold", Kind.TIME, "10s", FIXED_TIMES),
          ClusterSetting.read(
              "indices.breaker.fielddata.limit", Kind.SHARE, "40%", "BreakerLimits"),
          ClusterSetting.read("indices.breaker.request.limit", Kind.SHARE, "30%", "BreakerLimits"),
          ClusterSetting.read("indices.breaker.total.limit", Kind.SHARE, "95%", "BreakerLimits"),
          ClusterSetting.idle("indices.id_field_data.enabled", Kind.BOOL, "false", MEMORY),
          ClusterSetting.idle(
              "indices.lifecycle.history_index_enabled", Kind.BOOL, "true", NOT_HERE),
          ClusterSetting.read("indices.lifecycle.poll_interval", Kind.POLL, "10m", "PolicyRuns"),
          ClusterSetting.read(
              "indices.lifecycle.rollover.only_if_has_documents",
              Kind.BOOL,
              "true",
              "RolloverAction"),
          ClusterSetting.idle("indices.mapping.dynamic_timeout", Kind.TIME, "30s", FIXED_TIMES),
          ClusterSetting.idle(
              "indices.recovery.internal_action_timeout", Kind.TIME, "15m", RECOVERY),
          ClusterSetting.idle("indices.recovery.max_bytes_per_sec", Kind.SIZE, "40mb", RECOVERY),
          ClusterSetting.idle(
              "indices.recovery.max_concurrent_file_chunks", Kind.WHOLE, "2", RECOVERY),
          ClusterSetting.idle(
              "indices.recovery.max_concurrent_operations", Kind.WHOLE, "1", RECOVERY),
          ClusterSetting.idle(
              "ingest.geoip.downloader.enabled", Kind.BOOL, "false", "nothing is downloaded"),
          ClusterSetting.idle("network.breaker.inflight_requests.limit", Kind.TEXT, "15%", MEMORY),
          ClusterSetting.idle(
              "network.breaker.inflight_requests.overhead", Kind.NUMBER, "2.0", MEMORY),
          ClusterSetting.read(
              CompilationRate.SETTING, Kind.RATE, CompilationRate.UNLIMITED, "ScriptLimits"),
          ClusterSetting.read("script.max_size_in_bytes", Kind.WHOLE, "65535", "ScriptLimits"),
          ClusterSetting.idle(
              "search.aggs.rewrite_to_filter_by_filter", Kind.BOOL, "true", SEARCHES),
          ClusterSetting.read("search.allow_expensive_queries", Kind.BOOL, "true", "TargetOpening"),
          ClusterSetting.read(
              "search.default_allow_partial_results", Kind.BOOL, "true", "PartialResults"),
          ClusterSetting.idle("search.default_keep_alive", Kind.TIME, "5m", FIXED_TIMES),
          ClusterSetting.read("search.default_search_timeout", Kind.TIME, "-1", "SearchTimeout"),
          ClusterSetting.idle("search.keep_alive_interval", Kind.TIME, "1m", FIXED_TIMES),
          ClusterSetting.idle("search.low_level_cancellation", Kind.BOOL, "true", SEARCHES),
          ClusterSetting.read(
              "search.max_async_search_response_size", Kind.SIZE, "10mb", "StoredResponses"),
          ClusterSetting.read("search.max_buckets", Kind.WHOLE, "65536", "MergedResults"),
          ClusterSetting.idle("search.max_keep_alive", Kind.TIME, "24h", FIXED_TIMES),
          ClusterSetting.read("search.max_open_pit_context", Kind.WHOLE, "5000", "HeldCommits"),
          ClusterSetting.read("search.max_open_scroll_context", Kind.WHOLE, "500", "HeldCommits"),
          ClusterSetting.read(
              "slm.health.failed_snapshot_warn_threshold", Kind.COUNT, "5", "PolicyHealth"),
          ClusterSetting.read("slm.minimum_interval", Kind.TIME, "15m", "SnapshotPoliciesApi"),
          ClusterSetting.read("slm.retention_duration", Kind.TIME, "1h", "RetentionRuns"),
          ClusterSetting.read(
              "slm.retention_schedule", Kind.SCHEDULE, "0 30 1 * * ?", "RetentionRuns"),
          ClusterSetting.idle("snapshot.max_concurrent_operations", Kind.WHOLE, "1000", RECOVERY),
          ClusterSetting.read("stack.templates.enabled", Kind.BOOL, "true", "BuiltInTemplates"),
          ClusterSetting.read(StoreBudget.SETTING, Kind.DOLLARS, "", "StoreBudget"),
          ClusterSetting.read(StorageClassPolicy.SETTING, Kind.TEXT, "", "StorageClassPolicy"),
          ClusterSetting.read(
              StorageClassPolicy.AFTER,
              Kind.DURATION,
              StorageClassPolicy.AFTER_BY_DEFAULT,
              "StorageClassPolicy"),
          ClusterSetting.read(
              "time_series.poll_interval", Kind.RANGE_POLL, "5m", "SeriesRangeRuns"),
          ClusterSetting.idle("transport.tracer.exclude", Kind.TEXT, "", TRACES),
          ClusterSetting.idle("transport.tracer.include", Kind.TEXT, "", TRACES));

  private static final Map<String, ClusterSetting> BY_NAME =
      KNOWN.stream().collect(Collectors.toMap(ClusterSetting::name, Function.identity()));

  private ClusterSettingNames() {}

  static boolean isKnown(String name) {
    return BY_NAME.containsKey(name)
        || FAMILIES.keySet().stream()
            .anyMatch(family -> name.startsWith(family) && name.length() > family.length());
  }

  /// Refuses a value that is of another kind than the setting's own.
  ///
  /// @param value null for "back to the default"
  static void check(String name, @Nullable Object value) {
    ClusterSetting declared = BY_NAME.get(name);
    if (name.startsWith(LogLevels.PREFIX)) {
      LogLevels.check(name, value);
    }
    if (value != null && ADDRESSES.matcher(name).matches()) {
      checkAddresses(name, value.toString());
    }
    if (declared != null && value != null) {
      declared.check(value.toString());
    }
  }

  /// @throws Refusal `illegal_argument_exception` for what is neither an address nor a pattern
  private static void checkAddresses(String name, String value) {
    for (String address : value.split(",")) {
      if (address.indexOf('*') < 0 && !isAddress(address)) {
        throw Refusal.badArgument("invalid IP address [" + address + "] for [" + name + "]");
      }
    }
  }

  private static boolean isAddress(String text) {
    try {
      InetAddress _ = InetAddress.ofLiteral(text);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /// Why a setting has no effect here; empty when it has one.
  static String idle(String name) {
    ClusterSetting declared = BY_NAME.get(name);
    if (declared != null) {
      return declared.idle();
    }
    return FAMILIES.entrySet().stream()
        .filter(family -> name.startsWith(family.getKey()))
        .map(Map.Entry::getValue)
        .findFirst()
        .orElse("");
  }

  static List<String> names() {
    return KNOWN.stream().map(ClusterSetting::name).toList();
  }
}
