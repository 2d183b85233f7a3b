package dev.holdfast.api.indices.template;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.indices.settings.MappingWarnings;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.document.MappingFactory;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/// `/_template`: templates as they were before composable ones.
public final class LegacyTemplatesApi {
  private final Metadata metadata;
  private final TemplateBody bodies;

  public LegacyTemplatesApi(Metadata metadata, MappingFactory mappings) {
    this.metadata = metadata;
    this.bodies = new TemplateBody(mappings);
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

  private Answer put(ApiRequest request) throws InterruptedException {
    String name = request.required("name");
    IndexTemplatesApi.requireName(name);
    Integer order = request.has("order") ? (Integer) request.integer("order", 0) : null;
    ObjectNode given = request.body().kept();
    ObjectNode template = bodies.legacy(name, given, order);
    boolean createsOnly = request.flag("create", false);
    metadata.update(
        "put-template [" + name + "]",
        state -> {
          SortedMap<String, ObjectNode> all = MatchingTemplates.of(state, MatchingTemplates.LEGACY);
          if (createsOnly && all.containsKey(name)) {
            throw Refusal.badArgument("index_template [" + name + "] already exists");
          }
          requireUse(state, name, all.get(name), template);
          all.put(name, template);
          return MatchingTemplates.with(state, MatchingTemplates.LEGACY, all);
        });
    String overlap = overlap(metadata.current(), name, template);
    Answer answer =
        MappingWarnings.warn(
            TemplateBody.warned(Answer.acknowledged(), template.path("settings")),
            given.path("mappings"));
    return overlap == null
        ? answer
        : answer.warn(
            overlap
                + "; this template ["
                + name
                + "] may be ignored in favor of a composable template at index creation time");
  }

  /// A template whose indices all belong to composable ones would never be used. One for all names
  /// is taken, and one that is there already and is for the same names as before.
  private static void requireUse(
      ClusterState state, String name, @Nullable ObjectNode before, ObjectNode template) {
    List<String> patterns = MatchingTemplates.patterns(template);
    boolean isKnown = before != null && MatchingTemplates.patterns(before).equals(patterns);
    if (isKnown || patterns.contains("*")) {
      return;
    }
    String overlap = overlap(state, name, template);
    if (overlap != null) {
      throw Refusal.badArgument(overlap + ", use composable templates (/_index_template) instead");
    }
  }

  /// Which composable templates are for the same names; null for none.
  private static @Nullable String overlap(ClusterState state, String name, ObjectNode template) {
    List<String> patterns = MatchingTemplates.patterns(template);
    SortedMap<String, ObjectNode> composable =
        IndexTemplatesApi.overlapping(state, MatchingTemplates.COMPOSABLE, null, patterns);
    return composable.isEmpty()
        ? null
        : "legacy template ["
            + name
            + "] has index patterns "
            + patterns
            + " matching patterns from existing composable templates ["
            + String.join(",", composable.keySet())
            + "] with patterns ("
            + IndexTemplatesApi.described(composable)
            + ")";
  }

  private Answer get(ApiRequest request) {
    String names = request.text("name", "*");
    boolean isFlat = request.flag("flat_settings", false);
    ObjectNode answer = Json.object();
    MatchingTemplates.of(metadata.current(), MatchingTemplates.LEGACY)
        .forEach((name, template) -> {
          if (IndexTemplatesApi.matches(names, name)) {
            ObjectNode shown = TemplateBody.shown(template, isFlat, false);
            for (String member : List.of("settings", "mappings", "aliases")) {
              if (!shown.has(member)) {
                shown.putObject(member);
              }
            }
            answer.set(name, shown);
          }
        });
    return Answer.of(answer.isEmpty() && request.has("name") ? 404 : 200, answer);
  }

  private Answer delete(ApiRequest request) throws InterruptedException {
    String name = request.required("name");
    metadata.update(
        "delete-template [" + name + "]",
        state -> {
          SortedMap<String, ObjectNode> all = MatchingTemplates.of(state, MatchingTemplates.LEGACY);
          boolean isGone = all.keySet().removeIf(key -> IndexTemplatesApi.matches(name, key));
          if (!isGone && !name.equals("*")) {
            throw new Refusal(
                ErrorType.INDEX_TEMPLATE_MISSING, "index_template [" + name + "] missing");
          }
          return MatchingTemplates.with(state, MatchingTemplates.LEGACY, all);
        });
    return Answer.acknowledged();
  }
}
