package dev.holdfast.api.document.reindex;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.document.WriteRequests;
import dev.holdfast.api.indices.resolve.ClusterBlocks;
import dev.holdfast.api.indices.resolve.IndexBlocks;
import dev.holdfast.api.indices.resolve.IndexExpression;
import dev.holdfast.api.ingest.IngestDraft;
import dev.holdfast.api.search.Scrolls;
import dev.holdfast.api.search.SearchBody;
import dev.holdfast.api.search.SearchTargets;
import dev.holdfast.api.search.lookup.QueryLookups;
import dev.holdfast.api.tasks.BackgroundTasks;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.indexing.operation.WriteOperation;
import dev.holdfast.query.result.Hit;
import dev.holdfast.script.ScriptSource;
import dev.holdfast.script.context.UpdateScript;
import dev.holdfast.search.node.ShardTarget;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// `POST /{index}/_update_by_query` and `POST /{index}/_delete_by_query`: writes again, or deletes,
/// what a query finds, unless it changed meanwhile.
public final class UpdateByQueryApi implements Api {
  /// What both take.
  public static final List<String> PARAMETERS =
      ByQueryParameters.names(
          "allow_no_indices",
          "analyze_wildcard",
          "analyzer",
          "conflicts",
          "default_operator",
          "df",
          "expand_wildcards",
          "from",
          "ignore_unavailable",
          "lenient",
          "preference",
          "q",
          "request_cache",
          "routing",
          "scroll_size",
          "search_timeout",
          "search_type",
          "size",
          "sort",
          "stats",
          "terminate_after",
          "version");

  /// What updates take.
  public static final List<String> UPDATE_PARAMETERS = updateParameters();

  private final ByQuery.Kind kind;
  private final Metadata metadata;
  private final QueryLookups lookups;
  private final Scrolls scrolls;
  private final WriteRequests writes;
  private final BackgroundTasks tasks;

  private UpdateByQueryApi(
      ByQuery.Kind kind,
      Metadata metadata,
      QueryLookups lookups,
      Scrolls scrolls,
      WriteRequests writes,
      BackgroundTasks tasks) {
    this.kind = kind;
    this.metadata = metadata;
    this.lookups = lookups;
    this.scrolls = scrolls;
    this.writes = writes;
    this.tasks = tasks;
  }

  public static Api update(
      Metadata metadata,
      QueryLookups lookups,
      Scrolls scrolls,
      WriteRequests writes,
      BackgroundTasks tasks) {
    return new UpdateByQueryApi(ByQuery.Kind.UPDATE, metadata, lookups, scrolls, writes, tasks);
  }

  public static Api delete(
      Metadata metadata,
      QueryLookups lookups,
      Scrolls scrolls,
      WriteRequests writes,
      BackgroundTasks tasks) {
    return new UpdateByQueryApi(ByQuery.Kind.DELETE, metadata, lookups, scrolls, writes, tasks);
  }

  private static List<String> updateParameters() {
    List<String> all = new ArrayList<>(PARAMETERS);
    all.addAll(List.of("pipeline", "version_type"));
    return List.copyOf(all);
  }

  @Override
  public Answer handle(ApiRequest request) throws Exception {
    ObjectNode body = request.body().object();
    boolean isUpdate = kind == ByQuery.Kind.UPDATE;
    ScriptSource script =
        isUpdate
            ? ByQueryParameters.script(body, UpdateScript.UPDATE_BY_QUERY, metadata.current())
            : null;
    ByQuery asked = read(request, body, script);
    String description =
        (isUpdate ? "update" : "delete") + "-by-query [" + request.required("index") + "]";
    String action =
        isUpdate ? "indices:data/write/update/byquery" : "indices:data/write/delete/byquery";
    boolean isWaitedFor = request.flag("wait_for_completion", true);
    return tasks.run(
        request,
        action,
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

  private ByQuery read(ApiRequest request, ObjectNode body, @Nullable ScriptSource script)
      throws IOException {
    boolean proceeds = ByQueryParameters.proceeds(request, body);
    Integer given = ByQueryParameters.documentsMax(body);
    int slices = ByQueryParameters.slicesAsked(request);
    int max = ByQueryParameters.documentsMax(request, given, slices);
    ByQuerySearch search = search(request, body, slices);
    ClusterState state = metadata.current();
    ClusterBlocks.requireNone(state);
    IndexExpression.Options options = IndexExpression.Options.SEARCH.of(request);
    List<IndexMetadata> indices =
        IndexExpression.resolve(state, request.required("index"), options);
    indices.forEach(IndexBlocks::requireWritable);
    List<ShardTarget> targets =
        SearchTargets.of(
            state,
            request.required("index"),
            options,
            request.text("routing"),
            request.text("preference"),
            search.part());
    String pipeline = kind == ByQuery.Kind.UPDATE ? request.text("pipeline") : null;
    return new ByQuery(
        kind,
        targets,
        search,
        max,
        proceeds,
        ByQueryParameters.slices(slices, indices, search.part(), max),
        ByQueryParameters.pace(request),
        request.flag("refresh", false),
        ByQueryParameters.keepAlive(request),
        ByQueryParameters.copiesWanted(request),
        request.text("timeout", "1m"),
        (hit, position) -> write(hit, position, pipeline, script));
  }

  /// The search of the body and the URL, which wins.
  private ByQuerySearch search(ApiRequest request, ObjectNode body, int slices) throws IOException {
    List<String> faults = new ArrayList<>();
    if (kind == ByQuery.Kind.DELETE && !body.has("query") && !request.has("q")) {
      faults.add("query is missing");
    }
    SearchBody.queryAndSort(request, body);
    if (request.has("from")) {
      body.put("from", request.integer("from", 0));
    }
    if (request.has("terminate_after")) {
      body.put("terminate_after", request.integer("terminate_after", 0));
    }
    if (request.has("search_timeout")) {
      body.put("timeout", request.required("search_timeout"));
    }
    lookups.resolve(body, request.required("index"));
    ByQuerySearch search =
        ByQuerySearch.read(body, ByQueryParameters.batch(request), slices, faults);
    body.putObject("_source").put("exclude_vectors", false);
    return search;
  }

  private ByQuery.@Nullable Write write(
      Hit hit, int position, @Nullable String pipeline, @Nullable ScriptSource script)
      throws InterruptedException {
    IndexMetadata index = metadata.current().indices().get(hit.index());
    String id = hit.id();
    byte[] source = hit.source();
    if (index == null) {
      throw Refusal.indexNotFound(hit.index());
    }
    if (id == null || (kind == ByQuery.Kind.UPDATE && source == null)) {
      throw Refusal.badArgument("[" + hit.index() + "][" + id + "] didn't store _source");
    }
    WriteOperation.Condition unchanged =
        new WriteOperation.Condition(
            hit.seqNo(), hit.primaryTerm(), -3, WriteOperation.VersionType.INTERNAL);
    if (kind == ByQuery.Kind.UPDATE && source != null) {
      IngestDraft read =
          IngestDraft.of(hit.index(), id, hit.routing(), unchanged, source, 0, source.length);
      WriteOperation.Kind write = WriteOperation.Kind.INDEX;
      if (script != null) {
        ScriptedDraft made =
            ScriptedDraft.run(script, false, hit, read, writes.world().clock().epochMillis());
        if (made.kind() == null) {
          return null;
        }
        write = made.kind();
        read = made.draft();
      }
      return new IngestedWrite(writes, pipeline, false).of(read, write, position);
    }
    return new ByQuery.Write(
        index,
        hit.index(),
        new WriteOperation(
            position,
            WriteOperation.Kind.DELETE,
            id,
            false,
            hit.routing(),
            new byte[0],
            0,
            0,
            unchanged,
            0),
        null);
  }
}
