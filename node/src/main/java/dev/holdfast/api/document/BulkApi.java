package dev.holdfast.api.document;

import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.http.LargeBody;
import dev.holdfast.http.RequestMemory;
import java.util.LinkedHashSet;
import java.util.List;
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
    LargeBody large = request.large();
    return large == null ? whole(request) : new LargeBulk(writes, request, large).write();
  }

  private Answer whole(ApiRequest request) throws Exception {
    long start = writes.world().clock().nanoTime();
    WriteRequests.Refresh refresh = WriteRequests.Refresh.of(request);
    List<BulkBody.Item> items = BulkBody.parse(request.body());
    BulkUpdates updates = new BulkUpdates(request);
    for (BulkBody.Item item : items) {
      updates.check(item.action(), request.body().bytes(), item.offset(), item.length());
    }
    BulkBody.requireValid(items, request.text("index"));
    BulkWrite write = new BulkWrite(writes, request, request.body(), items);
    Set<ShardId> written = new LinkedHashSet<>();
    write.plan();
    long ingestMillis = (writes.world().clock().nanoTime() - start) / 1_000_000;
    write.run(written);
    RequestMemory.settle();
    write.holdSources();
    writes.refresh(refresh, written);
    long tookMillis = (writes.world().clock().nanoTime() - start) / 1_000_000;
    return Answer.of(out -> {
      out.writeStartObject();
      out.writeBooleanField("errors", write.hasErrors());
      out.writeNumberField("took", tookMillis);
      if (write.isIngested()) {
        out.writeNumberField("ingest_took", ingestMillis);
      }
      out.writeArrayFieldStart("items");
      write.answer(out, refresh == WriteRequests.Refresh.NOW);
      out.writeEndArray();
      out.writeEndObject();
    });
  }
}
