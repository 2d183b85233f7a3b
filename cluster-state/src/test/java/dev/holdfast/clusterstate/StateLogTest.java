package dev.holdfast.clusterstate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.objectstore.MemoryStore;
import org.junit.jupiter.api.Test;

/// The state log as two leaders see it.
final class StateLogTest {
  private final MemoryStore store = new MemoryStore();

  private static ClusterState state(long term, long version) {
    return ClusterState.empty("cluster").at(term, version);
  }

  @Test
  void aLeaderThatHasWrittenNothingIsShutOut() throws Exception {
    new StateLog(store).append(state(1, 0), state(2, 21));
    StateLog late = new StateLog(store); // of term 3

    StateLog next = new StateLog(store); // of term 4
    assertThat(next.fenceAndRead(3, "next")).isEmpty();
    assertThat(next.fenceAndRead(2, "next")).contains(state(2, 21));
    next.append(state(2, 21), state(4, 22));

    assertThatThrownBy(() -> late.append(state(2, 21), state(3, 22)))
        .isInstanceOf(StateLog.FencedException.class);
  }

  @Test
  void whatALeaderWroteBeforeItWasShutOutIsRead() throws Exception {
    StateLog leader = new StateLog(store);
    ClusterState last = state(1, 7);
    for (int i = 0; i < 2 * StateLog.FULL_EVERY + 5; i++) {
      ClusterState now = last.at(2, last.version() + 1);
      leader.append(last, now);
      last = now;
    }
    ClusterState end = last;

    assertThat(new StateLog(store).fenceAndRead(2, "next")).contains(end);
    assertThatThrownBy(() -> leader.append(end, end.at(2, end.version() + 1)))
        .isInstanceOf(StateLog.FencedException.class);
    assertThat(new StateLog(store).fenceAndRead(2, "another")).contains(end);
    assertThat(store.list("cluster/state/", "", 1000)).hasSize(5 + 1);
  }
}
