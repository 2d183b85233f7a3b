package dev.holdfast.translog;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/// The protocol of acknowledgement (§5) as steps over a small world, every order of which is tried:
/// a node uploads files, several at once, deletes those that nobody needs, and acknowledges without
/// gaps; a successor lists, fences, replays. What is acknowledged, before or after, must have been
/// replayed.
final class FencingExplorationTest {
  private static final int FILES = 5;
  private static final int AHEAD_MAX = 3;

  /// Files from here on hold operations of the shard that recovers, whose commit begins at file 0.
  private static final int OURS_FROM = 2;

  /// How a successor fences, given what it listed.
  private interface Fencing {
    Plan plan(TreeSet<Integer> files, TreeSet<Integer> fences);
  }

  /// @param names to take, in this order
  /// @param end exclusive, of what is replayed
  private record Plan(List<Integer> names, int end) {}

  /// @param isClaimed by the successor
  /// @param toDelete the file that the node will delete: the lease still named it; -1: none
  private record Lease(boolean isClaimed, int toDelete) {}

  /// What there is.
  ///
  /// @param inFlight files sealed, not in the store yet
  /// @param unanswered in the store, which the node does not know yet
  /// @param acknowledged files up to this one
  /// @param toFence names the successor has still to take; null before it listed
  /// @param end exclusive, of what it will replay
  /// @param replayed null until it has
  private record State(
      Set<Integer> files,
      Set<Integer> fences,
      Set<Integer> inFlight,
      Set<Integer> unanswered,
      Set<Integer> finished,
      int sealed,
      int acknowledged,
      boolean isStopped,
      Lease lease,
      List<Integer> toFence,
      int end,
      Set<Integer> replayed) {}

  @Test
  void whatIsAcknowledgedIsReplayedInEveryOrder() {
    Exploration all = explore(FencingExplorationTest::endAndGaps);

    assertThat(all.lost).isNull();
    assertThat(all.states).isGreaterThan(500);
  }

  @Test
  void withoutAFenceAWriteIsLost() {
    assertThat(explore((files, fences) -> new Plan(List.of(), FILES)).lost).isNotNull();
  }

  @Test
  void aFenceAtTheFirstGapOnlyLosesWhatLiesBehindDeletedFiles() {
    Fencing firstGap =
        (files, fences) -> {
          int name = 0;
          while (files.contains(name)) {
            name++;
          }
          return new Plan(fences.contains(name) ? List.of() : List.of(name), name);
        };
    assertThat(explore(firstGap).lost).isNotNull();
  }

  @Test
  void aFenceAtTheFirstGapBehindTheFirstFileLosesWhatLiesBehindFilesDeletedOutOfOrder() {
    Fencing behindFirst =
        (files, fences) -> {
          int name = files.isEmpty() ? 0 : files.first();
          int first = name;
          while (files.contains(name)) {
            name++;
          }
          List<Integer> names = new ArrayList<>();
          if (!fences.contains(name)) {
            names.add(name);
          }
          for (int hole = Math.max(0, first - AHEAD_MAX); hole < first; hole++) {
            if (!fences.contains(hole)) {
              names.add(hole);
            }
          }
          return new Plan(names, name);
        };
    assertThat(explore(behindFirst).lost).isNotNull();
  }

  /// As [LogReplay] does.
  private static Plan endAndGaps(TreeSet<Integer> files, TreeSet<Integer> fences) {
    TreeSet<Integer> taken = new TreeSet<>(files);
    taken.addAll(fences);
    int last = taken.isEmpty() ? -1 : taken.last();
    List<Integer> names = new ArrayList<>();
    if (!fences.contains(last)) {
      names.add(last + 1);
    }
    for (int gap = Math.max(0, last + 1 - AHEAD_MAX); gap < last; gap++) {
      if (!taken.contains(gap)) {
        names.add(gap);
      }
    }
    return new Plan(names, last + 1);
  }

  /// What was found.
  private record Exploration(int states, State lost) {}

  private static Exploration explore(Fencing fencing) {
    State first =
        new State(
            Set.of(),
            Set.of(),
            Set.of(),
            Set.of(),
            Set.of(),
            0,
            -1,
            false,
            new Lease(false, -1),
            null,
            -1,
            null);
    Set<State> known = new HashSet<>(Set.of(first));
    Deque<State> next = new ArrayDeque<>(known);
    while (!next.isEmpty()) {
      State state = next.removeFirst();
      if (isLost(state)) {
        return new Exploration(known.size(), state);
      }
      for (State after : steps(state, fencing)) {
        if (known.add(after)) {
          next.addLast(after);
        }
      }
    }
    return new Exploration(known.size(), null);
  }

  private static boolean isLost(State state) {
    if (state.replayed == null) {
      return false;
    }
    for (int file = OURS_FROM; file <= state.acknowledged; file++) {
      if (!state.replayed.contains(file)) {
        return true;
      }
    }
    return false;
  }

  private static List<State> steps(State state, Fencing fencing) {
    List<State> after = new ArrayList<>();
    nodeSteps(state, after);
    successorSteps(state, fencing, after);
    return after;
  }

  private static void nodeSteps(State s, List<State> after) {
    boolean maySeal = !s.isStopped && s.sealed < FILES && s.sealed - s.acknowledged < AHEAD_MAX;
    if (maySeal) {
      after.add(s(s, s.files, with(s.inFlight, s.sealed), s.unanswered, s.finished, s.sealed + 1));
    }
    for (int file : s.inFlight) {
      boolean isTaken = s.fences.contains(file);
      after.add(
          isTaken
              ? stopped(s, file)
              : s(
                  s,
                  with(s.files, file),
                  without(s.inFlight, file),
                  with(s.unanswered, file),
                  s.finished,
                  s.sealed));
    }
    for (int file : s.unanswered) {
      Set<Integer> finished = with(s.finished, file);
      State told = s(s, s.files, s.inFlight, without(s.unanswered, file), finished, s.sealed);
      int durable = told.acknowledged;
      while (finished.contains(durable + 1)) {
        durable++;
      }
      after.add(acknowledged(told, durable));
    }
    // Files that hold nothing of the shard go, in any order as far as a store is concerned, the
    // newest durable one never; the lease is read before.
    if (s.lease.toDelete >= 0) {
      after.add(
          leased(
              s(
                  s,
                  without(s.files, s.lease.toDelete),
                  s.inFlight,
                  s.unanswered,
                  s.finished,
                  s.sealed),
              new Lease(s.lease.isClaimed, -1)));
    } else if (!s.lease.isClaimed) {
      for (int file : s.files) {
        if (file < OURS_FROM && file < s.acknowledged) {
          after.add(leased(s, new Lease(false, file)));
        }
      }
    }
  }

  private static void successorSteps(State s, Fencing fencing, List<State> after) {
    if (s.replayed != null) {
      return;
    }
    if (!s.lease.isClaimed) {
      after.add(leased(s, new Lease(true, s.lease.toDelete)));
    } else if (s.toFence == null) {
      Plan plan = fencing.plan(new TreeSet<>(s.files), new TreeSet<>(s.fences));
      after.add(fencing(s, plan.names, plan.end));
    } else if (s.toFence.isEmpty()) {
      Set<Integer> replayed = new TreeSet<>(s.files);
      replayed.removeIf(file -> file >= s.end);
      after.add(replayed(s, replayed));
    } else {
      int name = s.toFence.getFirst();
      List<Integer> rest = s.toFence.subList(1, s.toFence.size());
      after.add(s.files.contains(name) ? fencing(s, null, -1) : fenced(s, name, rest));
    }
  }

  private static State s(
      State s,
      Set<Integer> files,
      Set<Integer> inFlight,
      Set<Integer> unanswered,
      Set<Integer> finished,
      int sealed) {
    return new State(
        files,
        s.fences,
        inFlight,
        unanswered,
        finished,
        sealed,
        s.acknowledged,
        s.isStopped,
        s.lease,
        s.toFence,
        s.end,
        s.replayed);
  }

  private static State acknowledged(State s, int acknowledged) {
    return new State(
        s.files,
        s.fences,
        s.inFlight,
        s.unanswered,
        s.finished,
        s.sealed,
        acknowledged,
        s.isStopped,
        s.lease,
        s.toFence,
        s.end,
        s.replayed);
  }

  private static State leased(State s, Lease lease) {
    return new State(
        s.files,
        s.fences,
        s.inFlight,
        s.unanswered,
        s.finished,
        s.sealed,
        s.acknowledged,
        s.isStopped,
        lease,
        s.toFence,
        s.end,
        s.replayed);
  }

  private static State stopped(State s, int refused) {
    return new State(
        s.files,
        s.fences,
        without(s.inFlight, refused),
        s.unanswered,
        s.finished,
        s.sealed,
        s.acknowledged,
        true,
        s.lease,
        s.toFence,
        s.end,
        s.replayed);
  }

  private static State fencing(State s, List<Integer> names, int end) {
    return new State(
        s.files,
        s.fences,
        s.inFlight,
        s.unanswered,
        s.finished,
        s.sealed,
        s.acknowledged,
        s.isStopped,
        s.lease,
        names,
        end,
        s.replayed);
  }

  private static State fenced(State s, int name, List<Integer> rest) {
    return new State(
        s.files,
        with(s.fences, name),
        s.inFlight,
        s.unanswered,
        s.finished,
        s.sealed,
        s.acknowledged,
        s.isStopped,
        s.lease,
        List.copyOf(rest),
        s.end,
        s.replayed);
  }

  private static State replayed(State s, Set<Integer> replayed) {
    return new State(
        s.files,
        s.fences,
        s.inFlight,
        s.unanswered,
        s.finished,
        s.sealed,
        s.acknowledged,
        s.isStopped,
        s.lease,
        s.toFence,
        s.end,
        replayed);
  }

  private static Set<Integer> with(Set<Integer> set, int name) {
    return changed(set, copy -> copy.add(name));
  }

  private static Set<Integer> without(Set<Integer> set, int name) {
    return changed(set, copy -> copy.remove(name));
  }

  private static Set<Integer> changed(Set<Integer> set, Function<Set<Integer>, Boolean> change) {
    Set<Integer> copy = new TreeSet<>(set);
    boolean _ = change.apply(copy);
    return copy;
  }
}
