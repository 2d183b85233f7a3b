package dev.holdfast.api.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.clusterstate.Build;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.Member;
import dev.holdfast.clusterstate.SnapshotReference;
import dev.holdfast.world.Refusal;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/// While a restore is about to begin nobody deletes its snapshot: a closed index in whose place
/// another one comes could not be had back.
final class RestoreReservationTest {
  private static final SnapshotReference SNAPSHOT = new SnapshotReference("r", "s", "s-uuid");
  private static final ClusterState STATE = ClusterState.empty("c").withMember(member("a"));

  private static Member member(String id) {
    return new Member(id, id, id + ":1", new TreeSet<>(), 1, 0, false, Build.here("t"));
  }

  private static void delete(ClusterState state) {
    RepositoryUse.requireNotRestored(state, SNAPSHOT, Set.of());
    RepositoryUse.requireUnused(state, "r", Set.of());
  }

  @Test
  void aSnapshotThatIsAboutToBeRestoredStays() {
    RestoreReservation reservation = new RestoreReservation("one", "a", SNAPSHOT);
    ClusterState reserved = reservation.addedTo(STATE);

    assertThatThrownBy(() -> RepositoryUse.requireNotRestored(reserved, SNAPSHOT, Set.of()))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("during a restore in progress");
    assertThatThrownBy(() -> RepositoryUse.requireUnused(reserved, "r", Set.of()))
        .isInstanceOf(Refusal.class);
    delete(reservation.takenFrom(reserved));
    assertThat(reservation.takenFrom(reserved)).isEqualTo(STATE);
  }

  @Test
  void whatAProcessThatIsGoneWasAboutToDoKeepsNothing() {
    ClusterState left = new RestoreReservation("one", "gone", SNAPSHOT).addedTo(STATE);
    delete(left);
    SnapshotReference other = new SnapshotReference("q", "t", "t-uuid");
    ClusterState next = new RestoreReservation("two", "a", other).addedTo(left);

    assertThat(next.customs().get("restores")).hasSize(1);
    delete(next);
  }
}
