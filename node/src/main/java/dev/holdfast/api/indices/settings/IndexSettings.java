package dev.holdfast.api.indices.settings;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.http.TimeValue;
import dev.holdfast.world.ByteSize;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.Suggestions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/// Index settings as clients write them (nested or flat, with or without `index.`) and as the
/// cluster state keeps them (flat, with). Every known setting is one line with its check; unknown
/// ones are refused.
public final class IndexSettings {
  private static final Map<String, Rule> KNOWN = new TreeMap<>();

  /// Families whose members are read by the rooms they belong to.
  private static final List<String> FAMILIES =
      List.of(
          "index.analysis.",
          "index.similarity.",
          "index.routing.allocation.",
          "index.resize.",
          "index.routing.rebalance.",
          "index.recovery.",
          "index.store.",
          "index.time_series.",
          "index.allocation.",
          "index.search.slowlog.",
          "index.indexing.slowlog.",
          "index.merge.",
          "index.sort.",
          "index.lifecycle.",
          "index.blocks.",
          "index.translog.",
          "index.unassigned.",
          "index.soft_deletes.",
          "index.mapping.",
          "index.version.");

  /// What an index keeps for life.
  private static final List<String> FINAL =
      List.of(
          "index.number_of_shards",
          "index.number_of_routing_shards",
          "index.routing_partition_size",
          "index.uuid",
          "index.creation_date",
          "index.provided_name",
          "index.version.created",
          "index.mode",
          "index.mapping.source.mode",
          "index.mapping.synthetic_source_keep",
          "index.sort.field",
          "index.sort.order",
          "index.sort.mode",
          "index.sort.missing");

  /// Checks a value; refuses with a sentence for people.
  private interface Check {
    void accept(String name, String value);
  }

  private record Rule(Check check, boolean isDynamic) {}

  static {
    fixed("index.number_of_shards", whole(1, 1024));
    fixed("index.codec", oneOf("default", "best_compression", "lz4"));
    fixed("index.routing_partition_size", whole(1, 1024));
    fixed("index.number_of_routing_shards", whole(1, 1024));
    fixed("index.shard.check_on_startup", oneOf("false", "true", "checksum"));
    fixed("index.mapping.exclude_source_vectors", bool());
    fixed("index.mode", oneOf("standard"));
    fixed("index.mapping.source.mode", sourceMode());
    fixed("index.mapping.synthetic_source_keep", sourceKeep());
    fixed("index.uuid", (name, value) -> {});
    fixed("index.creation_date", (name, value) -> {});
    fixed("index.provided_name", (name, value) -> {});
    fixed("index.store.type", (name, value) -> {});
    fixed("index.load_fixed_bitset_filters_eagerly", bool());
    dynamic("index.number_of_replicas", whole(0, Integer.MAX_VALUE));
    dynamic("index.auto_expand_replicas", (name, value) -> {});
    dynamic("index.refresh_interval", time());
    dynamic("index.search.idle.after", time());
    dynamic("index.hidden", bool());
    dynamic("index.priority", whole(0, Integer.MAX_VALUE));
    dynamic("index.max_result_window", whole(1, Integer.MAX_VALUE));
    dynamic("index.max_inner_result_window", whole(1, Integer.MAX_VALUE));
    dynamic("index.max_rescore_window", whole(1, Integer.MAX_VALUE));
    dynamic("index.max_docvalue_fields_search", whole(0, Integer.MAX_VALUE));
    dynamic("index.max_script_fields", whole(0, Integer.MAX_VALUE));
    dynamic("index.max_ngram_diff", whole(0, Integer.MAX_VALUE));
    dynamic("index.max_shingle_diff", whole(0, Integer.MAX_VALUE));
    dynamic("index.max_refresh_listeners", whole(0, Integer.MAX_VALUE));
    dynamic("index.max_terms_count", whole(1, Integer.MAX_VALUE));
    dynamic("index.max_regex_length", whole(1, Integer.MAX_VALUE));
    dynamic("index.max_slices_per_scroll", whole(1, Integer.MAX_VALUE));
    dynamic("index.highlight.max_analyzed_offset", whole(1, Integer.MAX_VALUE));
    dynamic("index.query_string.lenient", bool());
    dynamic("index.analyze.max_token_count", whole(1, Integer.MAX_VALUE));
    dynamic("index.query.default_field", (name, value) -> {});
    dynamic("index.requests.cache.enable", bool());
    dynamic("index.gc_deletes", time());
    dynamic("index.queries.cache.enabled", bool());
    dynamic("index.warmer.enabled", bool());
    dynamic("index.compound_format", (name, value) -> {});
    dynamic("index.query.parse.allow_unmapped_fields", bool());
    dynamic("index.search.throttled", bool());
    dynamic("index.max_adjacency_matrix_filters", whole(2, Integer.MAX_VALUE));
    dynamic("index.flush_after_merge", size());
    dynamic("index.bloom_filter_for_id_field.enabled", bool());
    dynamic("index.fast_refresh", bool());
    dynamic("index.mapping.ignore_malformed", bool());
    dynamic("index.mapping.coerce", bool());
    dynamic("index.mapping.total_fields.ignore_dynamic_beyond_limit", bool());
    dynamic("index.default_pipeline", (name, value) -> {});
    dynamic("index.final_pipeline", (name, value) -> {});
    dynamic("index.write.wait_for_active_shards", (name, value) -> {});
    dynamic("index.translog.durability", oneOf("request", "async"));
    dynamic("index.translog.flush_threshold_size", size());
    dynamic("index.translog.sync_interval", time());
    dynamic("index.mapping.total_fields.limit", whole(0, Long.MAX_VALUE));
    dynamic("index.mapping.depth.limit", whole(1, Long.MAX_VALUE));
    dynamic("index.mapping.nested_fields.limit", whole(0, Long.MAX_VALUE));
    dynamic("index.mapping.nested_objects.limit", whole(0, Long.MAX_VALUE));
    dynamic("index.mapping.field_name_length.limit", whole(1, Long.MAX_VALUE));
    dynamic("index.mapping.dimension_fields.limit", whole(0, Long.MAX_VALUE));
    dynamic("index.blocks.read_only", bool());
    dynamic("index.blocks.read_only_allow_delete", bool());
    dynamic("index.blocks.read", bool());
    dynamic("index.blocks.write", bool());
    dynamic("index.blocks.metadata", bool());
  }

  private IndexSettings() {}

  /// The settings of an index as they are shown.
  ///
  /// @param isHuman with times and versions in a form for people
  public static SortedMap<String, Object> shown(IndexMetadata index, boolean isHuman) {
    if (!isHuman) {
      return index.settings();
    }
    SortedMap<String, Object> settings = new TreeMap<>(index.settings());
    long created = Long.parseLong(index.setting("index.creation_date", "0"));
    settings.put("index.creation_date_string", Instant.ofEpochMilli(created).toString());
    settings.put("index.version.created_string", index.setting("index.version.created", ""));
    return settings;
  }

  private static void fixed(String name, Check check) {
    KNOWN.put(name, new Rule(check, false));
  }

  private static void dynamic(String name, Check check) {
    KNOWN.put(name, new Rule(check, true));
  }

  private static Check whole(long min, long max) {
    return (name, value) -> {
      long number;
      try {
        number = Long.parseLong(value);
      } catch (NumberFormatException e) {
        throw new Refusal(
            ErrorType.ILLEGAL_ARGUMENT,
            "Failed to parse value [" + value + "] for setting [" + name + "]",
            new Refusal(ErrorType.NUMBER_FORMAT, String.valueOf(e.getMessage())));
      }
      if (number < min) {
        throw Refusal.badArgument(
            "Failed to parse value [" + value + "] for setting [" + name + "] must be >= " + min);
      }
      if (number > max) {
        throw Refusal.badArgument(
            "Failed to parse value [" + value + "] for setting [" + name + "] must be <= " + max);
      }
    };
  }

  private static Check bool() {
    return (name, value) -> {
      if (!value.equals("true") && !value.equals("false")) {
        throw Refusal.badArgument(
            "Failed to parse value [" + value + "] as only [true] or [false] are allowed.");
      }
    };
  }

  private static Check time() {
    return (name, value) -> {
      Duration _ = TimeValue.parse(name, value);
    };
  }

  private static Check size() {
    return (name, value) -> {
      ByteSize _ = ByteSize.parse(name, value);
    };
  }

  private static Check sourceMode() {
    return (name, value) -> {
      if (!List.of("stored", "synthetic", "disabled").contains(value.toLowerCase(Locale.ROOT))) {
        throw Refusal.badArgument(
            "unknown value for ["
                + name
                + "] must be one of [stored, synthetic, disabled] but was: "
                + value);
      }
    };
  }

  private static Check sourceKeep() {
    return (_, value) -> {
      if (!List.of("none", "arrays").contains(value)) {
        throw Refusal.badArgument(
            "Unknown synthetic_source_keep value ["
                + value
                + "], accepted values are [none,arrays]");
      }
    };
  }

  private static Check oneOf(String... values) {
    return (name, value) -> {
      if (!List.of(values).contains(value)) {
        throw Refusal.badArgument(
            "unknown value for ["
                + name
                + "] must be one of "
                + List.of(values)
                + " but was: "
                + value);
      }
    };
  }

  /// Reads the `settings` of a request; JSON null stands for "back to the default" and is kept as
  /// an empty marker.
  public static SortedMap<String, Object> read(JsonNode settings) {
    SortedMap<String, Object> flat = new TreeMap<>();
    flatten("", settings, flat);
    SortedMap<String, Object> named = new TreeMap<>();
    flat.forEach(
        (name, value) -> named.put(name.startsWith("index.") ? name : "index." + name, value));
    return named;
  }

  /// The value of a setting that goes back to its default.
  public enum Reset {
    RESET
  }

  private static void flatten(String prefix, JsonNode node, SortedMap<String, Object> flat) {
    node.properties()
        .forEach(member -> {
          String name = prefix.isEmpty() ? member.getKey() : prefix + "." + member.getKey();
          JsonNode value = member.getValue();
          if (value.isObject()) {
            flatten(name, value, flat);
          } else if (value.isArray()) {
            List<String> list = new ArrayList<>();
            value.forEach(v -> list.add(v.asText()));
            flat.put(name, List.copyOf(list));
          } else {
            flat.put(name, value.isNull() ? Reset.RESET : value.asText());
          }
        });
  }

  /// Refuses what only the server itself says of an index that is being created.
  public static void requirePublic(SortedMap<String, Object> settings) {
    for (String name : List.of("index.creation_date", "index.provided_name", "index.uuid")) {
      if (settings.containsKey(name)) {
        throw unknown(name);
      }
    }
  }

  private static Refusal unknown(String name) {
    return Refusal.badArgument(
        Suggestions.didYouMean("unknown setting [" + name + "]", name, KNOWN.keySet())
            + " please check that any required plugins are installed, or check the breaking changes"
            + " documentation for removed settings");
  }

  /// Checks settings of an index that is being created.
  public static void check(SortedMap<String, Object> settings) {
    settings.forEach(IndexSettings::check);
  }

  private static void check(String name, Object value) {
    Rule rule = KNOWN.get(name);
    if (rule != null) {
      if (value != Reset.RESET) {
        rule.check().accept(name, value.toString()); // a list is no number, and says so
      }
    } else if (FAMILIES.stream().noneMatch(name::startsWith)) {
      throw unknown(name);
    }
  }

  /// Checks settings that are to be changed on an open index.
  ///
  /// @param index for the message
  /// @param isOpen what can't change while an index is open may change while it is closed
  public static void checkUpdate(SortedMap<String, Object> settings, String index, boolean isOpen) {
    List<String> fixed = new ArrayList<>();
    settings.forEach((name, value) -> {
      check(name, value);
      Rule rule = KNOWN.get(name);
      boolean isFixed =
          rule == null
              ? name.startsWith("index.analysis.") || name.startsWith("index.sort.")
              : !rule.isDynamic();
      if (!isOpen && name.equals("index.number_of_replicas")) {
        throw Refusal.badArgument(
            "Can't update [index.number_of_replicas] on closed indices [["
                + index
                + "]] - can leave index in an unopenable state");
      }
      if (isFixed && (isOpen || FINAL.contains(name))) {
        fixed.add(name);
      }
    });
    if (!fixed.isEmpty()) {
      throw Refusal.badArgument(
          fixed.stream().anyMatch(FINAL::contains)
              ? "final " + index + " setting [" + fixed.getFirst() + "], not updateable"
              : "Can't update non dynamic settings ["
                  + fixed
                  + "] for open indices ["
                  + index
                  + "]");
    }
  }

  /// Settings as `GET _settings` shows them: nested under `index`, or flat.
  public static ObjectNode render(SortedMap<String, Object> settings, boolean isFlat) {
    ObjectNode json = Json.object();
    settings.forEach((name, value) -> {
      ObjectNode parent = json;
      String leaf = name;
      if (!isFlat) {
        String[] parts = name.split("\\.");
        for (int i = 0; i < parts.length - 1; i++) {
          // A value and a family of the same name can't nest: the rest of the name stays flat, as
          // Elasticsearch shows it.
          if (parent.get(parts[i]) != null && !parent.get(parts[i]).isObject()) {
            break;
          }
          parent = parent.withObject("/" + parts[i]);
          leaf = leaf.substring(parts[i].length() + 1);
        }
      }
      put(parent, leaf, value);
    });
    return json;
  }

  private static void put(ObjectNode parent, String name, Object value) {
    if (value instanceof List<?> list) {
      ArrayNode array = parent.putArray(name);
      list.forEach(v -> array.add(v.toString()));
    } else {
      parent.put(name, value.toString());
    }
  }
}
