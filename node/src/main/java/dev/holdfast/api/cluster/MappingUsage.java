package dev.holdfast.api.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.world.Json;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Which field types and which parts of analysis indices use, and how often, as `_cluster/stats`
/// shows them.
final class MappingUsage {
  private static final List<String> ANALYZERS =
      List.of("analyzer", "search_analyzer", "search_quote_analyzer");

  /// Singular names of the parts of an analyser, as settings have them.
  private static final List<String> PARTS = List.of("char_filter", "tokenizer", "filter");

  private final SortedMap<String, Uses> fieldTypes = new TreeMap<>();
  private final SortedMap<String, Uses> runtimeTypes = new TreeMap<>();

  /// By part: the types that settings define.
  private final Map<String, SortedMap<String, Uses>> defined = new TreeMap<>();

  /// By part: what is built in and used by its name.
  private final Map<String, SortedMap<String, Uses>> builtIn = new TreeMap<>();

  private int fields;

  private MappingUsage() {}

  /// How often something is used, and in which indices.
  private static final class Uses {
    private int count;
    private final Set<String> indices = new TreeSet<>();
  }

  static MappingUsage of(Collection<IndexMetadata> indices) {
    MappingUsage use = new MappingUsage();
    for (IndexMetadata index : indices) {
      String name = index.id().name();
      use.addFields(index.mapping(), index, name);
      for (JsonNode runtime : index.mapping().path("runtime")) {
        count(use.runtimeTypes, runtime.path("type").asText(), name);
      }
      use.addAnalysis(index, name);
    }
    return use;
  }

  private static void count(SortedMap<String, Uses> uses, String name, String index) {
    Uses of = uses.computeIfAbsent(name, _ -> new Uses());
    of.count++;
    of.indices.add(index);
  }

  private void countBuiltIn(String part, String name, IndexMetadata index) {
    if (!isDefined(index, part, name)) {
      count(builtIn.computeIfAbsent(part, _ -> new TreeMap<>()), name, index.id().name());
    }
  }

  private static boolean isDefined(IndexMetadata index, String part, String name) {
    String prefix = "index.analysis." + part + "." + name + ".";
    return index.settings().keySet().stream().anyMatch(key -> key.startsWith(prefix));
  }

  private void addFields(JsonNode mapping, IndexMetadata index, String name) {
    for (String level : List.of("properties", "fields")) {
      for (JsonNode field : mapping.path(level)) {
        fields++;
        count(fieldTypes, field.path("type").asText("object"), name);
        for (String parameter : ANALYZERS) {
          if (field.has(parameter)) {
            countBuiltIn("analyzer", field.path(parameter).asText(), index);
          }
        }
        addFields(field, index, name);
      }
    }
  }

  private void addAnalysis(IndexMetadata index, String name) {
    for (String part : List.of("char_filter", "tokenizer", "filter", "analyzer")) {
      for (String own : named(index, part)) {
        String whenAbsent = part.equals("analyzer") ? "custom" : "";
        String type = index.setting("index.analysis." + part + "." + own + ".type", whenAbsent);
        count(defined.computeIfAbsent(part, _ -> new TreeMap<>()), type, name);
      }
    }
    for (String kind : List.of("analyzer", "normalizer")) {
      for (String own : named(index, kind)) {
        for (String part : PARTS) {
          for (String used :
              texts(index.settings().get("index.analysis." + kind + "." + own + "." + part))) {
            countBuiltIn(part, used, index);
          }
        }
      }
    }
  }

  private static List<String> texts(@Nullable Object setting) {
    return switch (setting) {
      case null -> List.of();
      case List<?> list -> list.stream().map(String::valueOf).toList();
      default -> List.of(setting.toString().split("\\s*,\\s*"));
    };
  }

  /// The names that settings define of a part.
  private static Set<String> named(IndexMetadata index, String part) {
    String prefix = "index.analysis." + part + ".";
    Set<String> names = new TreeSet<>();
    for (String key : index.settings().keySet()) {
      if (key.startsWith(prefix)) {
        names.add(key.substring(prefix.length()).split("\\.", 2)[0]);
      }
    }
    return names;
  }

  /// The `mappings` section.
  ObjectNode mappings() {
    ObjectNode json = Json.object().put("total_field_count", fields);
    json.put("total_deduplicated_field_count", fields)
        .put("total_deduplicated_mapping_size_in_bytes", 0);
    json.set("field_types", list(fieldTypes, true));
    json.set("runtime_field_types", list(runtimeTypes, true));
    json.putObject("source_modes");
    return json;
  }

  /// The `analysis` section.
  ObjectNode analysis() {
    ObjectNode json = Json.object();
    for (String part : List.of("char_filter", "tokenizer", "filter", "analyzer")) {
      json.set(part + "_types", list(defined.getOrDefault(part, new TreeMap<>()), false));
    }
    for (String part : List.of("char_filter", "tokenizer", "filter", "analyzer")) {
      json.set("built_in_" + part + "s", list(builtIn.getOrDefault(part, new TreeMap<>()), false));
    }
    json.putObject("synonyms");
    return json;
  }

  private static ArrayNode list(SortedMap<String, Uses> uses, boolean withScripts) {
    ArrayNode list = Json.MAPPER.createArrayNode();
    uses.forEach((name, of) -> {
      ObjectNode one = list.addObject().put("name", name).put("count", of.count);
      one.put("index_count", of.indices.size());
      if (withScripts) {
        one.put("script_count", 0);
      }
    });
    return list;
  }
}
