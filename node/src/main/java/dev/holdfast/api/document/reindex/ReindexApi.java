package dev.holdfast.api.document.reindex;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.document.WriteRequests;
import dev.holdfast.api.indices.resolve.IndexExpression;
import dev.holdfast.api.indices.resolve.SingleIndex;
import dev.holdfast.api.ingest.IngestDraft;
import dev.holdfast.api.search.ScrollFaults;
import dev.holdfast.api.search.Scrolls;
import dev.holdfast.api.search.SearchTargets;
import dev.holdfast.api.search.lookup.QueryLookups;
import dev.holdfast.api.tasks.BackgroundTasks;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.stream.DataStreams;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.indexing.operation.WriteOperation;
import dev.holdfast.indexing.operation.WriteOperation.Condition;
import dev.holdfast.indexing.operation.WriteOperation.VersionType;
import dev.holdfast.query.result.Hit;
import dev.holdfast.script.ScriptSource;
import dev.holdfast.script.context.UpdateScript;
import dev.holdfast.search.node.ShardTarget;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// `POST /_reindex`: writes what a query finds into another index.
public final class ReindexApi implements Api {
  /// Its parameters.
  public static final List<String> PARAMETERS = ByQueryParameters.names("require_alias");

  private final Metadata metadata;
  private final QueryLookups lookups;
  private final Scrolls scrolls;
  private final WriteRequests writes;
  private final BackgroundTasks tasks;

  public ReindexApi(
      Metadata metadata,
      QueryLookups lookups,
      Scrolls scrolls,
      WriteRequests writes,
      BackgroundTasks tasks) {
    this.metadata = metadata;
    this.lookups = lookups;
    this.scrolls = scrolls;
    this.writes = writes;
    this.tasks = tasks;
  }

  @Override
  public Answer handle(ApiRequest request) throws Exception {
    return copied(request, true);
  }

  /// Copies documents under new ids: those of several indices may have the same ones.
  public Answer renamed(ApiRequest request) throws Exception {
    return copied(request, false);
  }

  private Answer copied(ApiRequest request, boolean keepsIds) throws Exception {
    ReindexBody body = ReindexBody.read(request.body().object());
    JsonNode given = body.script();
    ScriptSource script =
        given == null
            ? null
            : ByQueryParameters.compiled(given, UpdateScript.REINDEX, metadata.current());
    int slices = ByQueryParameters.slicesAsked(request);
    int max = ByQueryParameters.documentsMax(request, body.documentsMax(), slices);
    boolean requiresAlias = request.flag("require_alias", false);
    String names = String.join(",", body.names());
    ByQuerySearch search = search(body, slices, names);
    ClusterState state = metadata.current();
    IndexExpression.Options options = IndexExpression.Options.SEARCH.of(request);
    List<ShardTarget> targets = SearchTargets.of(state, names, options, null, null, search.part());
    ReindexBody.Destination destination = body.destination();
    requireSane(state, names, options, destination, requiresAlias);
    List<IndexMetadata> read = IndexExpression.resolve(state, names, options);
    ByQuery asked =
        new ByQuery(
            ByQuery.Kind.REINDEX,
            targets,
            search,
            max,
            body.proceeds(),
            ByQueryParameters.slices(slices, read, search.part(), max),
            ByQueryParameters.pace(request),
            request.flag("refresh", false),
            ByQueryParameters.keepAlive(request),
            ByQueryParameters.copiesWanted(request),
            request.text("timeout", "1m"),
            (hit, position) -> write(hit, position, destination, requiresAlias, script, keepsIds));
    String description = "reindex from [" + names + "] to [" + destination.index() + "]";
    boolean isWaitedFor = request.flag("wait_for_completion", true);
    return tasks.run(
        request,
        "indices:data/write/reindex",
        description,
        task ->
            new ByQueryRun(
                    writes.world(),
                    scrolls,
                    writes,
                    asked,
                    task,
                    isWaitedFor ? request.isCancelled() : () -> false)
                .run());
  }

  private ByQuerySearch search(ReindexBody body, int slices, String names) throws IOException {
    ObjectNode source = body.source();
    RemoteSource remote = RemoteSource.take(source, slices);
    List<String> faults = new ArrayList<>(body.faults());
    if (remote != null) {
      faults.addAll(remote.faults());
      ScrollFaults.requireNone(faults);
      throw remote.refused();
    }
    lookups.resolve(source, names);
    ByQuerySearch search = ByQuerySearch.read(source, null, slices, faults);
    keepVectors(source);
    return search;
  }

  /// A copy has the vectors, which searches leave out of sources.
  private static void keepVectors(ObjectNode source) {
    switch (source.get("_source")) {
      case null -> source.putObject("_source").put("exclude_vectors", false);
      case ObjectNode given when !given.has("exclude_vectors") ->
          given.put("exclude_vectors", false);
      case JsonNode given when given.asText().equals("true") ->
          source.putObject("_source").put("exclude_vectors", false);
      default -> {}
    }
  }

  private void requireSane(
      ClusterState state,
      String names,
      IndexExpression.Options options,
      ReindexBody.Destination destination,
      boolean requiresAlias) {
    writes.requireMayWrite(destination.index(), requiresAlias);
    List<IndexMetadata> into =
        IndexExpression.resolve(
            state,
            destination.index(),
            new IndexExpression.Options(true, true, true, false, true, true));
    if (into.size() > 1
        && DataStreams.written(state, destination.index()) == null
        && into.stream()
            .noneMatch(index ->
                index.aliases().containsKey(destination.index())
                    && index
                        .aliases()
                        .get(destination.index())
                        .path("is_write_index")
                        .asBoolean())) {
      throw new Refusal(
          ErrorType.ACTION_REQUEST_VALIDATION,
          "no write index is defined for alias ["
              + destination.index()
              + "]. The write index may be explicitly disabled using is_write_index=false or the"
              + " alias points to multiple indices without one being designated as a write index");
    }
    if (into.isEmpty()) {
      return;
    }
    IndexMetadata one =
        into.size() == 1 ? into.getFirst() : SingleIndex.of(state, destination.index(), true);
    for (IndexMetadata index : IndexExpression.resolve(state, names, options)) {
      if (index.id().equals(one.id())) {
        throw new Refusal(
            ErrorType.ACTION_REQUEST_VALIDATION,
            "Validation Failed: 1: reindex cannot write into an index its reading from ["
                + destination.index()
                + "];");
      }
    }
  }

  private ByQuery.@Nullable Write write(
      Hit hit,
      int position,
      ReindexBody.Destination destination,
      boolean requiresAlias,
      @Nullable ScriptSource script,
      boolean keepsIds)
      throws InterruptedException {
    byte[] source = hit.source();
    String id = hit.id();
    if (source == null || id == null) {
      throw Refusal.badArgument("[" + hit.index() + "][" + id + "] didn't store _source");
    }
    boolean isExternal = destination.versionType() != VersionType.INTERNAL;
    IngestDraft read =
        IngestDraft.of(
            destination.index(),
            keepsIds ? id : null,
            routing(hit.routing(), destination.routing()),
            isExternal
                ? new Condition(-2, 0, hit.version(), destination.versionType())
                : Condition.NONE,
            source,
            0,
            source.length);
    WriteOperation.Kind kind =
        destination.createsOnly() ? WriteOperation.Kind.CREATE : WriteOperation.Kind.INDEX;
    if (script != null) {
      ScriptedDraft made =
          ScriptedDraft.run(script, true, hit, read, writes.world().clock().epochMillis());
      if (made.kind() == null) {
        return null;
      }
      kind = made.kind() == WriteOperation.Kind.DELETE ? made.kind() : kind;
      read = made.draft();
    }
    return new IngestedWrite(writes, destination.pipeline(), requiresAlias)
        .of(read, kind, position);
  }

  private static @Nullable String routing(@Nullable String kept, String rule) {
    return switch (rule) {
      case "keep" -> kept;
      case "discard" -> null;
      default -> rule.substring(1);
    };
  }
}
