package dev.holdfast.api.indices.template;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
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
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;

/// `/_component_template`: parts that composable templates are made of.
public final class ComponentTemplatesApi {
  private final Metadata metadata;
  private final TemplateBody bodies;
  private final Clock clock;
  private final IndexTemplatesApi templates;

  public ComponentTemplatesApi(
      Metadata metadata, MappingFactory mappings, IndexTemplatesApi templates, Clock clock) {
    this.metadata = metadata;
    this.bodies = new TemplateBody(mappings);
    this.clock = clock;
    this.templates = templates;
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
    ObjectNode given = request.body().kept();
    ObjectNode component = bodies.component(given);
    boolean createsOnly = request.flag("create", false);
    long now = clock.epochMillis();
    metadata.update(
        "put-component-template [" + name + "]",
        state -> {
          SortedMap<String, ObjectNode> all =
              MatchingTemplates.of(state, MatchingTemplates.COMPONENT);
          if (createsOnly && all.containsKey(name)) {
            throw Refusal.badArgument("component template [" + name + "] already exists");
          }
          TemplateDates.put(all, name, component, now);
          ClusterState changed = MatchingTemplates.with(state, MatchingTemplates.COMPONENT, all);
          templates.requireAllValid(changed, name);
          return changed;
        });
    return MappingWarnings.warn(
        TemplateBody.warned(Answer.acknowledged(), metadata.current(), component),
        given.at("/template/mappings"));
  }

  private Answer get(ApiRequest request) {
    String name = request.text("name", "*");
    boolean isFlat = request.flag("flat_settings", false);
    ObjectNode answer = Json.object();
    ArrayNode list = answer.putArray("component_templates");
    MatchingTemplates.of(metadata.current(), MatchingTemplates.COMPONENT)
        .forEach((key, component) -> {
          if (IndexTemplatesApi.matches(name, key)) {
            list.addObject()
                .put("name", key)
                .set("component_template", TemplateBody.shown(component, isFlat, request.human()));
          }
        });
    if (list.isEmpty() && name.indexOf('*') < 0) {
      throw new Refusal(
          ErrorType.RESOURCE_NOT_FOUND, "component template matching [" + name + "] not found");
    }
    return Answer.of(list.isEmpty() && request.has("name") ? 404 : 200, answer);
  }

  private Answer delete(ApiRequest request) throws InterruptedException {
    List<String> names = request.names("name");
    metadata.update(
        "delete-component-template",
        state -> {
          SortedMap<String, ObjectNode> all =
              MatchingTemplates.of(state, MatchingTemplates.COMPONENT);
          Set<String> gone = new TreeSet<>();
          for (String name : names) {
            boolean isKnown = false;
            for (String key : all.keySet()) {
              if (IndexTemplatesApi.matches(name, key)) {
                gone.add(key);
                isKnown = true;
              }
            }
            if (!isKnown && !name.equals("*")) {
              throw new Refusal(ErrorType.RESOURCE_NOT_FOUND, name);
            }
          }
          Set<String> missed = new TreeSet<>(gone);
          missed.removeAll(BuiltInTemplates.of(state, MatchingTemplates.COMPONENT).keySet());
          requireUnused(state, missed);
          all.keySet().removeAll(gone);
          return MatchingTemplates.with(state, MatchingTemplates.COMPONENT, all);
        });
    return Answer.acknowledged();
  }

  private static void requireUnused(ClusterState state, Set<String> components) {
    Set<String> users = new TreeSet<>();
    Set<String> used = new TreeSet<>();
    MatchingTemplates.of(state, MatchingTemplates.COMPOSABLE)
        .forEach((name, template) -> {
          Set<String> ignored = new TreeSet<>();
          template.path("ignore_missing_component_templates").forEach(n -> ignored.add(n.asText()));
          for (JsonNode component : template.path("composed_of")) {
            if (components.contains(component.asText()) && !ignored.contains(component.asText())) {
              users.add(name);
              used.add(component.asText());
            }
          }
        });
    if (!users.isEmpty()) {
      throw Refusal.badArgument(
          "component templates "
              + used
              + " cannot be removed as they are still in use by index templates "
              + users);
    }
  }
}
