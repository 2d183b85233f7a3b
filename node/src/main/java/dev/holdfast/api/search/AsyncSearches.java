package dev.holdfast.api.search;

import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.http.Answer;
import dev.holdfast.http.RequestMemory;
import dev.holdfast.world.CircuitBreaker;
import dev.holdfast.world.Clock;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.Reservation;
import dev.holdfast.world.World;
import dev.holdfast.world.concurrent.Await;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Searches that run behind their client's back, and their answers until they expire. They live on
/// this node, in memory that [StoredResponses] bounds.
public final class AsyncSearches {
  /// Searches that run or whose answers are kept.
  private static final int KEPT_MAX = 500;

  /// Searches that run at the same time on a small machine; others wait for their turn, so that
  /// those of clients who wait find threads.
  private static final int RUNNING = 16;

  /// The same, of a large one.
  private static final int RUNNING_BY_PROCESSOR = 4;

  /// What one takes until it has ended, beside the body of its request: many may wait for their
  /// turn although they are deleted.
  private static final int WAITING_BYTES = 4 << 10;

  /// Divides what is unique in an id from the node.
  private static final char NODE = '@';

  private static final Duration LOOK = Duration.ofSeconds(5);

  /// How often a wait looks whether its client has left.
  private static final Duration CLIENT_LOOK = Duration.ofSeconds(1);

  private final World world;
  private final Clock clock;
  private final String self;
  private final CircuitBreaker breaker;
  private final StoredResponses responses;
  private final Semaphore turns;
  private final ConcurrentMap<String, Kept> kept = new ConcurrentHashMap<>();

  /// @param self the id of this node, which ids of searches hold
  public AsyncSearches(World world, Metadata metadata, String self) {
    this(
        world,
        self,
        new StoredResponses(metadata, world.memory().request()),
        Math.max(RUNNING, RUNNING_BY_PROCESSOR * Runtime.getRuntime().availableProcessors()));
  }

  /// @param runningMax searches that run at the same time
  AsyncSearches(World world, String self, StoredResponses responses, int runningMax) {
    this.turns = new Semaphore(runningMax, true);
    this.world = world;
    this.clock = world.clock().throughSuspension();
    this.self = self;
    this.breaker = world.memory().request();
    this.responses = responses;
    var _ = world.tasks().repeat("async-searches", LOOK, this::forgetExpired);
  }

  /// A search, with its answer once it has one.
  static final class Kept {
    final String id;
    final int shards;
    final long startMillis;
    final CompletableFuture<Boolean> done = new CompletableFuture<>();

    /// For people, as the other moments are.
    volatile long expiresMillis;

    volatile long endMillis;

    // What counts: clocks are set.
    private final long startNanos;
    private volatile long expiresNanos;
    private volatile long endNanos;

    volatile boolean isCancelled;
    volatile @Nullable Throwable failure;

    // Guarded by this.

    /// Its client has been answered without it, and comes back.
    private boolean isLeft;

    private boolean isForgotten;

    /// The answer for the client that waits.
    private @Nullable Answer answer;

    /// The answer for the client that comes back.
    private @Nullable StoredResponse stored;

    /// @param shards that are searched
    private Kept(String id, int shards, long startMillis, long startNanos) {
      this.id = id;
      this.shards = shards;
      this.startMillis = startMillis;
      this.startNanos = startNanos;
    }

    private void keep(Duration keepAlive, long nowMillis, long nowNanos) {
      expiresMillis = nowMillis + keepAlive.toMillis();
      expiresNanos = nowNanos + keepAlive.toNanos();
    }

    private boolean isOver(long nowNanos) {
      return nowNanos - expiresNanos > 0;
    }

    boolean isRunning() {
      return !done.isDone();
    }

    /// The answer as it is kept; null while there is none.
    synchronized @Nullable StoredResponse stored() {
      return stored;
    }

    /// How to write the answer; null while there is none.
    synchronized Answer.@Nullable Writer response() {
      StoredResponse there = stored;
      if (there != null) {
        return there::write;
      }
      return answer != null && answer.content() instanceof Answer.Content.Structured(var writer)
          ? writer
          : null;
    }
  }

  /// The node that keeps a search; null when its id does not say.
  public static @Nullable String node(String id) {
    try {
      String name = new String(Base64.getUrlDecoder().decode(id), StandardCharsets.UTF_8);
      int node = name.indexOf(NODE);
      return node < 0 ? null : name.substring(node + 1);
    } catch (IllegalArgumentException e) {
      return null; // no id of ours, as whoever looks for it says
    }
  }

  /// The search itself.
  interface Work {
    Answer run(Kept search) throws Exception;
  }

  /// @param shards that are searched
  /// @param bodyBytes of the request, which is there until the search has ended
  /// @throws Refusal 429 when there are too many, or no memory for it
  Kept start(Duration keepAlive, int shards, int bodyBytes, Work work) {
    if (kept.size() >= KEPT_MAX) {
      throw new Refusal(
          ErrorType.REJECTED_EXECUTION,
          "too many async searches are running or kept [max=" + KEPT_MAX + "]");
    }
    Reservation body = breaker.begin("<async_search>");
    body.add(WAITING_BYTES + bodyBytes);
    String name = world.ids().uuid() + NODE + self;
    String id =
        Base64.getUrlEncoder()
            .withoutPadding()
            .encodeToString(name.getBytes(StandardCharsets.UTF_8));
    Kept search = new Kept(id, shards, clock.epochMillis(), clock.nanoTime());
    keep(search, keepAlive);
    kept.put(id, search);
    var _ =
        world
            .tasks()
            .start(
                "async-search",
                () -> {
                  try (body) {
                    inTurn(search, work);
                  } catch (Exception | Error e) {
                    search.failure = e;
                  } finally {
                    search.endMillis = clock.epochMillis();
                    search.endNanos = clock.nanoTime();
                    search.done.complete(true);
                  }
                },
                () -> {
                  kept.remove(id);
                  body.close();
                });
    return search;
  }

  private void inTurn(Kept search, Work work) throws Exception {
    turns.acquire();
    try {
      if (search.isCancelled) {
        throw new Refusal(ErrorType.TASK_CANCELLED, "task cancelled");
      }
      RequestMemory.<Answer, Exception>during(
          breaker,
          "<async_search>",
          () -> {
            Answer answer = work.run(search);
            ended(search, answer);
            return answer;
          });
    } finally {
      turns.release();
    }
  }

  private void ended(Kept search, Answer answer) throws IOException {
    boolean isLeft;
    synchronized (search) {
      isLeft = search.isLeft;
      if (!isLeft) {
        search.answer = answer;
      }
    }
    if (isLeft) {
      store(search, answer);
    }
  }

  private void store(Kept search, Answer answer) throws IOException {
    if (!(answer.content() instanceof Answer.Content.Structured(Answer.Writer writer))) {
      return;
    }
    StoredResponse stored = responses.keep(writer);
    synchronized (search) {
      if (search.isForgotten) {
        responses.forget(stored);
      } else {
        search.stored = stored;
        search.answer = null;
      }
    }
  }

  /// The client stops waiting and comes back: from now on only what is stored is held.
  ///
  /// @return whether the search had ended before
  boolean leave(Kept search) {
    Answer there;
    synchronized (search) {
      search.isLeft = true;
      there = search.answer;
    }
    if (there != null) {
      try {
        store(search, there);
      } catch (IOException | RuntimeException e) {
        search.failure = e;
        synchronized (search) {
          search.answer = null;
        }
      }
    }
    return !search.isRunning();
  }

  /// Whether it ended in time.
  ///
  /// @param isGivenUp whether nobody waits for that any more
  boolean await(Kept search, Duration timeout, BooleanSupplier isGivenUp)
      throws InterruptedException {
    try {
      return Await.given(world, search.done, timeout, CLIENT_LOOK, isGivenUp);
    } catch (ExecutionException e) {
      throw new IllegalStateException("a search's end failed [id=" + search.id + "]", e);
    }
  }

  /// @throws Refusal `resource_not_found_exception`
  Kept find(String id) {
    Kept search = kept.get(id);
    if (search == null || search.isOver(clock.nanoTime())) {
      throw new Refusal(ErrorType.RESOURCE_NOT_FOUND, id);
    }
    return search;
  }

  /// How long a search has run.
  long tookMillis(Kept search) {
    long end = search.isRunning() ? clock.nanoTime() : search.endNanos;
    return (end - search.startNanos) / 1_000_000;
  }

  void keep(Kept search, Duration keepAlive) {
    search.keep(keepAlive, clock.epochMillis(), clock.nanoTime());
  }

  /// Ends it if it runs, and gives back what its answer takes. Whoever renders that answer at this
  /// moment still can.
  void forget(Kept search) {
    search.isCancelled = true;
    kept.remove(search.id);
    synchronized (search) {
      if (search.stored != null && !search.isForgotten) {
        responses.forget(search.stored);
      }
      search.isForgotten = true;
    }
  }

  /// How many run or are kept.
  int count() {
    return kept.size();
  }

  void forgetExpired() {
    long now = clock.nanoTime();
    for (Kept search : kept.values()) {
      if (search.isOver(now)) {
        forget(search);
      }
    }
  }
}
