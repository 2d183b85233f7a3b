package dev.holdfast.search.copy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.clusterstate.IndexId;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.compoundcommit.notice.IndexingReads;
import dev.holdfast.world.Clock;
import dev.holdfast.world.Sleeper;
import dev.holdfast.world.World;
import dev.holdfast.world.real.RealWorld;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// How long a search waits for indexing nodes that it tells of itself.
final class SearchReportsTest {
  private static final IndexId LOGS = new IndexId("logs", "u");

  private final AtomicLong nanos = new AtomicLong();
  private final List<Duration> waits = new ArrayList<>();
  private final World real = RealWorld.create();

  /// Time passes only where somebody waits, who never gets what he waits for.
  private final World world =
      new World(
          new Clock() {
            @Override
            public long nanoTime() {
              return nanos.get();
            }

            @Override
            public long epochMillis() {
              return 0;
            }
          },
          new Sleeper() {
            @Override
            public void sleep(Duration duration) {
              throw new AssertionError("nobody lets time pass");
            }

            @Override
            public <T> T get(CompletableFuture<T> future, Duration max) throws TimeoutException {
              waits.add(max);
              nanos.addAndGet(max.toNanos());
              throw new TimeoutException();
            }
          },
          real.ids(),
          real.chance(),
          real.tasks());

  private final SearchReports reports =
      new SearchReports(
          world,
          (IndexingReads)
              Proxy.newProxyInstance(
                  IndexingReads.class.getClassLoader(),
                  new Class<?>[] {IndexingReads.class},
                  (_, _, _) -> null));

  @AfterEach
  void close() throws Exception {
    real.tasks().close();
  }

  private void search(int shards) throws Exception {
    waits.clear();
    for (int number = 0; number < shards; number++) {
      reports.searched(new ShardId(LOGS, number), new SearchRecency(nanos.get()));
    }
  }

  /// Else one of a hundred shards that nobody has searched for a while would take a hundred
  /// seconds, while a store keeps their owners from making a refresh.
  @Test
  void aSearchOfManyShardsWaitsOnceForWhoIsLate() throws Exception {
    search(3);
    assertThat(waits).containsExactly(Duration.ofSeconds(1), Duration.ZERO, Duration.ZERO);

    nanos.addAndGet(Duration.ofSeconds(5).toNanos());
    search(2);
    assertThat(waits).containsExactly(Duration.ofSeconds(1), Duration.ZERO);
  }
}
