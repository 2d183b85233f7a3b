package dev.holdfast.api.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.world.Json;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
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

  /// Indices with the same mapping have it once.
  private final Set<JsonNode> mappings = new HashSet<>();

  private final SortedMap<String, Integer> sourceModes = new TreeMap<>();
  private int fields;
  private int ownFields;
  private long mappingBytes;

  private MappingUsage() {}

  /// How often something is used, and in which indices.
  private static final class Uses {
    private int count;
    private int shadowed;
    private final ScriptUsage scripts = new ScriptUsage();
    private final Set<String> indices = new TreeSet<>();
  }

  static MappingUsage of(Collection<IndexMetadata> indices) {
    MappingUsage use = new MappingUsage();
    for (IndexMetadata index : indices) {
      String name = index.id().name();
      use.addMapping(index, name);
      for (var runtime : index.mapping().path("runtime").properties()) {
        String type = runtime.getValue().path("type").asText();
        Uses of = count(use.runtimeTypes, type, runtime.getValue(), name);
        of.shadowed += isMapped(index.mapping(), runtime.getKey()) ? 1 : 0;
      }
      use.addAnalysis(index, name);
    }
    return use;
  }

  private void addMapping(IndexMetadata index, String name) {
    int before = fields;
    addFields(index.mapping(), index, name);
    if (!index.mapping().isEmpty() && mappings.add(index.mapping())) {
      ownFields += fields - before;
      mappingBytes += Json.bytes(index.mapping()).length;
    }
    boolean isKept = index.mapping().path("_source").path("enabled").asBoolean(true);
    String mode = isKept ? index.setting("index.mapping.source.mode", "stored") : "disabled";
    sourceModes.merge(mode.toLowerCase(Locale.ROOT), 1, Integer::sum);
  }

  /// Whether a field of that name is there, which a runtime field hides.
  private static boolean isMapped(JsonNode mapping, String path) {
    JsonNode at = mapping;
    for (String name : path.split("\\.", -1)) {
      at = at.path("properties").path(name);
    }
    return !at.isMissingNode();
  }

  private static void count(SortedMap<String, Uses> uses, String name, String index) {
    Uses _ = count(uses, name, Json.object(), index);
  }

  /// @param field that may have a script
  private static Uses count(
      SortedMap<String, Uses> uses, String name, JsonNode field, String index) {
    Uses of = uses.computeIfAbsent(name, _ -> new Uses());
    of.count++;
    of.indices.add(index);
    if (field.has("script")) {
      of.scripts.add(field.path("script"));
    }
    return of;
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
        Uses _ = count(fieldTypes, field.path("type").asText("object"), field, name);
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
    json.put("total_deduplicated_field_count", ownFields)
        .put("total_deduplicated_mapping_size_in_bytes", mappingBytes);
    json.set("field_types", list(fieldTypes, MappingUsage::writeScripts));
    json.set("runtime_field_types", list(runtimeTypes, MappingUsage::writeRuntime));
    ObjectNode modes = json.putObject("source_modes");
    sourceModes.forEach(modes::put);
    return json;
  }

  /// The `analysis` section.
  ObjectNode analysis() {
    ObjectNode json = Json.object();
    for (String part : List.of("char_filter", "tokenizer", "filter", "analyzer")) {
      json.set(part + "_types", list(defined.getOrDefault(part, new TreeMap<>()), (_, _) -> {}));
    }
    for (String part : List.of("char_filter", "tokenizer", "filter", "analyzer")) {
      json.set(
          "built_in_" + part + "s",
          list(builtIn.getOrDefault(part, new TreeMap<>()), (_, _) -> {}));
    }
    json.putObject("synonyms");
    return json;
  }

  private static void writeScripts(ObjectNode to, Uses of) {
    to.put("script_count", of.scripts.count());
    if (of.scripts.count() > 0) {
      of.scripts.write(to);
    }
  }

  private static void writeRuntime(ObjectNode to, Uses of) {
    to.put("scriptless_count", of.count - of.scripts.count()).put("shadowed_count", of.shadowed);
    of.scripts.write(to);
  }

  /// @param more writes what else there is to tell of a type
  private static ArrayNode list(SortedMap<String, Uses> uses, BiConsumer<ObjectNode, Uses> more) {
    ArrayNode list = Json.MAPPER.createArrayNode();
    uses.forEach((name, of) -> {
      ObjectNode one = list.addObject().put("name", name).put("count", of.count);
      one.put("index_count", of.indices.size());
      more.accept(one, of);
    });
    return list;
  }
}
