package dev.holdfast.api.ingest;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.http.Answer;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.world.Clock;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.text.Wildcards;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/// `GET|PUT|DELETE /_ingest/pipeline/{id}`: pipelines kept under a name.
public final class PipelinesApi {
  private static final String CREATED = "created_date_millis";
  private static final String MODIFIED = "modified_date_millis";
  private static final int NAMED_IN_REFUSAL_MAX = 3;

  private final Metadata metadata;
  private final IngestPipelines ingest;
  private final Clock clock;

  public PipelinesApi(Metadata metadata, IngestPipelines ingest, Clock clock) {
    this.metadata = metadata;
    this.ingest = ingest;
    this.clock = clock;
  }

  public Answer get(ApiRequest request) {
    List<String> wanted = request.list("id");
    boolean isSummary = request.flag("summary", false);
    ObjectNode answer = Json.object();
    StoredPipelines.definitions(metadata.current())
        .forEach((id, definition) -> {
          if (!request.has("id") || wanted.stream().anyMatch(one -> Wildcards.matches(one, id))) {
            answer.set(id, isSummary ? Json.object() : definition);
          }
        });
    return Answer.of(answer.isEmpty() ? 404 : 200, answer);
  }

  public Answer put(ApiRequest request) throws InterruptedException {
    String id = request.required("id");
    ObjectNode definition = request.body().kept();
    for (String managed : List.of(CREATED, MODIFIED)) {
      if (definition.has(managed)) {
        throw new Refusal(
            ErrorType.PARSE,
            "Provided a pipeline property which is managed by the system: " + managed + ".");
      }
    }
    PipelineProperties.check(id, definition);
    var _ = ingest.pipelines().parser().pipeline(id, definition);
    long now = clock.epochMillis();
    Long ifVersion = request.has("if_version") ? request.longValue("if_version", 0) : null;
    metadata.update(
        "put-pipeline [" + id + "]",
        state -> {
          SortedMap<String, ObjectNode> all = StoredPipelines.definitions(state);
          ObjectNode before = all.get(id);
          ObjectNode kept = definition.deepCopy();
          if (ifVersion == null && isSame(before, definition)) {
            return state; // clients put theirs whenever they start
          }
          if (ifVersion != null) {
            requireVersion(id, before, ifVersion);
            raise(id, kept, ifVersion);
          }
          kept.put(CREATED, before == null ? now : before.path(CREATED).asLong(now));
          kept.put(MODIFIED, now);
          all.put(id, kept);
          return StoredPipelines.with(state, all);
        });
    Answer answer = Answer.acknowledged();
    return KeptBinaries.areUnsaid(definition) ? answer.warn(KeptBinaries.WARNING) : answer;
  }

  private static boolean isSame(@Nullable ObjectNode before, ObjectNode definition) {
    return before != null
        && before.deepCopy().without(List.of(CREATED, MODIFIED)).equals(definition);
  }

  /// The version after one that was asked for: another one, or the next when none is said.
  private static void raise(String id, ObjectNode kept, long before) {
    if (!kept.hasNonNull("version")) {
      kept.put("version", before + 1);
    } else if (kept.path("version").asLong() == before) {
      throw Refusal.badArgument(
          "cannot update pipeline [" + id + "] with the same version [" + before + "]");
    }
  }

  private static void requireVersion(String id, @Nullable ObjectNode before, long wanted) {
    if (before == null) {
      throw Refusal.badArgument(
          "version conflict, required version ["
              + wanted
              + "] for pipeline ["
              + id
              + "] but no pipeline was found");
    }
    if (!before.has("version") || before.path("version").asLong() != wanted) {
      throw Refusal.badArgument(
          "version conflict, required version ["
              + wanted
              + "] for pipeline ["
              + id
              + "] but current version is ["
              + (before.has("version") ? before.path("version").asText() : "null")
              + "]");
    }
  }

  public Answer delete(ApiRequest request) throws InterruptedException {
    String pattern = request.required("id");
    metadata.update(
        "delete-pipeline [" + pattern + "]",
        state -> {
          SortedMap<String, ObjectNode> all = StoredPipelines.definitions(state);
          List<String> gone =
              all.keySet().stream().filter(id -> Wildcards.matches(pattern, id)).toList();
          if (gone.isEmpty() && !pattern.equals("*")) {
            throw new Refusal(
                ErrorType.RESOURCE_NOT_FOUND, "pipeline [" + pattern + "] is missing");
          }
          for (String id : gone) {
            if (BuiltInPipelines.find(id) == null) {
              requireUnused(state, id);
            }
            all.remove(id);
            ingest.figures().forget(id);
          }
          return StoredPipelines.with(state, all);
        });
    return Answer.acknowledged();
  }

  private static void requireUnused(ClusterState state, String id) {
    for (String kind : List.of("default", "final")) {
      List<String> users =
          state.indices().values().stream()
              .filter(index -> id.equals(setting(index, kind)))
              .map(index -> index.id().name())
              .toList();
      if (!users.isEmpty()) {
        throw Refusal.badArgument(
            "pipeline ["
                + id
                + "] cannot be deleted because it is the "
                + kind
                + " pipeline for "
                + users.size()
                + " index(es) including ["
                + String.join(",", users.subList(0, Math.min(users.size(), NAMED_IN_REFUSAL_MAX)))
                + "]");
      }
    }
  }

  private static String setting(IndexMetadata index, String kind) {
    return index.setting("index." + kind + "_pipeline", "");
  }
}
