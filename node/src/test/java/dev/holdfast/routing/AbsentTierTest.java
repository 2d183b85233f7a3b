package dev.holdfast.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.holdfast.clusterstate.Role;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.routing.TestTiers.TestNode;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.StopSignal;
import dev.holdfast.world.concurrent.Patience;
import java.nio.file.Path;
import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Tiers that are away (§7), and whoever should start their nodes does not.
@Timeout(60)
final class AbsentTierTest {
  private static final Duration SHORT = Duration.ofMillis(200);

  @TempDir private Path folder = Path.of("");

  private TestTiers tiers;
  private TestNode proxy;
  private ShardId shard;

  @BeforeEach
  void stopBoth() throws Exception {
    tiers = new TestTiers(folder);
    proxy = tiers.start(Role.PROXY); // leads
    TestNode index = tiers.start(Role.INDEX);
    TestNode search = tiers.start(Role.SEARCH);
    shard = proxy.create("books", 1, 1);
    index.crash();
    search.crash();
    tiers.cluster.until("the tiers are away", () -> proxy.state().members().size() == 1);
  }

  @AfterEach
  void close() throws Exception {
    tiers.close();
  }

  @Test
  void whoWaitedInVainIsToldThatTheTierIsAway() {
    Refusal refusal =
        refused(() -> Patience.SHARD.during(() -> SHORT, () -> proxy.index(shard, "1", "{}")));

    assertThat(refusal.type()).isEqualTo(ErrorType.UNAVAILABLE_SHARDS);
    assertThat(refusal.reason())
        .startsWith("[books][0] primary shard is not active Timeout: [0s]: no member of the")
        .contains("[index]; GET /_holdfast/autoscaling/explain");
  }

  /// Else each try of a client that gives up after a second would be held for a minute.
  @Test
  void nobodyWaitsForATierWhoseClientHasLeft() {
    assertThat(refused(() -> left(true)).type()).isEqualTo(ErrorType.TASK_CANCELLED);
    assertThat(refused(() -> left(false)).type()).isEqualTo(ErrorType.TASK_CANCELLED);
  }

  private void left(boolean isRealTime) throws Exception {
    boolean _ =
        StopSignal.of(() -> true, proxy.member.ownWorld.clock())
            .<Boolean, Exception>during(() -> proxy.searches.get(shard, "1", isRealTime).exists());
  }

  private static Refusal refused(ThrowingCallable request) {
    return catchThrowableOfType(Refusal.class, request);
  }
}
