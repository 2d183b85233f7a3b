package dev.holdfast.node.api.document;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.indexing.WriteOperation;
import dev.holdfast.indexing.WriteOperation.Kind;
import dev.holdfast.indexing.WriteResult;
import dev.holdfast.node.http.Answer;
import dev.holdfast.node.http.Api;
import dev.holdfast.node.http.ApiRequest;
import dev.holdfast.node.http.ErrorBody;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

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
    PipelineParameter.requireNone(request.text("pipeline"));
    List<BulkBody.Item> items = BulkBody.parse(request.body());
    Plan plan = plan(request, items);
    writes.write(plan.byShard, plan.results);
    requireNotOverloaded(plan);
    writes.refresh(refresh, plan.byShard.keySet());
    long tookMillis = (writes.world().clock().nanoTime() - start) / 1_000_000;
    return Answer.of(
        out -> render(out, items, plan, refresh == WriteRequests.Refresh.NOW, tookMillis));
  }

  /// What goes where.
  private static final class Plan {
    final Map<ShardId, List<WriteOperation>> byShard = new LinkedHashMap<>();
    final WriteResult[] results;
    final String[] names;
    final IndexMetadata[] indices;

    Plan(int items) {
      results = new WriteResult[items];
      names = new String[items];
      indices = new IndexMetadata[items];
    }
  }

  private Plan plan(ApiRequest request, List<BulkBody.Item> items) throws InterruptedException {
    Plan plan = new Plan(items.size());
    String defaultIndex = request.text("index");
    String defaultRouting = request.text("routing");
    boolean requiresAlias = request.flag("require_alias", false);
    requireIndices(items, defaultIndex);
    Map<String, IndexMetadata> resolved = new HashMap<>();
    for (int i = 0; i < items.size(); i++) {
      BulkBody.Item item = items.get(i);
      BulkBody.Action action = item.action();
      String name = action.index() == null ? String.valueOf(defaultIndex) : action.index();
      plan.names[i] = name;
      try {
        boolean alias = action.requireAlias() == null ? requiresAlias : action.requireAlias();
        boolean mayCreate =
            action.kind() != Kind.DELETE || !action.versionType().equals("internal");
        IndexMetadata index = resolved.get(name);
        if (index == null) {
          index = writes.index(name, mayCreate, alias);
          resolved.put(name, index);
        }
        plan.indices[i] = index;
        WriteOperation operation = operation(request, item, i, defaultRouting);
        plan.byShard
            .computeIfAbsent(WriteRequests.shard(index, operation), s -> new ArrayList<>())
            .add(operation);
      } catch (Refusal e) {
        plan.results[i] = new WriteResult.Refused(action.id() == null ? "" : action.id(), e);
      }
    }
    return plan;
  }

  private static void requireIndices(
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
    }
    if (!faults.isEmpty()) {
      throw Conditions.invalid(faults);
    }
  }

  private WriteOperation operation(
      ApiRequest request,
      BulkBody.Item item,
      int position,
      @org.jspecify.annotations.Nullable String defaultRouting) {
    BulkBody.Action action = item.action();
    PipelineParameter.requireNone(action.pipeline());
    boolean isAutoId = action.id() == null;
    String id = action.id() == null ? writes.world().ids().documentId() : action.id();
    if (id.isEmpty()) {
      throw Refusal.badArgument("if _id is specified it must not be empty");
    }
    WriteRequests.requireValidId(id);
    return new WriteOperation(
        position,
        action.kind(),
        id,
        isAutoId,
        action.routing() == null ? defaultRouting : action.routing(),
        request.body().bytes(),
        item.offset(),
        item.length(),
        condition(action),
        action.retryOnConflict());
  }

  private static WriteOperation.Condition condition(BulkBody.Action action) {
    boolean isPlain =
        action.ifSeqNo() == -2
            && action.ifPrimaryTerm() == 0
            && action.version() == -3
            && action.versionType().equals("internal");
    return isPlain
        ? WriteOperation.Condition.NONE
        : Conditions.of(
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
      List<BulkBody.Item> items,
      Plan plan,
      boolean isForcedRefresh,
      long tookMillis)
      throws IOException {
    boolean hasErrors = false;
    for (WriteResult result : plan.results) {
      hasErrors |= result instanceof WriteResult.Refused;
    }
    out.writeStartObject();
    out.writeBooleanField("errors", hasErrors);
    out.writeNumberField("took", tookMillis);
    out.writeArrayFieldStart("items");
    for (int i = 0; i < plan.results.length; i++) {
      out.writeStartObject();
      out.writeObjectFieldStart(items.get(i).action().kind().name().toLowerCase(Locale.ROOT));
      switch (plan.results[i]) {
        case WriteResult.Done done -> {
          WriteAnswer.write(out, plan.indices[i], done, isForcedRefresh);
          out.writeNumberField("status", WriteAnswer.status(done));
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
  }
}
