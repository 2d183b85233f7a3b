package dev.holdfast.api.document.reindex;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.document.WriteRequests;
import dev.holdfast.api.indices.resolve.ClusterBlocks;
import dev.holdfast.api.indices.resolve.IndexBlocks;
import dev.holdfast.api.indices.resolve.IndexExpression;
import dev.holdfast.api.ingest.IngestDraft;
import dev.holdfast.api.search.Scrolls;
import dev.holdfast.api.search.SearchTargets;
import dev.holdfast.api.search.SearchUrl;
import dev.holdfast.api.search.lookup.QueryLookups;
import dev.holdfast.api.tasks.BackgroundTasks;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.indexing.operation.WriteOperation;
import dev.holdfast.query.parse.SearchParser;
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
    JsonNode given = kind == ByQuery.Kind.UPDATE ? body.remove("script") : null;
    ScriptSource script =
        ByQueryParameters.script(given, UpdateScript.UPDATE_BY_QUERY, metadata.current());
    ByQuery asked = read(request, body, script);
    boolean isUpdate = kind == ByQuery.Kind.UPDATE;
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
    long max = ByQueryParameters.documentsMax(request, body, true);
    JsonNode query = body.get("query");
    if (kind == ByQuery.Kind.DELETE && query == null && !request.has("q")) {
      throw new Refusal(
          ErrorType.ACTION_REQUEST_VALIDATION, "Validation Failed: 1: query is missing;");
    }
    lookups.resolve(query, request.required("index"));
    SearchUrl.query(request, body);
    if (request.has("sort")) {
      SearchUrl.sort(request, body);
    }
    if (request.has("from")) {
      throw new Refusal(
          ErrorType.ACTION_REQUEST_VALIDATION,
          "Validation Failed: 1: from is not supported in this context;");
    }
    if (request.has("terminate_after")) {
      body.put("terminate_after", request.integer("terminate_after", 0));
    }
    if (request.has("search_timeout")) {
      body.put("timeout", request.required("search_timeout"));
    }
    if (!body.has("sort")) {
      body.putArray("sort").add("_doc");
    }
    body.put("version", true).put("seq_no_primary_term", true);
    body.putObject("_source").put("exclude_vectors", false);
    var _ = SearchParser.parse(body);
    ClusterState state = metadata.current();
    ClusterBlocks.requireNone(state);
    IndexExpression.Options options = IndexExpression.Options.SEARCH.of(request);
    for (IndexMetadata index : IndexExpression.resolve(state, request.required("index"), options)) {
      IndexBlocks.requireWritable(index);
    }
    List<ShardTarget> targets =
        SearchTargets.of(
            state,
            request.required("index"),
            options,
            request.text("routing"),
            request.text("preference"),
            null);
    String pipeline = kind == ByQuery.Kind.UPDATE ? request.text("pipeline") : null;
    return new ByQuery(
        kind,
        targets,
        body,
        ByQueryParameters.batch(request.integer("scroll_size", ByQueryParameters.BATCH_DEFAULT)),
        max,
        proceeds,
        ByQueryParameters.slices(request, targets, state, max),
        ByQueryParameters.pace(request),
        request.flag("refresh", false),
        ByQueryParameters.keepAlive(request),
        ByQueryParameters.copiesWanted(request),
        request.text("timeout", "1m"),
        (hit, position) -> write(hit, position, pipeline, script));
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
