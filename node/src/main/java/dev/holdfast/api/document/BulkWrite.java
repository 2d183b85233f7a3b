package dev.holdfast.api.document;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.holdfast.api.indices.resolve.DateMathNames;
import dev.holdfast.api.indices.resolve.SingleIndex;
import dev.holdfast.api.ingest.IngestDraft;
import dev.holdfast.api.ingest.IngestPipelines;
import dev.holdfast.api.ingest.IngestTrail;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.http.ErrorBody;
import dev.holdfast.http.RequestBody;
import dev.holdfast.http.RequestMemory;
import dev.holdfast.indexing.operation.WriteOperation;
import dev.holdfast.indexing.operation.WriteOperation.Kind;
import dev.holdfast.indexing.operation.WriteResult;
import dev.holdfast.query.source.SourceFilter;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.StopSignal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The items of a `_bulk`, or of a part of a large one, on their way: what goes where, what became
/// of it, what is answered.
final class BulkWrite {
  private final WriteRequests writes;
  private final ApiRequest request;
  private final RequestBody body;
  private final List<BulkBody.Item> items;
  private final Map<ShardId, List<WriteOperation>> byShard = new LinkedHashMap<>();
  private final WriteResult[] results;
  private final String[] names;
  private final IndexMetadata[] indices;
  private final List<List<String>> pipelines = new ArrayList<>();
  private final List<FailedDocument> failed = new ArrayList<>();
  private final FailureStored.Status[] stored;
  private final StopSignal ingesting;
  private boolean isIngested;

  /// @param body that the items are in
  /// @param items that are valid
  BulkWrite(WriteRequests writes, ApiRequest request, RequestBody body, List<BulkBody.Item> items) {
    this.writes = writes;
    this.request = request;
    this.body = body;
    this.items = items;
    ingesting = writes.ingest().signal(request.isCancelled());
    results = new WriteResult[items.size()];
    names = new String[items.size()];
    stored = new FailureStored.Status[items.size()];
    Arrays.fill(stored, FailureStored.Status.NOT_APPLICABLE);
    indices = new IndexMetadata[items.size()];
    for (int i = 0; i < items.size(); i++) {
      pipelines.add(List.of());
    }
  }

  /// Finds out what goes where; runs pipelines, creates indices.
  void plan() throws InterruptedException {
    String defaultIndex = request.has("index") ? request.given("index") : null;
    String defaultRouting = request.text("routing");
    boolean requiresAlias = request.flag("require_alias", false);
    boolean requiresStream = request.flag("require_data_stream", false);
    Map<String, IndexMetadata> byName = new HashMap<>();
    Map<String, IndexMetadata> byAlias = new HashMap<>();
    IndexOwners owners = writes.owners();
    Map<RouteKey, IngestPipelines.Route> routes = new HashMap<>();
    String defaultPipeline = WriteConditions.pipeline(request);
    for (int i = 0; i < items.size(); i++) {
      BulkBody.Item item = items.get(i);
      BulkBody.Action action = item.action();
      String name = action.index() == null ? String.valueOf(defaultIndex) : action.index();
      names[i] = name;
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
                body.bytes(),
                item.offset(),
                item.length());
        if (action.kind() != Kind.DELETE) {
          draft = ingested(routes, item, i, draft, defaultPipeline);
          if (draft.isDropped()) {
            results[i] = WriteAnswer.dropped(draft.id());
            continue;
          }
          name = draft.index();
          names[i] = name;
        }
        Map<String, IndexMetadata> resolved = alias ? byAlias : byName;
        IndexMetadata index = resolved.get(name);
        if (index == null) {
          index = writes.index(name, mayCreate, alias);
          resolved.put(name, index);
        }
        indices[i] = index;
        owners.requireTaken(name, index, action.kind(), draft);
        NamedDocument at = named(i, name, index, draft, action);
        index = at.index();
        indices[i] = index;
        WriteOperation operation =
            operation(item, i, draft, at, SingleIndex.routing(index, plain(name), draft.routing()));
        byShard
            .computeIfAbsent(WriteRequests.shard(index, operation), s -> new ArrayList<>())
            .add(operation);
      } catch (Refusal e) {
        results[i] = new WriteResult.Refused(action.id() == null ? "" : action.id(), e);
      }
    }
  }

  /// What an alias is called whose name was given with dates.
  private String plain(String name) {
    return DateMathNames.resolve(name, writes.world().clock().epochMillis());
  }

  private NamedDocument named(
      int position, String name, IndexMetadata index, IngestDraft draft, BulkBody.Action action) {
    try {
      return writes.named(name, index, action.kind(), draft, action.dynamicTemplates());
    } catch (Refusal e) {
      FailedDocument lost = FailedDocument.ofSeries(position, index, action.kind(), draft, e);
      if (lost != null) {
        failed.add(lost);
      }
      throw e;
    }
  }

  /// What decides which pipelines an item goes through.
  ///
  /// @param pipeline that the item asks for; null for none
  private record RouteKey(String index, @Nullable String pipeline) {}

  /// The item after its pipelines, most often the item itself.
  private IngestDraft ingested(
      Map<RouteKey, IngestPipelines.Route> routes,
      BulkBody.Item item,
      int position,
      IngestDraft draft,
      @Nullable String defaultPipeline) {
    String asked = item.action().pipeline();
    asked = asked == null ? defaultPipeline : asked;
    IngestPipelines.Route route =
        routes.computeIfAbsent(
            new RouteKey(draft.index(), asked),
            key -> writes.ingest().route(key.index(), key.pipeline()));
    if (item.action().kind() == Kind.UPDATE) {
      int said = draft.length();
      draft = writes.inlined(draft);
      RequestMemory.add(Math.max(0, draft.length() - said)); // a stored script, each time
    }
    if (route.isEmpty()) {
      return draft;
    }
    isIngested = true;
    IngestTrail trail = new IngestTrail();
    try {
      IngestDraft ingested =
          item.action().kind() == Kind.UPDATE
              ? writes.ingest().runUpsert(route, draft, ingesting)
              : writes.ingest().run(route, draft, trail, ingesting);
      pipelines.set(position, ingested.executed());
      return ingested;
    } catch (Refusal e) {
      if (item.action().kind() != Kind.UPDATE) {
        failed.add(FailedDocument.ofPipeline(position, draft, e, trail.place()));
      }
      throw e;
    }
  }

  /// Documents that failed go to the failure stores of their streams.
  ///
  /// @param written gets the shards of those
  private void keepFailures(Set<ShardId> written) throws InterruptedException {
    for (List<WriteOperation> operations : byShard.values()) {
      for (WriteOperation operation : operations) {
        int position = operation.position();
        if (operation.kind() == Kind.CREATE
            && results[position] instanceof WriteResult.Refused refused) {
          failed.add(
              FailedDocument.ofShard(position, names[position], operation, refused.refusal()));
        }
      }
    }
    if (failed.isEmpty()) {
      return;
    }
    writes
        .failures()
        .store(failed, written)
        .forEach((position, kept) -> {
          stored[position] = kept.status();
          results[position] = kept.result();
          if (kept.index() != null) {
            indices[position] = kept.index();
          }
        });
  }

  /// Writes what was planned.
  ///
  /// @param written gets the shards that were written to
  /// @throws Refusal 429 when nothing at all was taken
  void run(Set<ShardId> written) throws IOException, InterruptedException {
    writes.write(byShard, results);
    requireNotOverloaded();
    written.addAll(byShard.keySet());
    keepFailures(written);
  }

  /// Notes the memory of the documents that are shown, which are there until the answer is written.
  void holdSources() {
    long bytes = 0;
    for (WriteResult result : results) {
      bytes +=
          result instanceof WriteResult.Done done && done.source() != null
              ? done.source().length
              : 0;
    }
    RequestMemory.add(bytes);
  }

  /// Refuses the items of which nobody knows what became.
  ///
  /// @param written gets the shards of the others
  void fail(Refusal why, Set<ShardId> written) {
    byShard.forEach((shard, operations) -> {
      for (WriteOperation operation : operations) {
        if (results[operation.position()] == null) {
          results[operation.position()] = new WriteResult.Refused(operation.id(), why);
        } else if (results[operation.position()] instanceof WriteResult.Done) {
          written.add(shard);
        }
      }
    });
  }

  boolean isIngested() {
    return isIngested;
  }

  boolean hasErrors() {
    boolean hasErrors = false;
    for (WriteResult result : results) {
      hasErrors |= result instanceof WriteResult.Refused;
    }
    return hasErrors;
  }

  private WriteOperation operation(
      BulkBody.Item item,
      int position,
      IngestDraft draft,
      NamedDocument at,
      @Nullable String routing) {
    BulkBody.Action action = item.action();
    String id = at.id();
    WriteRequests.requireValidId(id);
    boolean isUnwanted =
        action.kind() == Kind.UPDATE
            && !new BulkUpdates(request).shows(action, body.bytes(), item.offset(), item.length());
    return new WriteOperation(
        position,
        action.kind(),
        id,
        at.isAutoId(),
        routing,
        draft.bytes(),
        draft.offset(),
        draft.length(),
        draft.condition(),
        action.retryOnConflict(),
        action.dynamicTemplates(),
        isUnwanted);
  }

  static WriteOperation.Condition condition(BulkBody.Action action) {
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

  /// When nothing at all was taken because the node is overloaded, the whole request is refused:
  /// clients that only look at the status back off too. A blocked index is none of that.
  private void requireNotOverloaded() {
    Refusal first = null;
    for (WriteResult result : results) {
      if (!(result instanceof WriteResult.Refused refused)
          || refused.refusal().status() != 429
          || refused.refusal().type() == ErrorType.CLUSTER_BLOCK_FOR_NOW) {
        return;
      }
      first = first == null ? refused.refusal() : first;
    }
    if (first != null) {
      throw first;
    }
  }

  /// Writes what became of each item, in order.
  void answer(JsonGenerator out, boolean isForcedRefresh) throws IOException {
    boolean listsAll = request.flag("list_executed_pipelines", false);
    for (int i = 0; i < results.length; i++) {
      out.writeStartObject();
      out.writeObjectFieldStart(items.get(i).action().kind().name().toLowerCase(Locale.ROOT));
      switch (results[i]) {
        case WriteResult.Done done -> {
          WriteAnswer.writeItem(out, names[i], indices[i], done, isForcedRefresh);
          stored[i].write(out);
          out.writeNumberField("status", WriteAnswer.status(done));
          if (done.source() != null) {
            BulkBody.Item item = items.get(i);
            SourceFilter shown =
                new BulkUpdates(request)
                    .shown(item.action(), body.bytes(), item.offset(), item.length());
            WriteAnswer.writeGet(out, done, shown);
          }
          if (listsAll || items.get(i).action().listsPipelines()) {
            out.writeArrayFieldStart("executed_pipelines");
            for (String pipeline : pipelines.get(i)) {
              out.writeString(pipeline);
            }
            out.writeEndArray();
          }
        }
        case WriteResult.Refused refused -> refused(out, i, refused);
      }
      out.writeEndObject();
      out.writeEndObject();
    }
  }

  private void refused(JsonGenerator out, int i, WriteResult.Refused refused) throws IOException {
    out.writeStringField("_index", indices[i] == null ? names[i] : indices[i].id().name());
    out.writeStringField("_id", refused.id());
    out.writeNumberField("status", refused.refusal().status());
    out.writeFieldName("error");
    ErrorBody.writeBare(out, refused.refusal());
    stored[i].write(out);
  }
}
