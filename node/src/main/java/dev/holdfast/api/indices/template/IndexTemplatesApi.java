package dev.holdfast.api.indices.template;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.indices.settings.IndexSettings;
import dev.holdfast.api.indices.settings.MappingWarnings;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.document.MappingFactory;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.world.Clock;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.text.Wildcards;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// `/_index_template`: composable templates, and what they would make of an index.
public final class IndexTemplatesApi {
  private final Metadata metadata;
  private final MappingFactory mappings;
  private final TemplateBody bodies;
  private final Clock clock;

  public IndexTemplatesApi(Metadata metadata, MappingFactory mappings, Clock clock) {
    this.metadata = metadata;
    this.mappings = mappings;
    this.bodies = new TemplateBody(mappings);
    this.clock = clock;
  }

  public Api put() {
    return this::put;
  }

  public Api get() {
    return this::get;
  }

  public Api delete() {
    return this::delete;
  }

  public Api simulate() {
    return this::simulate;
  }

  public Api simulateIndex() {
    return this::simulateIndex;
  }

  private Answer put(ApiRequest request) throws InterruptedException {
    String name = request.required("name");
    requireName(name);
    ObjectNode given = request.body().kept();
    ObjectNode template = bodies.composable(name, given);
    boolean createsOnly = request.flag("create", false);
    long now = clock.epochMillis();
    metadata.update(
        "put-index-template [" + name + "]",
        state -> {
          SortedMap<String, ObjectNode> all =
              MatchingTemplates.of(state, MatchingTemplates.COMPOSABLE);
          if (createsOnly && all.containsKey(name)) {
            throw Refusal.badArgument("index template [" + name + "] already exists");
          }
          requireValid(state, name, template);
          TemplateDates.put(all, name, template, now);
          ClusterState changed = MatchingTemplates.with(state, MatchingTemplates.COMPOSABLE, all);
          StreamTemplateRules.requireStillMatching(state, changed, name, template);
          return changed;
        });
    Answer answer = TemplateBody.warned(Answer.acknowledged(), metadata.current(), template);
    return MappingWarnings.warn(
        StreamTemplateRules.warned(answer, given), given.at("/template/mappings"));
  }

  /// @throws Refusal `invalid_index_template_exception` for what no template is called
  static void requireName(String name) {
    String fault = fault(name);
    if (fault != null) {
      throw invalid(name, "Validation Failed: 1: " + fault + ";");
    }
  }

  private static @Nullable String fault(String name) {
    if (name.contains(" ")) {
      return "name must not contain a space";
    }
    if (name.contains(",")) {
      return "name must not contain a ','";
    }
    if (name.contains("#")) {
      return "name must not contain a '#'";
    }
    if (name.contains("*")) {
      return "name must not contain a '*'";
    }
    if (name.startsWith("_")) {
      return "name must not start with '_'";
    }
    return name.equals(name.toLowerCase(Locale.ROOT)) ? null : "name must be lower cased";
  }

  private static Refusal invalid(String name, String why) {
    return new Refusal(
        ErrorType.INVALID_INDEX_TEMPLATE,
        "index_template [" + name + "] invalid, cause [" + why + "]");
  }

  /// What it makes of an index must be an index, with a priority of its own.
  private void requireValid(ClusterState state, String name, ObjectNode template) {
    List<String> missing = missingComponents(state, template);
    if (!missing.isEmpty()) {
      throw new Refusal(
          ErrorType.INVALID_INDEX_TEMPLATE,
          "index_template ["
              + name
              + "] invalid, cause [index template ["
              + name
              + "] specifies component templates "
              + missing
              + " that do not exist]");
    }
    List<String> patterns = MatchingTemplates.patterns(template);
    long priority = template.path("priority").asLong(0);
    SortedMap<String, ObjectNode> same = MatchingTemplates.of(state, MatchingTemplates.COMPOSABLE);
    same.keySet().remove(name);
    same.values().removeIf(other -> other.path("priority").asLong(0) != priority);
    if (!overlapping(same, patterns).isEmpty()) {
      throw Refusal.badArgument(
          "index template ["
              + name
              + "] has index patterns "
              + patterns
              + " matching patterns from existing templates ["
              + String.join(",", same.keySet())
              + "] with patterns ("
              + described(same)
              + ") that have the same priority ["
              + priority
              + "], multiple index templates may not match during index creation, please use a"
              + " different priority");
    }
    StreamTemplateRules.requireUse(state, name, template);
    try {
      MatchingTemplates.Resolved made = MatchingTemplates.composed(state, template, null);
      IndexSettings.check(made.settings());
      if (template.has("data_stream")) {
        StreamTemplateRules.requireTimestamp(made.mapping());
      }
      SortedMap<String, Object> settings = new TreeMap<>(made.settings());
      if (template.has("data_stream")) {
        SeriesRange.putPath(mappings, made.mapping(), settings);
      }
      ObjectNode whole = IndexMode.prepared(mappings, made.mapping(), settings);
      var _ = mappings.create(whole, settings).merge(Json.object());
    } catch (Refusal e) {
      throw new Refusal(
          ErrorType.ILLEGAL_ARGUMENT,
          "composable template ["
              + name
              + "] template after composition with component templates "
              + template.path("composed_of")
              + " is invalid",
          e);
    }
  }

  private static List<String> missingComponents(ClusterState state, ObjectNode template) {
    SortedMap<String, ObjectNode> components =
        MatchingTemplates.of(state, MatchingTemplates.COMPONENT);
    List<String> ignored = new ArrayList<>();
    template.path("ignore_missing_component_templates").forEach(n -> ignored.add(n.asText()));
    List<String> missing = new ArrayList<>();
    for (JsonNode component : template.path("composed_of")) {
      String name = component.asText();
      if (!components.containsKey(name) && !ignored.contains(name)) {
        missing.add(name);
      }
    }
    return missing;
  }

  /// Templates of a kind, but that of the name, that are for some name of the patterns.
  static SortedMap<String, ObjectNode> overlapping(
      ClusterState state, String kind, @Nullable String name, List<String> patterns) {
    SortedMap<String, ObjectNode> all = MatchingTemplates.of(state, kind);
    all.keySet().removeIf(other -> other.equals(name));
    return overlapping(all, patterns);
  }

  private static SortedMap<String, ObjectNode> overlapping(
      SortedMap<String, ObjectNode> templates, List<String> patterns) {
    PatternOverlap overlap = new PatternOverlap();
    templates.values().removeIf(other -> !overlap.of(patterns, MatchingTemplates.patterns(other)));
    return templates;
  }

  static String described(SortedMap<String, ObjectNode> templates) {
    List<String> each = new ArrayList<>();
    templates.forEach((name, one) -> each.add(name + " => " + MatchingTemplates.patterns(one)));
    return String.join(",", each);
  }

  private Answer get(ApiRequest request) {
    String name = request.text("name", "*");
    if (name.indexOf(',') >= 0) {
      throw Refusal.badArgument("template name may not contain ','");
    }
    boolean isFlat = request.flag("flat_settings", false);
    ObjectNode answer = Json.object();
    ArrayNode list = answer.putArray("index_templates");
    MatchingTemplates.of(metadata.current(), MatchingTemplates.COMPOSABLE)
        .forEach((key, template) -> {
          if (matches(name, key)) {
            list.addObject()
                .put("name", key)
                .set("index_template", TemplateBody.shown(template, isFlat, request.human()));
          }
        });
    if (list.isEmpty() && name.indexOf('*') < 0) {
      throw new Refusal(
          ErrorType.RESOURCE_NOT_FOUND, "index template matching [" + name + "] not found");
    }
    return Answer.of(list.isEmpty() && request.has("name") ? 404 : 200, answer);
  }

  static boolean matches(String names, String name) {
    for (String pattern : names.split(",")) {
      if (pattern.equals("_all") || Wildcards.matches(pattern, name)) {
        return true;
      }
    }
    return false;
  }

  private Answer delete(ApiRequest request) throws InterruptedException {
    List<String> names = request.names("name");
    metadata.update(
        "delete-index-template",
        state -> {
          SortedMap<String, ObjectNode> all =
              MatchingTemplates.of(state, MatchingTemplates.COMPOSABLE);
          SortedSet<String> gone = new TreeSet<>();
          for (String name : names) {
            boolean isKnown = false;
            for (String key : all.keySet()) {
              if (matches(name, key)) {
                gone.add(key);
                isKnown = true;
              }
            }
            if (!isKnown && !name.equals("*")) {
              throw new Refusal(
                  ErrorType.INDEX_TEMPLATE_MISSING, "index_template [" + name + "] missing");
            }
          }
          all.keySet().removeAll(gone);
          ClusterState changed = MatchingTemplates.with(state, MatchingTemplates.COMPOSABLE, all);
          StreamTemplateRules.requireRemovable(state, changed, gone);
          return changed;
        });
    return Answer.acknowledged();
  }

  private Answer simulate(ApiRequest request) {
    ClusterState state = metadata.current();
    String name = request.text("name");
    ObjectNode template;
    if (!request.body().isEmpty()) {
      template = bodies.composable(name == null ? "simulated" : name, request.body().object());
      requireValid(state, name == null ? "simulated" : name, template);
    } else {
      SortedMap<String, ObjectNode> all = MatchingTemplates.of(state, MatchingTemplates.COMPOSABLE);
      if (name == null) {
        throw new Refusal(
            ErrorType.ACTION_REQUEST_VALIDATION,
            "Validation Failed: 1: either index name or index template body must be specified for"
                + " simulation;");
      }
      ObjectNode kept = all.get(name);
      if (kept == null) {
        throw Refusal.badArgument("unable to simulate template [" + name + "] that does not exist");
      }
      template = kept;
    }
    return simulated(state, name, template);
  }

  private Answer simulateIndex(ApiRequest request) {
    ClusterState state = metadata.current();
    String index = request.required("name");
    String name;
    if (!request.body().isEmpty()) {
      name = "simulate_index_template_" + index;
      ObjectNode template = bodies.composable(name, request.body().object());
      requireValid(state, name, template);
      SortedMap<String, ObjectNode> all = MatchingTemplates.of(state, MatchingTemplates.COMPOSABLE);
      all.put(name, template);
      state = MatchingTemplates.with(state, MatchingTemplates.COMPOSABLE, all);
    }
    name = MatchingTemplates.winner(state, index);
    ObjectNode template =
        name == null ? null : MatchingTemplates.of(state, MatchingTemplates.COMPOSABLE).get(name);
    if (template == null) {
      return Answer.of(200, Json.object());
    }
    return simulated(state, name, template);
  }

  private Answer simulated(ClusterState state, @Nullable String name, ObjectNode template) {
    MatchingTemplates.Resolved made = MatchingTemplates.composed(state, template, null);
    ObjectNode answer = Json.object();
    ObjectNode shown = answer.putObject("template");
    shown.set("settings", IndexSettings.render(made.settings(), false));
    ObjectNode mapping = mappings.create(made.mapping(), made.settings()).toJson();
    if (!mapping.isEmpty()) {
      shown.set("mappings", mapping);
    }
    shown.set("aliases", made.aliases());
    ArrayNode list = answer.putArray("overlapping");
    List<String> patterns = MatchingTemplates.patterns(template);
    SortedMap<String, ObjectNode> legacy =
        overlapping(state, MatchingTemplates.LEGACY, null, patterns);
    SortedMap<String, ObjectNode> others =
        new TreeMap<>(overlapping(state, MatchingTemplates.COMPOSABLE, name, patterns));
    for (Map<String, ObjectNode> some : List.of(legacy, others)) {
      some.forEach((other, one) ->
          list.addObject().put("name", other).set("index_patterns", one.path("index_patterns")));
    }
    return Answer.of(200, answer);
  }

  /// Checks all composable templates after a change of their components.
  void requireAllValid(ClusterState state, String component) {
    MatchingTemplates.of(state, MatchingTemplates.COMPOSABLE)
        .forEach((name, template) -> {
          for (JsonNode used : template.path("composed_of")) {
            if (used.asText().equals(component)) {
              requireValid(state, name, template);
            }
          }
        });
  }
}
