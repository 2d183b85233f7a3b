package dev.holdfast.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.holdfast.clusterstate.Role;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.routing.TestTiers.TestNode;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.concurrent.Patience;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A tier that is away (§7), and whoever should start its nodes does not.
@Timeout(60)
final class AbsentTierTest {
  private static final Duration SHORT = Duration.ofMillis(200);

  @TempDir private Path folder = Path.of("");

  @Test
  void whoWaitedInVainIsToldThatItIsAway() throws Exception {
    try (TestTiers tiers = new TestTiers(folder)) {
      TestNode proxy = tiers.start(Role.PROXY); // leads
      TestNode index = tiers.start(Role.INDEX);
      tiers.start(Role.SEARCH);
      ShardId shard = proxy.create("books", 1, 1);
      index.crash();
      tiers.cluster.until(
          "the indexing tier is away", () -> !proxy.state().members().containsKey(index.id()));

      Refusal refusal =
          catchThrowableOfType(
              Refusal.class,
              () -> Patience.SHARD.during(() -> SHORT, () -> proxy.index(shard, "1", "{}")));

      assertThat(refusal.type()).isEqualTo(ErrorType.UNAVAILABLE_SHARDS);
      assertThat(refusal.reason())
          .startsWith("[books][0] primary shard is not active Timeout: [0s]: no member of the")
          .contains("[index]; GET /_holdfast/autoscaling/explain");
    }
  }
}
