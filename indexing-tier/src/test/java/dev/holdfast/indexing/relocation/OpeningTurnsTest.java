package dev.holdfast.indexing.relocation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.clusterstate.IndexId;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.world.World;
import dev.holdfast.world.real.RealWorld;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class OpeningTurnsTest {
  private static final int UNASKED = 8;

  private final World world = RealWorld.create();
  private final OpeningTurns turns = new OpeningTurns();
  private final List<ShardSlot> running = new CopyOnWriteArrayList<>();

  @AfterEach
  void stop() {
    world.tasks().close();
  }

  @Test
  void aShardThatARequestWaitsForGoesBeforeAllOthers() throws Exception {
    // given: more than have their turn at once
    for (int i = 0; i < UNASKED; i++) {
      turns.acquire(slot(i));
    }
    ShardSlot early = slot(100);
    ShardSlot wanted = slot(101);
    waits(early);
    awaitWaiting(1);
    waits(wanted);
    awaitWaiting(2);

    // when
    assertThat(wanted.demand()).isTrue();
    turns.demanded(wanted);

    // then: it need not even wait for one of those to end
    awaitWaiting(1);
    while (running.isEmpty()) {
      world.sleeper().sleep(Duration.ofMillis(1));
    }
    assertThat(running).containsExactly(wanted);

    // and: the others go on when there is room again
    turns.release();
    turns.release();
    awaitWaiting(0);
  }

  /// A hollow shard that wakes while others wait is demanded before it asks for its turn.
  @Test
  void aShardThatIsWantedWhenItComesNeedNotWaitBehindThoseThatNobodyWants() throws Exception {
    for (int i = 0; i < UNASKED; i++) {
      turns.acquire(slot(i));
    }
    waits(slot(100));
    awaitWaiting(1);
    ShardSlot woken = slot(101);
    woken.demand();

    waits(woken);

    while (running.isEmpty()) {
      world.sleeper().sleep(Duration.ofMillis(1));
    }
    assertThat(running).containsExactly(woken);
    for (int i = 0; i < 2; i++) {
      turns.release();
    }
    awaitWaiting(0);
  }

  private void waits(ShardSlot slot) {
    var _ =
        world
            .tasks()
            .start(
                "opening",
                () -> {
                  turns.acquire(slot);
                  running.add(slot);
                });
  }

  private void awaitWaiting(int shards) throws InterruptedException {
    while (turns.waiting() != shards) {
      world.sleeper().sleep(Duration.ofMillis(1));
    }
  }

  private static ShardSlot slot(int number) {
    return new ShardSlot(new ShardId(new IndexId("books", "u"), number));
  }
}
