package dev.holdfast.api.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.node.RunningNode;
import dev.holdfast.world.Tasks;
import dev.holdfast.world.real.RealWorld;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// What burns the cores is shown where it is written, though it runs on a virtual thread.
final class HotThreadsTest {
  @RegisterExtension static final RunningNode node = RunningNode.alone();

  private static void burn(AtomicBoolean isOver) {
    while (!isOver.get()) {
      Thread.onSpinWait();
    }
  }

  @Test
  void aVirtualThreadIsShownWithItsOwnStack() throws Exception {
    AtomicBoolean isOver = new AtomicBoolean();
    try (Tasks tasks = RealWorld.threads()) {
      Tasks.Task burning = tasks.start("burning", () -> burn(isOver));
      try {
        String hot = node.get("/_nodes/hot_threads?threads=100&interval=300ms").body();
        assertThat(hot)
            .contains("cpu usage by thread", "which carries virtual thread 'burning'")
            .contains("HotThreadsTest.burn(HotThreadsTest.java:");
      } finally {
        isOver.set(true);
        burning.join();
      }
    }
  }

  @Test
  void otherThingsThanTimeAreMeasured() throws Exception {
    assertThat(node.get("/_nodes/hot_threads?type=mem&threads=100&interval=200ms").body())
        .contains("memory allocated, mem usage by thread");
    assertThat(node.get("/_nodes/hot_threads?type=wait&threads=100&interval=200ms").body())
        .contains("[wait=", "wait usage by thread");
    assertThat(node.get("/_nodes/hot_threads?type=block&interval=20ms").statusCode())
        .isEqualTo(200);
  }
}
