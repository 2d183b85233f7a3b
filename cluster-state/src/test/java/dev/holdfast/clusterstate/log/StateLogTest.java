package dev.holdfast.clusterstate.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.objectstore.MemoryStore;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// The state log as two leaders see it.
final class StateLogTest {
  private final MemoryStore store = new MemoryStore();

  private static ClusterState state(long term, long version) {
    return ClusterState.empty("cluster").at(term, version);
  }

  private static Optional<ClusterState> read(StateLog log, long term) throws Exception {
    return log.fenceAndRead(term, new StateLog.By("next", false), Optional.empty())
        .map(StateLog.Known::state);
  }

  @Test
  void aLeaderThatHasWrittenNothingIsShutOut() throws Exception {
    new StateLog(store).append(state(1, 0), state(2, 21));
    StateLog late = new StateLog(store); // of term 3

    StateLog next = new StateLog(store); // of term 4
    assertThat(read(next, 3)).isEmpty();
    assertThat(read(next, 2)).contains(state(2, 21));
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

    assertThat(read(new StateLog(store), 2)).contains(end);
    assertThatThrownBy(() -> leader.append(end, end.at(2, end.version() + 1)))
        .isInstanceOf(StateLog.FencedException.class);
    assertThat(read(new StateLog(store), 2)).contains(end);
    assertThat(store.list("cluster/state/", "", 1000)).hasSize(5 + 1);
  }

  /// What a follower knows saves reading, wherever in the log it is: before the newest whole state,
  /// within what follows it, at its end, or ahead of a log whose end was lost.
  @Test
  void whatIsKnownIsGoneOnFrom() throws Exception {
    StateLog leader = new StateLog(store);
    ClusterState last = state(1, 7);
    for (int i = 0; i < StateLog.FULL_EVERY + 5; i++) {
      ClusterState now = last.at(2, last.version() + 1);
      leader.append(last, now);
      last = now;
    }
    for (long version : new long[] {8, 90, 107, 108, 110, last.version()}) {
      assertThat(
              new StateLog(store)
                  .fenceAndRead(
                      2,
                      new StateLog.By("next", false),
                      Optional.of(new StateLog.Known(state(2, version), -1)))
                  .map(StateLog.Known::state))
          .as("version " + version)
          .contains(last);
    }
    store.deleteAll(
        java.util.List.of(
            StateObjects.key(2, StateLog.FULL_EVERY + 4),
            StateObjects.key(2, StateLog.FULL_EVERY + 5)));
    assertThat(
            new StateLog(store)
                .fenceAndRead(
                    2, new StateLog.By("next", false), Optional.of(new StateLog.Known(last, -1))))
        .contains(new StateLog.Known(last, StateLog.FULL_EVERY + 4));
  }
}
