package dev.holdfast.api.search;

import dev.holdfast.http.Answer;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.World;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// Searches that run behind their client's back, and their answers until they expire. They live on
/// this node.
public final class AsyncSearches {
  /// Searches that run or whose answers are kept.
  private static final int KEPT_MAX = 500;

  private static final Duration LOOK = Duration.ofSeconds(5);

  private final World world;
  private final ConcurrentMap<String, Kept> kept = new ConcurrentHashMap<>();

  public AsyncSearches(World world) {
    this.world = world;
    var _ = world.tasks().repeat("async-searches", LOOK, this::forgetExpired);
  }

  /// A search, with its answer once it has one.
  static final class Kept {
    final String id;
    final long startMillis;
    final CompletableFuture<Boolean> done = new CompletableFuture<>();
    volatile long expiresMillis;
    volatile long endMillis;
    volatile boolean isCancelled;
    volatile @Nullable Answer answer;
    volatile @Nullable Throwable failure;

    Kept(String id, long startMillis, long expiresMillis) {
      this.id = id;
      this.startMillis = startMillis;
      this.expiresMillis = expiresMillis;
    }

    boolean isRunning() {
      return !done.isDone();
    }
  }

  /// The search itself.
  interface Work {
    Answer run(Kept search) throws Exception;
  }

  Kept start(Duration keepAlive, Work work) {
    if (kept.size() >= KEPT_MAX) {
      throw new Refusal(
          ErrorType.REJECTED_EXECUTION,
          "too many async searches are running or kept [max=" + KEPT_MAX + "]");
    }
    long now = world.clock().epochMillis();
    String id =
        Base64.getUrlEncoder()
            .withoutPadding()
            .encodeToString(world.ids().uuid().getBytes(StandardCharsets.UTF_8));
    Kept search = new Kept(id, now, now + keepAlive.toMillis());
    kept.put(id, search);
    var _ =
        world
            .tasks()
            .start(
                "async-search",
                () -> {
                  try {
                    search.answer = work.run(search);
                  } catch (Exception | StackOverflowError e) {
                    search.failure = e;
                  } finally {
                    search.endMillis = world.clock().epochMillis();
                    search.done.complete(true);
                  }
                });
    return search;
  }

  /// Whether it ended in time.
  boolean await(Kept search, Duration timeout) throws InterruptedException {
    try {
      return world.sleeper().get(search.done, timeout);
    } catch (TimeoutException e) {
      return false;
    } catch (ExecutionException e) {
      throw new IllegalStateException("a search's end failed [id=" + search.id + "]", e);
    }
  }

  /// @throws Refusal `resource_not_found_exception`
  Kept find(String id) {
    Kept search = kept.get(id);
    if (search == null || search.expiresMillis < world.clock().epochMillis()) {
      throw new Refusal(ErrorType.RESOURCE_NOT_FOUND, id);
    }
    return search;
  }

  void keep(Kept search, Duration keepAlive) {
    search.expiresMillis = world.clock().epochMillis() + keepAlive.toMillis();
  }

  void forget(Kept search) {
    search.isCancelled = true;
    kept.remove(search.id);
  }

  private void forgetExpired() {
    long now = world.clock().epochMillis();
    for (Kept search : kept.values()) {
      if (search.expiresMillis < now) {
        forget(search);
      }
    }
  }
}
