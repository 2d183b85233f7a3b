package dev.holdfast.api.document.reindex;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.TokenBuffer;
import dev.holdfast.api.document.FailedDocument;
import dev.holdfast.api.document.WriteRequests;
import dev.holdfast.api.search.Scrolls;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.http.ErrorBody;
import dev.holdfast.indexing.operation.WriteOperation;
import dev.holdfast.indexing.operation.WriteResult;
import dev.holdfast.query.result.Hit;
import dev.holdfast.search.node.ShardTarget;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.Reservation;
import dev.holdfast.world.World;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;

/// One slice of a [ByQueryRun]: reads page by page through a scroll and writes each page.
final class ByQuerySlice {
  private final World world;
  private final Scrolls scrolls;
  private final WriteRequests writes;
  private final ByQuery asked;
  private final int number;
  private final ByQueryProgress progress;
  private final ByQueryThrottle pace;
  private final Set<ShardId> written;
  private final BooleanSupplier isCancelled;

  ByQuerySlice(
      World world,
      Scrolls scrolls,
      WriteRequests writes,
      ByQuery asked,
      int number,
      ByQueryProgress progress,
      ByQueryThrottle pace,
      Set<ShardId> written,
      BooleanSupplier isCancelled) {
    this.world = world;
    this.scrolls = scrolls;
    this.writes = writes;
    this.asked = asked;
    this.number = number;
    this.progress = progress;
    this.pace = pace;
    this.written = written;
    this.isCancelled = isCancelled;
  }

  void run() throws IOException, InterruptedException {
    ObjectNode body = asked.search().body().deepCopy();
    long max = documentsMax();
    int perPage = asked.search().batch();
    body.put("size", (int) (max < 0 ? perPage : Math.min(max, perPage)));
    Scrolls.Page page =
        scrolls.begin(targets(), body, false, asked.keepAlive(), () -> isCancelled.getAsBoolean());
    try {
      page.response().requireWhole(); // one without hits, too: shards that failed found none
      long found = page.response().total();
      progress.found(max < 0 ? found : Math.min(found, max));
      long left = max < 0 ? Long.MAX_VALUE : max;
      while (!page.response().hits().isEmpty() && left > 0 && !isCancelled.getAsBoolean()) {
        long start = world.clock().nanoTime();
        page.response().requireWhole();
        List<Hit> hits = page.response().hits();
        List<Hit> batch = hits.size() > left ? hits.subList(0, (int) left) : hits;
        left -= batch.size();
        progress.batch();
        try (Reservation held = world.memory().request().begin("<by_query_page>")) {
          held.add(hits.stream().mapToLong(Hit::heldBytes).sum());
          write(batch);
        }
        if (progress.hasFailed() || left == 0 || progress.done() >= found) {
          return;
        }
        progress.waited(pace.await(batch.size(), start));
        if (isCancelled.getAsBoolean()) {
          return;
        }
        page = scrolls.next(page.scrollId(), asked.keepAlive(), isCancelled);
      }
    } finally {
      int _ = scrolls.clear(List.of(page.scrollId()));
    }
  }

  private long documentsMax() {
    long max = asked.documentsMax();
    if (max < 0) {
      return -1;
    }
    return max / asked.slices() + (number < max % asked.slices() ? 1 : 0);
  }

  private List<ShardTarget> targets() {
    if (asked.slices() == 1) {
      return asked.targets();
    }
    ShardTarget.Slice slice = new ShardTarget.Slice(number, asked.slices(), null);
    return asked.targets().stream().map(target -> target.part(slice)).toList();
  }

  private void write(List<Hit> hits) throws IOException, InterruptedException {
    Map<ShardId, List<WriteOperation>> byShard = new LinkedHashMap<>();
    List<ByQuery.Write> all = new ArrayList<>();
    List<ByQuery.Write> failed = new ArrayList<>();
    List<FailedDocument> documents = new ArrayList<>();
    for (Hit hit : hits) {
      ByQuery.Write write = asked.writing().of(hit, all.size());
      if (write == null) {
        progress.add(ByQueryProgress.Effect.NOOP);
        continue;
      }
      if (write.refused() != null) {
        documents.add(write.refused().at(failed.size()));
        failed.add(write);
        continue;
      }
      ShardId shard = WriteRequests.shard(write.index(), write.operation());
      if (asked.copiesWanted() > 1) {
        progress.failed(failure(write, notEnoughCopies(shard)));
        continue;
      }
      all.add(write);
      byShard.computeIfAbsent(shard, s -> new ArrayList<>()).add(write.operation());
    }
    WriteResult[] results = new WriteResult[all.size()];
    if (!all.isEmpty()) {
      writes.write(byShard, results);
    }
    written.addAll(byShard.keySet());
    for (int i = 0; i < results.length; i++) {
      ByQuery.Write write = all.get(i);
      WriteOperation.Kind kind = write.operation().kind();
      if (results[i] instanceof WriteResult.Refused one && kind == WriteOperation.Kind.CREATE) {
        documents.add(
            FailedDocument.ofShard(failed.size(), write.name(), write.operation(), one.refusal()));
        failed.add(write);
      } else {
        count(write, results[i]);
      }
    }
    if (failed.isEmpty()) {
      return;
    }
    for (var stored : writes.failures().store(documents, written).entrySet()) {
      count(failed.get(stored.getKey()), stored.getValue().result());
    }
  }

  private Refusal notEnoughCopies(ShardId shard) {
    return new Refusal(
        ErrorType.UNAVAILABLE_SHARDS,
        "["
            + shard.index().name()
            + "]["
            + shard.number()
            + "] Not enough active copies to meet shard count of ["
            + asked.copiesWanted()
            + "] (have 1, needed "
            + asked.copiesWanted()
            + "). Timeout: ["
            + asked.timeout()
            + "], request: [by query]");
  }

  private void count(ByQuery.Write write, WriteResult result) throws IOException {
    switch (result) {
      case WriteResult.Done done ->
          progress.add(
              switch (done.effect()) {
                case CREATED -> ByQueryProgress.Effect.CREATED;
                case UPDATED -> ByQueryProgress.Effect.UPDATED;
                case DELETED -> ByQueryProgress.Effect.DELETED;
                case NOOP -> ByQueryProgress.Effect.NOOP;
                case NOT_FOUND -> ByQueryProgress.Effect.CONFLICT;
              });
      case WriteResult.Refused refused -> {
        if (refused.refusal().type() == ErrorType.VERSION_CONFLICT) {
          progress.add(ByQueryProgress.Effect.CONFLICT);
          if (asked.proceedsOnConflict()) {
            return;
          }
        }
        ShardId shard = WriteRequests.shard(write.index(), write.operation());
        progress.failed(
            failure(write, WriteRequests.located(refused.refusal(), write.index(), shard)));
      }
    }
  }

  private static ObjectNode failure(ByQuery.Write write, Refusal refusal) throws IOException {
    ObjectNode failure =
        Json.object().put("index", write.index().id().name()).put("id", write.operation().id());
    try (TokenBuffer buffer = new TokenBuffer(Json.MAPPER, false)) {
      ErrorBody.writeBare(buffer, refusal);
      failure.set("cause", Json.MAPPER.readTree(buffer.asParser()));
    }
    return failure.put("status", refusal.status());
  }
}
