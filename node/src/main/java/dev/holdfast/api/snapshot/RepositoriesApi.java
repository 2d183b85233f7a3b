package dev.holdfast.api.snapshot;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.repository.Repositories;
import dev.holdfast.clusterstate.repository.Repository;
import dev.holdfast.http.Answer;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.indexing.repository.RepositoryStores;
import dev.holdfast.indexing.repository.RepositoryTypes;
import dev.holdfast.indexing.repository.SnapshotRepository;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.World;
import dev.holdfast.world.text.Wildcards;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/// `GET|PUT|DELETE /_snapshot/{repository}`, `POST …/_verify` and `…/_analyze`.
public final class RepositoriesApi {
  private static final String FORBIDDEN = " \"*,/<>?\\|";

  private final World world;
  private final Metadata metadata;
  private final RepositoryStores stores;
  private final RepositoryProof proof;
  private final RepositoryUse use;

  /// @param own the cluster's own store
  public RepositoriesApi(
      World world,
      Metadata metadata,
      RepositoryStores stores,
      RepositoryProof proof,
      ObjectStore own) {
    this.world = world;
    this.metadata = metadata;
    this.stores = stores;
    this.proof = proof;
    this.use = new RepositoryUse(own);
  }

  /// The repositories that a request names by names and patterns; all without any.
  ///
  /// @throws Refusal `repository_missing_exception` for a name that none has
  static SortedMap<String, Repository> named(ClusterState state, List<String> names) {
    SortedMap<String, Repository> all = Repositories.all(state);
    if (names.isEmpty() || names.equals(List.of("_all"))) {
      return all;
    }
    SortedMap<String, Repository> found = new TreeMap<>();
    for (String name : names) {
      if (name.startsWith("-") && !found.isEmpty()) {
        found.keySet().removeIf(one -> Wildcards.matches(name.substring(1), one));
      } else if (Wildcards.isPattern(name)) {
        all.forEach((key, one) -> {
          if (Wildcards.matches(name, key)) {
            found.put(key, one);
          }
        });
      } else {
        found.put(name, Repositories.of(state, name));
      }
    }
    return found;
  }

  public Answer get(ApiRequest request) {
    ObjectNode answer = Json.object();
    named(metadata.current(), request.list("repository"))
        .forEach((name, repository) -> answer.set(name, repository.json()));
    return Answer.of(200, answer);
  }

  public Answer put(ApiRequest request) throws Exception {
    Repository repository = read(request.required("repository"), request.body().kept());
    SnapshotRepository opened = stores.open(repository);
    if (request.flag("verify", true)) {
      var _ = proof.verify(opened);
    }
    Repository before = Repositories.all(metadata.current()).get(repository.name());
    if (before != null && !before.equals(repository)) {
      requireIdle(before);
      awaitCopied(repository.name());
    }
    Set<String> begun = use.begun(metadata.current());
    metadata.update(
        "put_repository [" + repository.name() + "]",
        state -> {
          if (isMoved(state, repository)) {
            RepositoryUse.requireUnused(state, repository.name(), begun);
          }
          return Repositories.with(state, repository);
        });
    Answer answer = Answer.acknowledged();
    for (String warning : RepositoryTypes.warnings(repository)) {
      answer = answer.warn(warning);
    }
    return answer;
  }

  private void awaitCopied(String repository) throws InterruptedException {
    RepositoryUse.awaitCopied(
        world,
        metadata,
        origin -> origin.snapshot() != null && origin.snapshot().repository().equals(repository));
  }

  private void requireIdle(Repository repository) {
    SnapshotRepository opened;
    try {
      opened = stores.open(repository);
    } catch (Refusal e) {
      return; // its store cannot be opened here any more
    }
    RepositoryUse.requireIdle(metadata.current(), opened);
  }

  private static boolean isMoved(ClusterState state, Repository repository) {
    Repository before = Repositories.all(state).get(repository.name());
    return before != null && !before.equals(repository);
  }

  private static Repository read(String name, ObjectNode body) {
    for (int i = 0; i < FORBIDDEN.length(); i++) {
      if (name.indexOf(FORBIDDEN.charAt(i)) >= 0) {
        throw refused(
            name,
            "must not contain the following characters ['"
                + " ','\"','*',',','/','<','>','?','\\','|']");
      }
    }
    if (name.isEmpty() || name.indexOf('#') >= 0) {
      throw refused(name, "must not " + (name.isEmpty() ? "be empty" : "contain '#'"));
    }
    JsonObject object = JsonObject.of("put_repository", body);
    String type = object.string("type");
    JsonObject settings = object.object("settings");
    String _ = object.string("uuid"); // of a repository that another cluster has: nothing needs it
    object.done();
    if (type == null) {
      throw new Refusal(
          ErrorType.ACTION_REQUEST_VALIDATION, "Validation Failed: 1: type is missing;");
    }
    SortedMap<String, String> flat = new TreeMap<>();
    if (settings != null) {
      flatten("", settings.node(), flat);
    }
    return new Repository(name, type, flat);
  }

  private static Refusal refused(String name, String why) {
    return new Refusal(ErrorType.REPOSITORY, "[" + name + "] " + why);
  }

  private static void flatten(String prefix, JsonNode node, Map<String, String> flat) {
    for (Map.Entry<String, JsonNode> member : node.properties()) {
      String name = prefix + member.getKey();
      if (member.getValue().isObject()) {
        flatten(name + ".", member.getValue(), flat);
      } else if (member.getValue().isArray()) {
        throw Refusal.badArgument("setting [" + name + "] must be one value");
      } else if (!member.getValue().isNull()) {
        flat.put(name, member.getValue().asText());
      }
    }
  }

  public Answer delete(ApiRequest request) throws Exception {
    List<String> patterns = request.names("repository");
    for (Repository one : Repositories.all(metadata.current()).values()) {
      if (patterns.stream().anyMatch(pattern -> isMeant(pattern, one.name()))) {
        requireIdle(one);
        awaitCopied(one.name());
      }
    }
    Set<String> begun = use.begun(metadata.current());
    metadata.update(
        "delete_repository " + patterns,
        state -> {
          ClusterState left = state;
          for (String pattern : patterns) {
            List<String> names =
                Repositories.all(state).keySet().stream()
                    .filter(name -> isMeant(pattern, name))
                    .toList();
            if (names.isEmpty() && !pattern.equals("*")) {
              throw Repositories.missing(pattern);
            }
            for (String name : names) {
              RepositoryUse.requireUnused(state, name, begun);
              left = Repositories.without(left, name);
            }
          }
          return left;
        });
    return Answer.acknowledged();
  }

  private static boolean isMeant(String pattern, String name) {
    return pattern.equals("_all") || Wildcards.matches(pattern, name);
  }

  public Answer verify(ApiRequest request) throws Exception {
    SnapshotRepository opened = stores.open(of(request));
    ObjectNode answer = Json.object();
    ObjectNode nodes = answer.putObject("nodes");
    for (Map.Entry<String, String> node : proof.verify(opened).entrySet()) {
      nodes.putObject(node.getKey()).put("name", node.getValue());
    }
    return Answer.of(200, answer);
  }

  /// Whether the repository's store keeps the promises that snapshots rest on.
  public Answer analyze(ApiRequest request) throws Exception {
    Repository repository = of(request);
    if (repository.isReadOnly()) {
      throw readOnly(repository.name(), "repository is read-only");
    }
    Map<String, Object> found = new LinkedHashMap<>(proof.analyze(stores.open(repository)));
    return Answer.of(out -> {
      out.writeStartObject();
      out.writeStringField("repository", repository.name());
      for (Map.Entry<String, Object> one : found.entrySet()) {
        out.writeObjectField(one.getKey(), one.getValue());
      }
      out.writeEndObject();
    });
  }

  static Refusal readOnly(String name, String why) {
    return Refusal.badArgument("[" + name + "] " + why);
  }

  private Repository of(ApiRequest request) {
    return Repositories.of(metadata.current(), request.required("repository"));
  }
}
