package dev.holdfast.api.indices.downsample;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.search.Scrolls;
import dev.holdfast.query.result.Hit;
import dev.holdfast.search.node.ShardTarget;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// The documents of a shard in the order in which they lie, series by series and newest first, all
/// from one commit, in pages of a [PageSize].
final class SeriesPages implements AutoCloseable {
  private static final Duration KEEP_ALIVE = Duration.ofMinutes(5);

  private final Scrolls scrolls;
  private final ShardTarget shard;
  private final BooleanSupplier isCancelled;
  private final PageSize size = new PageSize();
  private @Nullable String scroll;

  SeriesPages(Scrolls scrolls, ShardTarget shard, BooleanSupplier isCancelled) {
    this.scrolls = scrolls;
    this.shard = shard;
    this.isCancelled = isCancelled;
  }

  /// @return the next documents; none at the end
  /// @throws Refusal for a shard that fails, and when it is cancelled
  List<Hit> next() throws IOException, InterruptedException {
    Scrolls.Page page = page();
    scroll = page.scrollId();
    if (isCancelled.getAsBoolean()) {
      throw new Refusal(ErrorType.TASK_CANCELLED, "downsampling was cancelled");
    }
    page.response().requireWhole();
    List<Hit> hits = page.response().hits();
    if (!hits.isEmpty()) {
      size.read(hits.size(), hits.stream().mapToLong(SeriesPages::bytes).sum());
    }
    return hits;
  }

  private Scrolls.Page page() throws IOException, InterruptedException {
    while (true) {
      try {
        String begun = scroll;
        return begun == null
            ? scrolls.begin(List.of(shard), body(), false, KEEP_ALIVE, isCancelled)
            : scrolls.next(begun, size.documents(), KEEP_ALIVE, isCancelled);
      } catch (Refusal e) {
        if (e.status() != ErrorType.CIRCUIT_BREAKING.status() || !size.halve()) {
          throw e;
        }
      }
    }
  }

  private ObjectNode body() {
    ObjectNode body = Json.object().put("size", size.documents());
    body.putArray("sort").add("_tsid").addObject().put("@timestamp", "desc");
    return body;
  }

  private static long bytes(Hit hit) {
    byte[] source = hit.source();
    return source == null ? 0 : source.length;
  }

  @Override
  public void close() {
    if (scroll != null) {
      int _ = scrolls.clear(List.of(scroll));
    }
  }
}
