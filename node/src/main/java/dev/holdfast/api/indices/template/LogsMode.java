package dev.holdfast.api.indices.template;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.Formats;
import dev.holdfast.document.MappedField;
import dev.holdfast.document.Mapping;
import dev.holdfast.document.MappingFactory;
import dev.holdfast.document.mapping.IndexSort;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.text.Wildcards;
import java.util.List;
import java.util.SortedMap;
import org.apache.lucene.search.Sort;
import org.jspecify.annotations.Nullable;

/// Indices of logs (`index.mode: logsdb`): sorted by host and time, newest first, with sources that
/// are made of their columns and stored fields in large zstd blocks. What the mode means is written
/// into the settings of an index when it is made, where the request says nothing else, so that the
/// index stays what it was under later builds.
public final class LogsMode {
  /// Whether streams of `logs-*-*` are of this mode where nobody says which.
  static final String BY_DEFAULT = "cluster.logsdb.enabled";

  private static final String MODE = "index.mode";
  private static final String SOURCE = "index.mapping.source.mode";
  private static final String SORT = "index.sort.";
  private static final String TIME = "@timestamp";
  private static final String HOST = "host.name";

  private LogsMode() {}

  /// Whether settings are those of an index of logs.
  public static boolean is(SortedMap<String, Object> settings) {
    return "logsdb".equals(settings.get(MODE));
  }

  /// Gives a stream of logs the mode, where the cluster says so, all of its members know the mode,
  /// and the settings do not say which: a stream goes on while a cluster is upgraded.
  ///
  /// @param settings of its next index; changed
  public static void putByDefault(
      ClusterState state, String stream, SortedMap<String, Object> settings) {
    if (Wildcards.matches("logs-*-*", stream)
        && "true".equals(String.valueOf(state.setting(BY_DEFAULT)))
        && Formats.areEnabled(state, Formats.INDEX_MODES)) {
      settings.putIfAbsent(MODE, "logsdb");
    }
  }

  /// What the mode makes of the settings and the mapping of a new index.
  ///
  /// @param settings changed
  /// @return the mapping with the time and, where there is room for it, the host
  /// @throws Refusal for what an index of logs cannot be
  public static ObjectNode prepared(
      MappingFactory mappings, ObjectNode given, SortedMap<String, Object> settings) {
    if ("disabled".equalsIgnoreCase(String.valueOf(settings.get(SOURCE)))) {
      throw disabled();
    }
    settings.putIfAbsent(SOURCE, "synthetic");
    settings.putIfAbsent("index.codec", "best_compression");
    settings.putIfAbsent("index.mapping.ignore_malformed", "true");
    settings.putIfAbsent("index.mapping.synthetic_source_keep", "arrays");
    settings.putIfAbsent("index.mapping.total_fields.ignore_dynamic_beyond_limit", "true");
    Mapping mapping = mappings.create(given, settings);
    if (!mapping.toJson().path("_source").path("enabled").asBoolean(true)) {
      throw disabled();
    }
    ObjectNode more = Json.object();
    if (!given.has("_data_stream_timestamp")) {
      more.putObject("_data_stream_timestamp").put("enabled", true);
    }
    ObjectNode fields = more.putObject("properties");
    if (mapping.field(TIME) == null) {
      fields.putObject(TIME).put("type", "date").put("ignore_malformed", false);
    }
    boolean isSorted = settings.keySet().stream().anyMatch(name -> name.startsWith(SORT));
    if (!isSorted && mapping.field(HOST) == null && mapping.field("host") == null) {
      fields.putObject(HOST).put("type", "keyword");
    }
    Mapping whole = mapping.merge(more);
    if (!isSorted) {
      sort(settings, isSortable(whole.field(HOST)));
      Sort _ = IndexSort.of(whole, settings);
    }
    return whole.toJson();
  }

  private static Refusal disabled() {
    return Refusal.badArgument("_source can not be disabled in index using [logsdb] index mode");
  }

  private static boolean isSortable(@Nullable MappedField host) {
    return host != null
        && switch (host.type().values()) {
          case KEYWORD -> !host.type().isVirtual();
          case LONG, DOUBLE, FLOAT -> true;
          case NONE,
              BINARY,
              RANGE,
              GEO_POINT,
              HALF_FLOAT,
              SCALED_FLOAT,
              UNSIGNED_LONG,
              IP,
              BOOLEAN,
              DATE_MILLIS,
              DATE_NANOS ->
              false;
        };
  }

  private static void sort(SortedMap<String, Object> settings, boolean isByHost) {
    settings.put(SORT + "field", isByHost ? List.of(HOST, TIME) : List.of(TIME));
    settings.put(SORT + "order", isByHost ? List.of("asc", "desc") : List.of("desc"));
  }
}
