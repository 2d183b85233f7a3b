package dev.holdfast.api.document;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.api.indices.resolve.SingleIndex;
import dev.holdfast.api.ingest.IngestDraft;
import dev.holdfast.api.ingest.IngestPipelines;
import dev.holdfast.api.ingest.IngestTrail;
import dev.holdfast.api.search.SourceParameters;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.http.ErrorBody;
import dev.holdfast.http.RequestBody;
import dev.holdfast.indexing.operation.WriteOperation;
import dev.holdfast.indexing.operation.WriteOperation.Kind;
import dev.holdfast.indexing.operation.WriteResult;
import dev.holdfast.query.source.SourceFilter;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/// `POST|PUT /_bulk`, `/{index}/_bulk`: many writes; each that fails does so alone, and the answer
/// lists all in order.
public final class BulkApi implements Api {
  public static final List<String> PARAMETERS =
      WriteRequests.parameters(
          "_source",
          "_source_includes",
          "_source_excludes",
          "require_data_stream",
          "list_executed_pipelines",
          "include_source_on_error");

  private final WriteRequests writes;

  public BulkApi(WriteRequests writes) {
    this.writes = writes;
  }

  @Override
  public Answer handle(ApiRequest request) throws Exception {
    long start = writes.world().clock().nanoTime();
    WriteRequests.Refresh refresh = WriteRequests.Refresh.of(request);
    List<BulkBody.Item> items = BulkBody.parse(request.body());
    Plan plan = plan(request, items);
    long ingestMillis = (writes.world().clock().nanoTime() - start) / 1_000_000;
    writes.write(plan.byShard, plan.results);
    requireNotOverloaded(plan);
    Set<ShardId> written = new LinkedHashSet<>(plan.byShard.keySet());
    keepFailures(plan, written);
    writes.refresh(refresh, written);
    long tookMillis = (writes.world().clock().nanoTime() - start) / 1_000_000;
    return Answer.of(out ->
        render(
            out,
            request,
            items,
            plan,
            refresh == WriteRequests.Refresh.NOW,
            tookMillis,
            ingestMillis));
  }

  /// What goes where.
  private static final class Plan {
    final Map<ShardId, List<WriteOperation>> byShard = new LinkedHashMap<>();
    final WriteResult[] results;
    final String[] names;
    final IndexMetadata[] indices;
    final List<List<String>> pipelines = new ArrayList<>();
    final List<FailedDocument> failed = new ArrayList<>();
    final FailureStored.Status[] stored;
    boolean isIngested;

    Plan(int items) {
      results = new WriteResult[items];
      names = new String[items];
      stored = new FailureStored.Status[items];
      Arrays.fill(stored, FailureStored.Status.NOT_APPLICABLE);
      indices = new IndexMetadata[items];
      for (int i = 0; i < items; i++) {
        pipelines.add(List.of());
      }
    }
  }

  private Plan plan(ApiRequest request, List<BulkBody.Item> items) throws InterruptedException {
    Plan plan = new Plan(items.size());
    String defaultIndex = request.text("index");
    String defaultRouting = request.text("routing");
    boolean requiresAlias = request.flag("require_alias", false);
    boolean requiresStream = request.flag("require_data_stream", false);
    requireValid(items, defaultIndex);
    Map<String, IndexMetadata> byName = new HashMap<>();
    Map<String, IndexMetadata> byAlias = new HashMap<>();
    Map<String, IngestPipelines.Route> routes = new HashMap<>();
    String defaultPipeline = request.text("pipeline");
    for (int i = 0; i < items.size(); i++) {
      BulkBody.Item item = items.get(i);
      BulkBody.Action action = item.action();
      String name = action.index() == null ? String.valueOf(defaultIndex) : action.index();
      plan.names[i] = name;
      try {
        boolean alias =
            action.requireAlias() == null
                ? requiresAlias && action.kind() != Kind.DELETE
                : action.requireAlias();
        writes.requireDataStream(
            name, action.requireDataStream() == null ? requiresStream : action.requireDataStream());
        boolean mayCreate =
            action.kind() != Kind.DELETE || !action.versionType().equals("internal");
        String routing = action.routing() == null ? defaultRouting : action.routing();
        IngestDraft draft =
            IngestDraft.of(
                name,
                action.id(),
                routing,
                condition(action),
                request.body().bytes(),
                item.offset(),
                item.length());
        if (action.kind() != Kind.DELETE) {
          draft = ingested(plan, routes, item, i, draft, defaultPipeline);
          if (draft.isDropped()) {
            plan.results[i] = WriteAnswer.dropped(draft.id());
            continue;
          }
          name = draft.index();
          plan.names[i] = name;
        }
        Map<String, IndexMetadata> resolved = alias ? byAlias : byName;
        IndexMetadata index = resolved.get(name);
        if (index == null) {
          index = writes.index(name, mayCreate, alias);
          resolved.put(name, index);
        }
        plan.indices[i] = index;
        writes.requireTaken(name, index, action.kind(), draft);
        WriteOperation operation =
            operation(item, i, draft, SingleIndex.routing(index, name, draft.routing()));
        plan.byShard
            .computeIfAbsent(WriteRequests.shard(index, operation), s -> new ArrayList<>())
            .add(operation);
      } catch (Refusal e) {
        plan.results[i] = new WriteResult.Refused(action.id() == null ? "" : action.id(), e);
      }
    }
    return plan;
  }

  /// The item after its pipelines, most often the item itself.
  private IngestDraft ingested(
      Plan plan,
      Map<String, IngestPipelines.Route> routes,
      BulkBody.Item item,
      int position,
      IngestDraft draft,
      @org.jspecify.annotations.Nullable String defaultPipeline) {
    String asked = item.action().pipeline();
    asked = asked == null ? defaultPipeline : asked;
    IngestPipelines.Route route =
        asked == null
            ? routes.computeIfAbsent(draft.index(), name -> writes.ingest().route(name, null))
            : writes.ingest().route(draft.index(), asked);
    if (item.action().kind() == Kind.UPDATE) {
      draft = writes.inlined(draft);
    }
    if (route.isEmpty()) {
      return draft;
    }
    plan.isIngested = true;
    IngestTrail trail = new IngestTrail();
    try {
      IngestDraft ingested =
          item.action().kind() == Kind.UPDATE
              ? writes.ingest().runUpsert(route, draft)
              : writes.ingest().run(route, draft, trail);
      plan.pipelines.set(position, ingested.executed());
      return ingested;
    } catch (Refusal e) {
      if (item.action().kind() != Kind.UPDATE) {
        plan.failed.add(FailedDocument.ofPipeline(position, draft, e, trail.place()));
      }
      throw e;
    }
  }

  /// Documents that failed go to the failure stores of their streams.
  ///
  /// @param written gets the shards of those
  private void keepFailures(Plan plan, Set<ShardId> written) throws InterruptedException {
    for (List<WriteOperation> operations : plan.byShard.values()) {
      for (WriteOperation operation : operations) {
        int position = operation.position();
        if (operation.kind() == Kind.CREATE
            && plan.results[position] instanceof WriteResult.Refused refused) {
          plan.failed.add(
              FailedDocument.ofShard(position, plan.names[position], operation, refused.refusal()));
        }
      }
    }
    if (plan.failed.isEmpty()) {
      return;
    }
    writes
        .failures()
        .store(plan.failed, written)
        .forEach((position, stored) -> {
          plan.stored[position] = stored.status();
          plan.results[position] = stored.result();
          if (stored.index() != null) {
            plan.indices[position] = stored.index();
          }
        });
  }

  /// What an update shows of its document: as its body says, its action line, or the URL.
  private static SourceFilter shown(ApiRequest request, BulkBody.Item item) throws IOException {
    if (item.action().kind() != Kind.UPDATE) {
      return SourceFilter.NONE;
    }
    JsonNode own = item.action().source();
    SourceFilter byLine = own == null ? null : SourceFilter.parse(own);
    RequestBody body = new RequestBody(request.body().bytes(), item.offset(), item.length());
    return SourceParameters.readFromUpdate(request, body, byLine);
  }

  private static void requireValid(
      List<BulkBody.Item> items, @org.jspecify.annotations.Nullable String defaultIndex) {
    List<String> faults = new ArrayList<>();
    for (BulkBody.Item item : items) {
      BulkBody.Action action = item.action();
      if (action.index() == null && defaultIndex == null) {
        faults.add("index is missing");
      }
      if (action.id() == null && (action.kind() == Kind.UPDATE || action.kind() == Kind.DELETE)) {
        faults.add("id is missing");
      }
      faults.addAll(WriteConditions.faults(action));
    }
    if (!faults.isEmpty()) {
      throw WriteConditions.invalid(faults);
    }
  }

  private WriteOperation operation(
      BulkBody.Item item,
      int position,
      IngestDraft draft,
      @org.jspecify.annotations.Nullable String routing) {
    BulkBody.Action action = item.action();
    boolean isAutoId = draft.id() == null;
    String id = draft.id() == null ? writes.world().ids().documentId() : draft.id();
    if (id.isEmpty()) {
      throw Refusal.badArgument("if _id is specified it must not be empty");
    }
    WriteRequests.requireValidId(id);
    return new WriteOperation(
        position,
        action.kind(),
        id,
        isAutoId,
        routing,
        draft.bytes(),
        draft.offset(),
        draft.length(),
        draft.condition(),
        action.retryOnConflict(),
        action.dynamicTemplates());
  }

  private static WriteOperation.Condition condition(BulkBody.Action action) {
    boolean isPlain =
        action.ifSeqNo() == WriteOperation.Condition.NONE.ifSeqNo()
            && action.ifPrimaryTerm() == WriteOperation.Condition.NONE.ifPrimaryTerm()
            && action.version() == WriteOperation.Condition.NONE.version()
            && action.versionType().equals("internal");
    return isPlain
        ? WriteOperation.Condition.NONE
        : WriteConditions.of(
            action.ifSeqNo(),
            action.ifPrimaryTerm(),
            action.version(),
            action.versionType(),
            action.kind());
  }

  /// When nothing at all was taken because the node is overloaded, the whole request is: clients
  /// that only look at the status back off too.
  private static void requireNotOverloaded(Plan plan) {
    Refusal first = null;
    for (WriteResult result : plan.results) {
      if (!(result instanceof WriteResult.Refused refused) || refused.refusal().status() != 429) {
        return;
      }
      first = first == null ? refused.refusal() : first;
    }
    if (first != null) {
      throw first;
    }
  }

  private static void render(
      JsonGenerator out,
      ApiRequest request,
      List<BulkBody.Item> items,
      Plan plan,
      boolean isForcedRefresh,
      long tookMillis,
      long ingestMillis)
      throws IOException {
    boolean hasErrors = false;
    for (WriteResult result : plan.results) {
      hasErrors |= result instanceof WriteResult.Refused;
    }
    boolean listsPipelines = request.flag("list_executed_pipelines", false);
    out.writeStartObject();
    out.writeBooleanField("errors", hasErrors);
    out.writeNumberField("took", tookMillis);
    if (plan.isIngested) {
      out.writeNumberField("ingest_took", ingestMillis);
    }
    out.writeArrayFieldStart("items");
    for (int i = 0; i < plan.results.length; i++) {
      out.writeStartObject();
      out.writeObjectFieldStart(items.get(i).action().kind().name().toLowerCase(Locale.ROOT));
      switch (plan.results[i]) {
        case WriteResult.Done done -> {
          WriteAnswer.writeItem(out, plan.names[i], plan.indices[i], done, isForcedRefresh);
          plan.stored[i].write(out);
          out.writeNumberField("status", WriteAnswer.status(done));
          if (done.source() != null) {
            WriteAnswer.writeGet(out, done, shown(request, items.get(i)));
          }
          if (listsPipelines) {
            out.writeArrayFieldStart("executed_pipelines");
            for (String pipeline : plan.pipelines.get(i)) {
              out.writeString(pipeline);
            }
            out.writeEndArray();
          }
        }
        case WriteResult.Refused refused -> refused(out, plan, i, refused);
      }
      out.writeEndObject();
      out.writeEndObject();
    }
    out.writeEndArray();
    out.writeEndObject();
  }

  private static void refused(JsonGenerator out, Plan plan, int i, WriteResult.Refused refused)
      throws IOException {
    out.writeStringField(
        "_index", plan.indices[i] == null ? plan.names[i] : plan.indices[i].id().name());
    out.writeStringField("_id", refused.id());
    out.writeNumberField("status", refused.refusal().status());
    out.writeFieldName("error");
    ErrorBody.writeBare(out, refused.refusal());
    plan.stored[i].write(out);
  }
}
