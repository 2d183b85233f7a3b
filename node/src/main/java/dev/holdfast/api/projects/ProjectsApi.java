package dev.holdfast.api.projects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.http.Answer;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.objectstore.count.StorePrices;
import dev.holdfast.project.Project;
import dev.holdfast.project.ProjectLimits;
import dev.holdfast.project.Projects;
import dev.holdfast.settings.NodeSettings;
import dev.holdfast.settings.ProjectSettings;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.Suggestions;
import dev.holdfast.world.World;
import java.util.List;
import java.util.Map;

/// `GET`, `PUT` and `DELETE /_holdfast/projects/{project}`.
public final class ProjectsApi {
  private static final String LIMITS = "limits";

  private final World world;
  private final ProjectSettings settings;
  private final StorePrices prices;
  private final Metadata metadata;

  public ProjectsApi(World world, NodeSettings node, Metadata metadata) {
    this.world = world;
    this.settings = node.projects();
    this.prices = StorePrices.of(node.store(), node.storeOptions());
    this.metadata = metadata;
  }

  private void requireOn() {
    if (settings.isWithin()) {
      throw Refusal.badArgument(
          "projects are those of the whole cluster: leave out the header [X-Holdfast-Project]");
    }
    if (!settings.isOn()) {
      throw Refusal.badArgument(
          "this node serves no projects: start the nodes with [projects: true]");
    }
  }

  public Answer show(ApiRequest request) {
    requireOn();
    ArrayNode projects = Json.MAPPER.createArrayNode();
    String wanted = request.text("project");
    for (Project project : Projects.all(metadata.current()).values()) {
      if (wanted == null || project.name().equals(wanted)) {
        ObjectNode json = projects.addObject();
        json.put("name", project.name());
        json.put("uuid", project.uuid());
        json.put("created_millis", project.createdMillis());
        json.set(LIMITS, project.limits().json());
      }
    }
    if (wanted != null && projects.isEmpty()) {
      throw missing(wanted);
    }
    ObjectNode answer = Json.object();
    answer.set("projects", projects);
    return Answer.of(200, answer);
  }

  /// Makes a project, or gives one that there is other limits; it is opened again for those.
  public Answer put(ApiRequest request) throws InterruptedException {
    requireOn();
    String name = request.required("project");
    Project.requireName(name);
    ProjectLimits limits = limits(request.body().kept());
    Project made = new Project(name, world.ids().uuid(), world.clock().epochMillis(), limits);
    var _ =
        metadata.update(
            "project " + name,
            state -> {
              Project before = Projects.find(state, name);
              Project now =
                  before == null
                      ? made
                      : new Project(name, before.uuid(), before.createdMillis(), limits);
              return now.equals(before) ? state : Projects.with(state, now);
            });
    return Answer.of(200, Json.object().put("acknowledged", true));
  }

  private ProjectLimits limits(ObjectNode body) {
    for (Map.Entry<String, JsonNode> one : body.properties()) {
      if (!one.getKey().equals(LIMITS)) {
        throw Refusal.badArgument(
            Suggestions.didYouMean(
                "unknown member [" + one.getKey() + "]", one.getKey(), List.of(LIMITS)));
      }
    }
    ProjectLimits limits = ProjectLimits.of(body.get(LIMITS));
    if (!limits.storeBudget().isEmpty() && prices.isFree()) {
      throw Refusal.badArgument(
          "limit [store_budget] has no effect: requests to this store cost nothing");
    }
    return limits;
  }

  /// Its objects go a little later.
  public Answer delete(ApiRequest request) throws InterruptedException {
    requireOn();
    String name = request.required("project");
    ClusterState _ =
        metadata.update(
            "delete project " + name,
            state -> {
              Project project = Projects.find(state, name);
              if (project == null) {
                throw missing(name);
              }
              return Projects.without(state, project, world.clock().epochMillis());
            });
    return Answer.of(200, Json.object().put("acknowledged", true));
  }

  private static Refusal missing(String name) {
    return new Refusal(ErrorType.RESOURCE_NOT_FOUND, "no such project [" + name + "]");
  }
}
