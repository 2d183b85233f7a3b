package dev.holdfast.clusterstate.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.lease.Lease;
import dev.holdfast.objectstore.MemoryStore;
import dev.holdfast.objectstore.ObjectBody;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.StoreException;
import dev.holdfast.objectstore.StoreFailure;
import dev.holdfast.objectstore.faulty.Faulty;
import dev.holdfast.objectstore.faulty.StoreFaults;
import dev.holdfast.world.real.RealWorld;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The state log as two leaders see it.
final class StateLogTest {
  private static final int FULL = StateLog.FULL_EVERY;

  private final MemoryStore store = new MemoryStore();

  private static ClusterState state(long term, long version) {
    return ClusterState.empty("cluster").at(term, version);
  }

  private static Optional<ClusterState> read(StateLog log, long term) throws Exception {
    return log.fenceAndRead(term, new StateLog.By("next", false), Optional.empty())
        .map(StateLog.Known::state);
  }

  /// As after the objects of one cluster were copied over those of another.
  @Test
  void aDifferenceOfAnotherClusterIsNotAppliedToThisOnesState() throws Exception {
    StateLog ours = new StateLog(store);
    ours.append(state(1, 0), state(1, 1));
    MemoryStore others = new MemoryStore();
    StateLog theirs = new StateLog(others);
    ClusterState first = ClusterState.empty("another").at(1, 1);
    theirs.append(first, first);
    theirs.append(first, first.at(1, 2));
    String second = "cluster/state/0000000000000001/0000000000000001";
    var _ = store.put(second, ObjectBody.of(others.get(second).orElseThrow().bytes()));

    assertThatThrownBy(() ->
            new StateLog(store).fenceAndRead(1, new StateLog.By("next", false), Optional.empty()))
        .isInstanceOf(IncompleteStateException.class)
        .hasMessageContaining(second)
        .hasMessageContaining("is of another cluster [uuid=another]");
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
    leader.deleteOlder();
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
        List.of(
            StateObjects.key(2, StateLog.FULL_EVERY + 4),
            StateObjects.key(2, StateLog.FULL_EVERY + 5)));
    assertThat(
            new StateLog(store)
                .fenceAndRead(
                    2, new StateLog.By("next", false), Optional.of(new StateLog.Known(last, -1))))
        .contains(new StateLog.Known(last, StateLog.FULL_EVERY + 4));
  }

  /// Writes so many states of a term; returns the last.
  private ClusterState written(long term, int count) throws Exception {
    StateLog leader = new StateLog(store);
    ClusterState last = state(1, 7);
    for (int i = 0; i < count; i++) {
      ClusterState now = last.at(term, last.version() + 1);
      leader.append(last, now);
      last = now;
    }
    assertThat(leader.newestOrdinal()).isEqualTo(count - 1);
    leader.deleteOlder();
    return last;
  }

  private List<String> keys() {
    return store.list("cluster/state/", "", 1000).stream().map(ObjectStore.Listed::key).toList();
  }

  private static Lease lease(long term, long stateTerm, long stateOrdinal) {
    return new Lease(term, "n0", "n0:1", 0, 0, "", false, stateTerm, stateOrdinal);
  }

  private Optional<ClusterState> newest(Lease before) throws Exception {
    return new StateLog(store)
        .newestUntil(before, new StateLog.By("next", false), Optional.empty())
        .map(StateLog.Known::state);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, FULL - 1, FULL, FULL + 1, 2 * FULL})
  void aFenceWhereAWholeStateWouldBeIsNoneAndTheLogIsReadAgain(int count) throws Exception {
    ClusterState end = written(2, count);

    assertThat(read(new StateLog(store), 2)).contains(end);
    assertThat(keys()).last().isEqualTo(StateObjects.key(2, count));
    assertThat(read(new StateLog(store), 2)).as("behind the fence").contains(end);
    assertThat(keys()).last().isEqualTo(StateObjects.key(2, count));
  }

  @Test
  void onlyTheNewestWholeStateAndWhatFollowsItAreKept() throws Exception {
    var _ = written(2, FULL + 3);

    assertThat(keys())
        .containsExactly(
            StateObjects.key(2, FULL),
            StateObjects.key(2, FULL + 1),
            StateObjects.key(2, FULL + 2));
  }

  @Test
  void aStoreThatRefusesToDeleteHoldsNoStateUp() throws Exception {
    Faulty refusing = new Faulty(store, RealWorld.create(), StoreFaults.NONE);
    refusing.refuseDeletes(StoreFailure.DENIED);
    StateLog leader = new StateLog(refusing);
    ClusterState last = state(1, 7);
    for (int i = 0; i < FULL + 3; i++) {
      ClusterState now = last.at(2, last.version() + 1);
      leader.append(last, now);
      last = now;
    }
    assertThatThrownBy(leader::deleteOlder).isInstanceOf(StoreException.Unavailable.class);
    assertThat(keys()).hasSize(FULL + 3);

    refusing.refuse(null, "");
    leader.deleteOlder();

    assertThat(keys()).hasSize(3);
    assertThat(read(new StateLog(store), 2)).contains(last);
  }

  @Test
  void aStateThatIsMissingInTheMiddleIsMissed() throws Exception {
    var _ = written(2, 5);
    store.deleteAll(List.of(StateObjects.key(2, 3)));

    assertThatThrownBy(() -> read(new StateLog(store), 2))
        .isInstanceOf(IncompleteStateException.class)
        .hasMessageContaining(StateObjects.key(2, 3));
    assertThat(keys()).as("nothing was written").hasSize(4);
  }

  @Test
  void theNewestStateIsOfTheNewestTermThatWroteOne() throws Exception {
    ClusterState end = written(2, 3);

    assertThat(newest(lease(4, 2, 2))).contains(end);

    assertThat(keys())
        .as("every term is shut out")
        .contains(StateObjects.key(4, 0), StateObjects.key(3, 0), StateObjects.key(2, 3));
  }

  @Test
  void lessThanTheLeaseKnowsOfIsNotTaken() throws Exception {
    var _ = written(2, 3);

    for (Lease more : List.of(lease(2, 2, 3), lease(4, 3, 0))) {
      assertThatThrownBy(() -> newest(more)).isInstanceOf(IncompleteStateException.class);
    }
    assertThat(newest(lease(2, 2, 2))).isPresent();
    assertThat(newest(lease(2, 2, 1))).isPresent();
    assertThat(newest(lease(2, 1, 9))).isPresent();
  }

  @Test
  void whoKnowsAStateOfATermThatHasNoneIsNotTakenIn() {
    assertThatThrownBy(() ->
            new StateLog(store)
                .newestUntil(
                    lease(2, 0, 0),
                    new StateLog.By("next", false),
                    Optional.of(new StateLog.Known(state(2, 8), -1))))
        .isInstanceOf(IncompleteStateException.class);
  }

  @Test
  void ofOlderTermsOnlyFencesThatMustOutliveTheirLeadersStay() throws Exception {
    var _ = written(2, 3);
    assertThat(read(new StateLog(store), 2)).isPresent();
    var _ = written(3, 2);
    assertThat(new StateLog(store).fenceAndRead(3, new StateLog.By("next", true), Optional.empty()))
        .isPresent();
    var _ = written(4, 2);

    new StateLog(store).deleteBelow(4);

    assertThat(keys())
        .containsExactly(StateObjects.key(2, 3), StateObjects.key(4, 0), StateObjects.key(4, 1));
  }

  @Test
  void anEndThatCannotBeReadKeepsNoOtherTerm() throws Exception {
    var _ = written(2, 3);
    assertThat(read(new StateLog(store), 2)).isPresent();
    var _ = store.put(StateObjects.key(2, 3), ObjectBody.of(new byte[10]));
    var _ = written(3, 2);
    assertThat(new StateLog(store).fenceAndRead(3, new StateLog.By("next", true), Optional.empty()))
        .isPresent();
    var _ = written(4, 1);
    // and a name that no state has
    String copy = "cluster/state/copy-of-the-term/0000000000000001";
    var _ = store.put(copy, ObjectBody.of(new byte[10]));

    new StateLog(store).deleteBelow(4);

    assertThat(keys())
        .containsExactly(
            StateObjects.key(2, 0),
            StateObjects.key(2, 1),
            StateObjects.key(2, 2),
            StateObjects.key(2, 3),
            StateObjects.key(4, 0),
            copy);
  }

  @Test
  void aTermThatIsNotShutOutIsKept() throws Exception {
    var _ = written(2, 3);
    var _ = written(3, 2);

    new StateLog(store).deleteBelow(3);

    assertThat(keys()).hasSize(5);
  }
}
