package dev.holdfast.api.slm;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.world.Json;
import org.junit.jupiter.api.Test;

/// What a policy keeps of a snapshot that ended, when two say so.
final class SnapshotPolicyRunsTest {
  @Test
  void theEndOfASnapshotCountsOnce() {
    ObjectNode kept = Json.object();
    SnapshotPolicyRuns.failed(kept, "a", 1, 2, "no space");
    SnapshotPolicyRuns.failed(kept, "a", 1, 3, "no space");
    assertThat(kept.path("failures_since_success").asInt()).isEqualTo(1);
    assertThat(kept.path("stats").path("snapshots_failed").asInt()).isEqualTo(1);
    SnapshotPolicyRuns.failed(kept, "b", 4, 5, "no space");
    assertThat(kept.path("stats").path("snapshots_failed").asInt()).isEqualTo(2);
  }

  @Test
  void oneThatWasMadeIsNotLostToWhoeverHasAnOlderState() {
    ObjectNode kept = Json.object();
    SnapshotPolicyRuns.succeeded(kept, "a", 1, 2);
    SnapshotPolicyRuns.failed(kept, "a", 1, 3, "the node that made it is gone");
    assertThat(kept.path("last_failure").isMissingNode()).isTrue();
    assertThat(kept.path("stats").path("snapshots_taken").asInt()).isEqualTo(1);
    assertThat(kept.path("failures_since_success").asInt()).isZero();
  }
}
