package dev.holdfast.search.execution;

import dev.holdfast.query.request.SearchSource;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.World;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// Searches between their query and fetch phases on this node: their readers stay open until the
/// hits are fetched, the coordinator lets go, or it has been silent for too long.
public final class SearchContexts {
  /// More searches than this do not wait for their fetch phase at once.
  private static final int CONTEXTS_MAX = 10_000;

  private static final Duration SWEEP = Duration.ofSeconds(10);

  private final World world;
  private final Duration kept;
  private final Map<String, Context> contexts = new ConcurrentHashMap<>();

  public SearchContexts(World world, Duration kept) {
    this.world = world;
    this.kept = kept;
    var _ = world.tasks().repeat("search-contexts", SWEEP, this::sweep);
  }

  /// @param targets one a shard of the query phase; null where it failed
  /// @param end of the search, its fetch phase too
  record Context(
      SearchSource source, List<@Nullable SearchTarget> targets, SearchEnd end, long sinceNanos) {
    void release() throws IOException {
      for (SearchTarget target : targets) {
        if (target != null) {
          target.opened().release();
        }
      }
    }
  }

  /// Keeps the readers of the targets, which are released with the context.
  void put(
      String search, SearchSource source, List<@Nullable SearchTarget> targets, SearchEnd end) {
    if (contexts.size() >= CONTEXTS_MAX) {
      throw new Refusal(
          ErrorType.REJECTED_EXECUTION,
          "too many searches wait for their hits [max=" + CONTEXTS_MAX + "]");
    }
    contexts.put(search, new Context(source, targets, end, world.clock().nanoTime()));
  }

  /// Takes the context out; the caller releases it.
  @Nullable Context take(String search) {
    return contexts.remove(search);
  }

  public int open() {
    return contexts.size();
  }

  private void sweep() throws IOException {
    long nowNanos = world.clock().nanoTime();
    for (Map.Entry<String, Context> entry : List.copyOf(contexts.entrySet())) {
      if (nowNanos - entry.getValue().sinceNanos >= kept.toNanos()
          && contexts.remove(entry.getKey(), entry.getValue())) {
        entry.getValue().release();
      }
    }
  }

  public void close() throws IOException {
    for (String search : List.copyOf(contexts.keySet())) {
      Context context = contexts.remove(search);
      if (context != null) {
        context.release();
      }
    }
  }
}
