package dev.holdfast.api.slm;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.world.Json;
import java.time.Instant;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// When snapshots are due whose last time a wrong clock has told.
final class SnapshotPolicyRunsTest {
  private static final long NOW = Instant.parse("2026-11-26T12:00:00Z").toEpochMilli();

  @ParameterizedTest
  @CsvSource({
    "2026-11-01T00:00:00Z, 2026-11-26T01:30:00Z, false", // this morning
    "2026-11-01T00:00:00Z, 2026-11-25T01:30:00Z, true",
    "2026-11-01T00:00:00Z, 2026-11-26T12:00:20Z, false", // by the clock of another leader
    "2026-11-01T00:00:00Z, 2027-11-26T01:30:00Z, true",
    "2027-11-01T00:00:00Z, 1970-01-01T00:00:00Z, true",
    "2027-11-01T00:00:00Z, 2026-11-26T01:30:00Z, false"
  })
  void noPolicyWaitsForATimeThatAWrongClockTold(
      Instant modified, Instant scheduled, boolean isDue) {
    ObjectNode policy =
        Json.object()
            .put("schedule", "0 30 1 * * ?")
            .put("name", "daily")
            .put("repository", "backups");
    ClusterState made =
        StoredSnapshotPolicies.with(
            ClusterState.empty("cluster"),
            new SnapshotPolicy("daily", policy),
            modified.toEpochMilli());
    ClusterState state =
        StoredSnapshotPolicies.changed(
            made, "daily", kept -> kept.put("scheduled_millis", scheduled.toEpochMilli()));

    assertThat(
            SnapshotPolicyRuns.isDue(
                state, Objects.requireNonNull(StoredSnapshotPolicies.find(state, "daily")), NOW))
        .isEqualTo(isDue);
  }
}
