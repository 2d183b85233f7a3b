package dev.holdfast.api.indices.settings;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.document.TimeSeries;
import dev.holdfast.http.TimeValue;
import dev.holdfast.world.Json;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.Suggestions;
import dev.holdfast.world.text.Wildcards;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// Index settings as clients write them (nested or flat, with or without `index.`) and as the
/// cluster state keeps them (flat, with). Every known setting is one line with its check; unknown
/// ones are refused.
public final class IndexSettings {
  /// An index says always how many there are.
  public static final String REPLICAS = "index.number_of_replicas";

  public static final String REPLICAS_DEFAULT = "1";

  private static final String ANALYSIS = "index.analysis.";
  private static final String ANALYZERS = ANALYSIS + "analyzer.";

  /// Families whose members users make up, or that are read as a whole.
  private static final List<String> FAMILIES =
      List.of(
          ANALYSIS,
          "index.similarity.",
          "index.routing.allocation.include.",
          "index.routing.allocation.exclude.",
          "index.routing.allocation.require.",
          "index.routing.allocation.initial_recovery.",
          "index.search.slowlog.",
          "index.indexing.slowlog.");

  /// The end of a refusal of a name that is no setting.
  private static final String WHAT_TO_CHECK =
      " please check that any required plugins are installed, or check the breaking changes"
          + " documentation for removed settings";

  private static final List<String> SLOW_LOGS =
      List.of("index.search.slowlog.", "index.indexing.slowlog.");

  /// What an index keeps for life, restored too.
  public static final List<String> FINAL =
      List.of(
          "index.number_of_shards",
          "index.number_of_routing_shards",
          "index.routing_partition_size",
          "index.uuid",
          "index.creation_date",
          "index.provided_name",
          "index.version.created",
          "index.mode",
          TimeSeries.PATH,
          TimeSeries.START,
          "index.mapping.source.mode",
          "index.mapping.synthetic_source_keep",
          "index.sort.field",
          "index.sort.order",
          "index.sort.mode",
          "index.sort.missing");

  /// The settings by which an index says that it is a snapshot's that was mounted.
  public static final String MOUNTED = "index.store.snapshot.";

  /// What only the server itself says.
  private static final List<String> PRIVATE =
      List.of("index.downsample.", "index.resize.", MOUNTED);

  private static final SortedMap<String, IndexSetting> KNOWN = known();

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

  private static SortedMap<String, IndexSetting> known() {
    SortedMap<String, IndexSetting> known = new TreeMap<>(ReadIndexSettings.ALL);
    known.putAll(IdleIndexSettings.ALL);
    return Collections.unmodifiableSortedMap(known);
  }

  /// Every setting that is declared, by name.
  public static SortedMap<String, IndexSetting> declared() {
    return KNOWN;
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
            value.forEach(each -> list.add(listed(name, each)));
            flat.put(name, List.copyOf(list));
          } else {
            flat.put(name, value.isNull() ? Reset.RESET : value.asText());
          }
        });
  }

  private static String listed(String name, JsonNode value) {
    if (!value.isValueNode() || value.isNull()) {
      throw Refusal.badArgument(
          "Failed to load settings from [" + name + "]: a list has no " + JsonObject.token(value));
    }
    return value.asText();
  }

  /// Changes of an index where a pattern that goes back to its default stands for the settings that
  /// match it and can change.
  ///
  /// @param current settings of the index
  static SortedMap<String, Object> expanded(
      SortedMap<String, Object> changes, SortedMap<String, Object> current) {
    SortedMap<String, Object> expanded = new TreeMap<>();
    changes.forEach((name, value) -> {
      if (value != Reset.RESET || name.indexOf('*') < 0) {
        expanded.put(name, value);
        return;
      }
      for (String known : current.keySet()) {
        IndexSetting rule = KNOWN.get(known);
        if (rule != null && rule.isDynamic() && Wildcards.matches(name, known)) {
          expanded.putIfAbsent(known, value);
        }
      }
    });
    return expanded;
  }

  /// Refuses what only the server itself says of an index that is being created.
  public static void requirePublic(SortedMap<String, Object> settings) {
    requireNoPrivate(settings);
    if (settings.containsKey("index.version.created")) {
      throw isPrivate("index.version.created");
    }
    for (String name : List.of("index.creation_date", "index.provided_name", "index.uuid")) {
      if (settings.containsKey(name)) {
        throw Refusal.badArgument("unknown setting [" + name + "]" + WHAT_TO_CHECK);
      }
    }
  }

  /// Refuses what only the server itself says of an index, whenever it comes to be.
  public static void requireNoPrivate(SortedMap<String, Object> settings) {
    for (String name : settings.keySet()) {
      if (isOfServer(name)) {
        throw isPrivate(name);
      }
    }
  }

  /// Whether only the server itself says it, of what it has made an index of.
  public static boolean isOfServer(String name) {
    return PRIVATE.stream().anyMatch(name::startsWith);
  }

  private static Refusal isPrivate(String name) {
    return Refusal.badArgument("private index setting [" + name + "] can not be set explicitly");
  }

  private static Refusal unknown(String name) {
    return Refusal.badArgument(
        Suggestions.didYouMean("unknown setting [" + name + "]", name, KNOWN.keySet())
            + WHAT_TO_CHECK);
  }

  /// Checks settings of an index that is being created.
  public static void check(SortedMap<String, Object> settings) {
    settings.forEach((name, value) -> {
      check(name, value);
      if (name.startsWith(ANALYZERS + "_")) {
        String analyzer = name.substring(ANALYZERS.length(), ends(name, ANALYZERS) - 1);
        throw Refusal.badArgument(
            "analyzer name must not start with '_'. got \"" + analyzer + "\"");
      }
    });
  }

  /// Slow logs have a threshold a level, and nothing else has their names.
  private static void checkSlowLog(String name, Object value) {
    if (!IndexSettingDefaults.all().containsKey(name)) {
      throw unknown(name);
    }
    if (value == Reset.RESET) {
      return;
    }
    if (name.contains(".threshold.")) {
      var _ = TimeValue.parse(name, value.toString());
    } else if (name.endsWith(".source") && !value.toString().matches("true|false|[0-9]{1,9}")) {
      throw Refusal.badArgument(
          "failed to parse value ["
              + value
              + "] for setting ["
              + name
              + "]: true, false or a number");
    }
  }

  private static void check(String name, Object value) {
    if (SLOW_LOGS.stream().anyMatch(name::startsWith)) {
      checkSlowLog(name, value);
    }
    IndexSetting rule = KNOWN.get(name);
    if (rule != null) {
      if (value != Reset.RESET) {
        rule.check().accept(name, value.toString()); // a list is no number, and says so
      }
    } else if (FAMILIES.stream().noneMatch(name::startsWith)) {
      throw unknown(name);
    } else if (name.startsWith(ANALYSIS) && name.indexOf('.', ends(name, ANALYSIS)) < 0) {
      throw Refusal.badArgument(
          "Failed to get setting group for ["
              + name.substring(0, ends(name, ANALYSIS))
              + "] setting prefix and setting ["
              + name
              + "] because of a missing '.'");
    }
  }

  /// Where the part of a name ends that follows the prefix, with its dot.
  private static int ends(String name, String prefix) {
    int dot = name.indexOf('.', prefix.length());
    return dot < 0 ? name.length() : dot + 1;
  }

  /// Checks settings that are to be changed on an open index.
  ///
  /// @param index for the message
  /// @param isOpen what can't change while an index is open may change while it is closed
  public static void checkUpdate(SortedMap<String, Object> settings, String index, boolean isOpen) {
    List<String> fixed = new ArrayList<>();
    requireNoPrivate(settings);
    settings.forEach((name, value) -> {
      check(name, value);
      IndexSetting rule = KNOWN.get(name);
      boolean isFixed =
          rule == null
              ? name.startsWith(ANALYSIS) || name.startsWith("index.sort.")
              : !rule.isDynamic();
      if (isFixed && (isOpen || FINAL.contains(name))) {
        fixed.add(name);
      }
    });
    if (!fixed.isEmpty()) {
      throw unchangeable(index, isOpen, fixed);
    }
  }

  private static Refusal unchangeable(String index, boolean isOpen, List<String> fixed) {
    List<String> names = fixed.stream().filter(FINAL::contains).toList();
    if (!isOpen) {
      return Refusal.badArgument(
          "final "
              + index.split("/", 2)[0]
              + " setting ["
              + fixed.getFirst()
              + "], not updateable");
    }
    String remedy =
        names.isEmpty()
            ? "You can either resubmit the update with `?reopen=true`, or create a new index with"
                + " the desired setting(s) and reindex your data."
            : "The setting(s) ["
                + names
                + "] cannot be modified on an index once it is created. You will need to create a"
                + " new index with the desired setting(s) and reindex your data.";
    return Refusal.badArgument(
        "Can't update non dynamic setting(s) ["
            + fixed
            + "] for open indices [["
            + index
            + "]]. "
            + remedy);
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
