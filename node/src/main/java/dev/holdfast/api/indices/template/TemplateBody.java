package dev.holdfast.api.indices.template;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.indices.alias.AliasOptions;
import dev.holdfast.api.indices.lifecycle.Retention;
import dev.holdfast.api.indices.lifecycle.StreamLifecycles;
import dev.holdfast.api.indices.lifecycle.StreamOptions;
import dev.holdfast.api.indices.settings.IndexSettings;
import dev.holdfast.api.indices.settings.SettingWarnings;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.stream.DataStream.Component;
import dev.holdfast.document.MappingFactory;
import dev.holdfast.document.mapping.MappingShape;
import dev.holdfast.http.Answer;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.MemberLocation;
import dev.holdfast.world.Refusal;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Bodies of templates: checked, and brought into the form they are kept in (settings flat).
final class TemplateBody {
  private final MappingFactory mappings;

  TemplateBody(MappingFactory mappings) {
    this.mappings = mappings;
  }

  /// `{"template": {…}, "version", "_meta", "deprecated"}`
  ObjectNode component(ObjectNode given) {
    if (TemplateDates.areGiven(given)) {
      throw new Refusal(
          ErrorType.ACTION_REQUEST_VALIDATION,
          "Validation Failed: 1: Provided a template property which is managed by the system:"
              + " created_date_millis;");
    }
    requireTokens(given, "component_template");
    JsonObject body = JsonObject.of("component_template", given);
    ObjectNode kept = Json.object();
    JsonNode template = body.take("template");
    if (!(template instanceof ObjectNode layer)) {
      throw Refusal.badArgument("Required [template]");
    }
    kept.set("template", layer(layer));
    requireAnalysis(kept.path("template").path("settings"));
    common(body, kept);
    body.done();
    return kept;
  }

  /// Members of a kind that they cannot be are refused, never left out.
  private static void requireTokens(ObjectNode given, String context) {
    for (Map.Entry<String, JsonNode> member : given.properties()) {
      JsonNode value = member.getValue();
      boolean isRight =
          switch (member.getKey()) {
            case "index_patterns" -> value.isTextual() || value.isArray();
            case "template", "_meta" -> value.isObject();
            case "priority", "version" -> isWhole(value);
            case "ignore_missing_component_templates" -> value.isTextual() || value.isArray();
            default -> true;
          };
      if (value.isNull()) {
        throw unfit(context, given, member.getKey());
      }
      if (!isRight) {
        throw new Refusal(
                ErrorType.X_CONTENT_PARSE,
                "[" + context + "] failed to parse field [" + member.getKey() + "]")
            .at(MemberLocation.ofName(given, member.getKey()));
      }
    }
  }

  private static Refusal unfit(String context, ObjectNode given, String name) {
    return new Refusal(
            ErrorType.X_CONTENT_PARSE,
            "["
                + context
                + "] "
                + name
                + " doesn't support values of type: "
                + JsonObject.token(given.path(name)))
        .at(MemberLocation.ofValue(given, name));
  }

  private static boolean isWhole(JsonNode value) {
    return value.isNumber()
        ? value.canConvertToLong()
        : value.isTextual() && value.asText().matches("-?\\d{1,18}");
  }

  /// What a component says of analysis must make sense without any other.
  private void requireAnalysis(JsonNode settings) {
    if (settings.isObject()) {
      mappings.create(Json.object(), IndexSettings.read(settings));
    }
  }

  /// `{"index_patterns", "template"?, "composed_of"?, "priority"?, …}`
  ObjectNode composable(String name, ObjectNode given) {
    if (TemplateDates.areGiven(given)) {
      throw new Refusal(
          ErrorType.INVALID_INDEX_TEMPLATE,
          "index_template ["
              + name
              + "] invalid, cause [provided a template property which is managed by the system:"
              + " created_date]");
    }
    JsonObject body = JsonObject.of("index_template", given);
    ObjectNode kept = Json.object();
    if (!body.has("index_patterns")) {
      throw Refusal.badArgument("Required [index_patterns]");
    }
    requireTokens(given, "index_template");
    List<String> patterns = body.strings("index_patterns");
    strings(kept, "index_patterns", patterns);
    if (body.take("template") instanceof ObjectNode layer) {
      kept.set("template", layer(layer));
    }
    strings(kept, "composed_of", body.strings("composed_of"));
    JsonNode priority = body.take("priority");
    if (priority != null && !priority.isNull()) {
      if (priority.asLong() < 0) {
        throw new Refusal(
            ErrorType.ACTION_REQUEST_VALIDATION,
            "Validation Failed: 1: index template priority must be >= 0;");
      }
      kept.put("priority", priority.asLong());
    }
    if (patterns.isEmpty()) {
      throw Refusal.badArgument("There must be at least one pattern, zero given");
    }
    requirePatterns(name, patterns);
    common(body, kept);
    JsonNode stream = body.take("data_stream");
    if (stream != null) {
      kept.set("data_stream", StreamTemplateRules.read(given, stream));
    }
    if (body.has("allow_auto_create")) {
      kept.put("allow_auto_create", body.bool("allow_auto_create", true));
    }
    if (body.has("ignore_missing_component_templates")) {
      strings(
          kept,
          "ignore_missing_component_templates",
          body.strings("ignore_missing_component_templates"));
    }
    body.done();
    return kept;
  }

  /// `{"index_patterns", "order"?, "version"?, "settings"?, "mappings"?, "aliases"?}`
  ObjectNode legacy(String name, ObjectNode given, @Nullable Integer order) {
    JsonObject body = JsonObject.of("put_template", given);
    requireLegacy(given);
    List<String> patterns = body.strings("index_patterns");
    if (patterns.isEmpty()) {
      throw new Refusal(
          ErrorType.ACTION_REQUEST_VALIDATION, "Validation Failed: 1: index patterns are missing;");
    }
    requirePatterns(name, patterns);
    ObjectNode kept = Json.object();
    int own = body.integer("order", 0);
    kept.put("order", order == null ? own : order);
    JsonNode version = body.take("version");
    if (version != null && version.isNumber()) {
      kept.put("version", version.asLong());
    }
    strings(kept, "index_patterns", patterns);
    ObjectNode layer = Json.object();
    for (String member : List.of("settings", "mappings", "aliases")) {
      JsonNode value = body.take(member);
      layer.set(member, value == null ? Json.object() : value);
    }
    if (layer.path("mappings").has("_doc") && layer.path("mappings").size() == 1) {
      throw Refusal.badArgument(
          "The mapping definition cannot be nested under a type [_doc] unless include_type_name is"
              + " set to true.");
    }
    kept.setAll(layer(layer));
    List<String> rest = body.rest();
    if (!rest.isEmpty()) {
      throw new Refusal(ErrorType.PARSE, "unknown key [" + rest.getFirst() + "] in the template ");
    }
    return kept;
  }

  /// Members of a kind that they cannot be are refused, never left out.
  private static void requireLegacy(ObjectNode given) {
    JsonNode patterns = given.path("index_patterns");
    if (patterns.isNumber() || patterns.isBoolean()) {
      throw Refusal.badArgument(
          "Malformed [index_patterns] value, should be a string or a list of strings");
    }
    JsonNode version = given.path("version");
    if (!version.isMissingNode() && !version.canConvertToExactIntegral()) {
      throw Refusal.badArgument("Malformed [version] value, should be an integer");
    }
    JsonNode order = given.path("order");
    if (order.isNumber() && !order.canConvertToExactIntegral()) {
      throw Refusal.badArgument(order.asText() + " is not an integer value");
    }
    for (String section : List.of("settings", "mappings", "aliases")) {
      if (given.has(section) && !given.path(section).isObject()) {
        throw Refusal.badArgument(
            "Malformed [" + section + "] section, should include an inner object");
      }
    }
  }

  private static void common(JsonObject body, ObjectNode kept) {
    JsonNode version = body.take("version");
    if (version != null) {
      kept.put("version", version.asLong());
    }
    JsonNode meta = body.take("_meta");
    if (meta instanceof ObjectNode) {
      kept.set("_meta", meta);
    }
    if (body.has("deprecated")) {
      kept.put("deprecated", body.bool("deprecated", false));
    }
  }

  private static void strings(ObjectNode to, String name, List<String> values) {
    ArrayNode array = to.putArray(name);
    values.forEach(array::add);
  }

  private static void requirePatterns(String name, List<String> patterns) {
    if (patterns.isEmpty()) {
      throw new Refusal(
          ErrorType.ACTION_REQUEST_VALIDATION, "Validation Failed: 1: index patterns are missing;");
    }
    for (String pattern : patterns) {
      for (String bad : List.of(" ", ",", "#", ":")) {
        if (pattern.contains(bad)) {
          throw invalid(name, "index_patterns [" + pattern + "] must not contain a '" + bad + "'");
        }
      }
      if (pattern.startsWith("_")) {
        throw invalid(name, "index_patterns [" + pattern + "] must not start with '_'");
      }
      if (pattern.isEmpty()) {
        throw invalid(name, "index_patterns must not be empty");
      }
    }
  }

  static Refusal invalid(String name, String why) {
    return new Refusal(
        ErrorType.INVALID_INDEX_TEMPLATE,
        "index_template [" + name + "] invalid, cause [Validation Failed: 1: " + why + ";]");
  }

  /// Settings, mappings and aliases, each checked alone.
  private ObjectNode layer(ObjectNode given) {
    for (String name : List.of("settings", "mappings", "aliases", "lifecycle")) {
      if (given.has(name) && !given.path(name).isObject()) {
        throw unfit("template", given, name);
      }
    }
    JsonObject body = JsonObject.of("template", given);
    ObjectNode kept = Json.object();
    SortedMap<String, Object> settings = new TreeMap<>();
    JsonNode own = body.take("settings");
    if (own != null && own.isObject()) {
      settings.putAll(IndexSettings.read(own));
      settings.values().removeIf(value -> value == IndexSettings.Reset.RESET);
      IndexSettings.check(settings);
      IndexSettings.requirePublic(settings);
      kept.set("settings", IndexSettings.render(settings, true));
    }
    JsonNode mapping = body.take("mappings");
    if (mapping instanceof ObjectNode object) {
      ObjectNode plain =
          object.size() == 1 && object.get("_doc") instanceof ObjectNode inner ? inner : object;
      MappingShape.check(plain);
      kept.set("mappings", mappings.create(plain.deepCopy(), settings).toJson());
    }
    JsonNode aliases = body.take("aliases");
    if (aliases != null && aliases.isObject()) {
      ObjectNode named = kept.putObject("aliases");
      aliases
          .properties()
          .forEach(alias ->
              named.set(alias.getKey(), AliasOptions.ofTemplate(alias.getKey(), alias.getValue())));
    }
    JsonNode lifecycle = body.take("lifecycle");
    if (lifecycle != null) {
      kept.set("lifecycle", StreamLifecycles.readOfTemplate(lifecycle));
    }
    JsonNode failureStore = body.take("data_stream_options");
    if (failureStore != null) {
      kept.set("data_stream_options", StreamOptions.readOfTemplate(failureStore));
    }
    body.done();
    return kept;
  }

  /// An answer that says where the cluster's retention stands before that of a template.
  static Answer warned(Answer answer, ClusterState state, ObjectNode kept) {
    Answer warned = warned(answer, kept.path("template").path("settings"));
    if (!(kept.path("template").get("lifecycle") instanceof ObjectNode lifecycle)) {
      return warned;
    }
    String warning = Retention.of(state).warning("template", Component.DATA, lifecycle);
    return warning == null ? warned : warned.warn(warning);
  }

  /// The same of its settings.
  static Answer warned(Answer answer, JsonNode settings) {
    return SettingWarnings.warn(answer, IndexSettings.read(settings));
  }

  /// A template as it is shown: settings nested, or flat.
  static ObjectNode shown(ObjectNode kept, boolean isFlat, boolean isForPeople) {
    ObjectNode shown = kept.deepCopy();
    if (isForPeople) {
      TemplateDates.show(shown);
    }
    for (ObjectNode holder :
        shown.get("template") instanceof ObjectNode layer ? List.of(layer) : List.of(shown)) {
      JsonNode settings = holder.get("settings");
      if (settings != null) {
        holder.set("settings", IndexSettings.render(IndexSettings.read(settings), isFlat));
      }
    }
    return shown;
  }
}
