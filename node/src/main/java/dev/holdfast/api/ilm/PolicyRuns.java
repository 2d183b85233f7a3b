package dev.holdfast.api.ilm;

import dev.holdfast.api.ilm.StoredPolicies.Mode;
import dev.holdfast.api.ilm.StoredPolicies.Stored;
import dev.holdfast.api.ilm.action.LifecycleState;
import dev.holdfast.api.ilm.action.StepTools;
import dev.holdfast.api.indices.settings.LifecycleSettings;
import dev.holdfast.api.indices.stream.ManagedIndices;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.http.TimeValue;
import dev.holdfast.world.Refusal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Follows the lifecycle policies of indices, on the node that leads: every poll interval each
/// index goes as many steps further as it can; an index that is new, and one that a request moved,
/// at once. What fails is kept with the index and tried again at the next run.
public final class PolicyRuns {
  private static final Logger LOG = LoggerFactory.getLogger(PolicyRuns.class);
  private static final String POLL_INTERVAL = "indices.lifecycle.poll_interval";
  private static final Duration POLL_BY_DEFAULT = Duration.ofMinutes(10);

  /// How often a node looks whether a run is due.
  private static final Duration LOOK = Duration.ofSeconds(1);

  /// A phase has fewer steps, and a policy fewer phases.
  private static final int STEPS_A_RUN_MAX = 256;

  /// The steps of `shrink` at which there is another index that has not taken its place yet.
  private static final Set<String> HALF_DONE =
      Set.of("shrink", "shrunk-shards-allocated", "replace-index");

  private final StepTools tools;
  private final Metadata metadata;
  private final PolicySteps steps;
  private final String self;
  private long ranNanos;
  private boolean hasRun;
  private long lookedVersion = -1;

  /// @param self this node's ephemeral id
  public PolicyRuns(StepTools tools, String self) {
    this.tools = tools;
    this.metadata = tools.metadata();
    this.steps = new PolicySteps(tools);
    this.self = self;
  }

  /// Follows the policies from now on.
  public void start() {
    var _ = tools.world().tasks().repeat("lifecycle-policies", LOOK, this::lookAgain);
  }

  /// What keeps the state from changing now (no leader, a block, a store that does not answer) may
  /// have gone at the next look: nothing is lost, since a step is done or not.
  private void lookAgain() throws InterruptedException {
    try {
      look();
    } catch (Refusal e) {
      LOG.warn("lifecycle policies will be followed later", e);
    }
  }

  private void look() throws InterruptedException {
    if (!metadata.leaderId().equals(self)) {
      hasRun = false; // the next time that it leads it begins with a run
      return;
    }
    ClusterState state = metadata.current();
    long now = tools.world().clock().nanoTime();
    if (!hasRun || now - ranNanos >= interval(state).toNanos()) {
      run(false);
      ranNanos = now;
      hasRun = true;
      lookedVersion = metadata.current().version();
    } else if (state.version() != lookedVersion) {
      run(true);
      lookedVersion = metadata.current().version();
    }
  }

  private static Duration interval(ClusterState state) {
    Object set = state.setting(POLL_INTERVAL);
    Duration given = set == null ? POLL_BY_DEFAULT : TimeValue.parse(POLL_INTERVAL, set.toString());
    return given.compareTo(LOOK) < 0 ? LOOK : given;
  }

  /// Takes indices as far as they can go.
  ///
  /// @param onlyMoved those only that were moved by something else than a run
  void run(boolean onlyMoved) throws InterruptedException {
    Set<String> resting = new HashSet<>();
    for (int round = 0; round < STEPS_A_RUN_MAX; round++) {
      ClusterState state = metadata.current();
      Mode mode = StoredPolicies.mode(state);
      if (mode == Mode.STOPPED) {
        return;
      }
      List<PolicySteps.Move> moves = moves(state, mode, onlyMoved && round == 0, resting);
      if (moves.isEmpty()) {
        stopped(mode, state);
        return;
      }
      metadata.update(
          "lifecycles of [" + moves.size() + "] indices",
          before -> {
            ClusterState changed = before;
            for (PolicySteps.Move move : moves) {
              changed = move.apply(changed);
            }
            return changed;
          });
    }
  }

  /// @param resting uuids of indices that can go no further in this run; grows
  private List<PolicySteps.Move> moves(
      ClusterState state, Mode mode, boolean onlyMoved, Set<String> resting)
      throws InterruptedException {
    List<PolicySteps.Move> moves = new ArrayList<>();
    for (IndexMetadata index : state.indices().values()) {
      LifecycleState kept = LifecycleState.of(index);
      String uuid = index.id().uuid();
      String policy = LifecycleSettings.of(index).policy();
      boolean isMeant = !onlyMoved || kept == null || kept.isMoved();
      Stored stored =
          policy == null || !isMeant || resting.contains(uuid)
              ? null
              : StoredPolicies.find(state, policy);
      if (policy == null
          || stored == null
          || LifecycleSettings.of(index).isSkipped()
          || (mode == Mode.STOPPING && !isCritical(kept))
          || !ManagedIndices.byPolicy(state, index)) {
        resting.add(uuid);
        continue;
      }
      PolicySteps.Move move = next(state, index, policy, stored);
      if (move == null || move.after().isFailed() || move.isWaiting()) {
        resting.add(uuid);
      }
      if (move != null) {
        moves.add(move);
      }
    }
    return moves;
  }

  /// What is next for an index; null also when that cannot be told: the others go on.
  private PolicySteps.@Nullable Move next(
      ClusterState state, IndexMetadata index, String policy, Stored stored)
      throws InterruptedException {
    try {
      return steps.next(state, index, policy, stored);
    } catch (RuntimeException e) {
      LOG.warn("the policy of an index cannot be followed [index={}]", index.id().name(), e);
      return null;
    }
  }

  /// Whether an index is in the middle of something that has made another one. What it waits for
  /// before that, it may wait for without end.
  private static boolean isCritical(@Nullable LifecycleState kept) {
    return kept != null && kept.action().equals("shrink") && HALF_DONE.contains(kept.step());
  }

  /// Whether the policy of an index, if it has one, is to be followed.
  private static boolean isFollowed(ClusterState state, IndexMetadata index) {
    String policy = LifecycleSettings.of(index).policy();
    return policy != null
        && StoredPolicies.find(state, policy) != null
        && !LifecycleSettings.of(index).isSkipped()
        && ManagedIndices.byPolicy(state, index);
  }

  private void stopped(Mode mode, ClusterState state) throws InterruptedException {
    boolean isBusy =
        state.indices().values().stream()
            .anyMatch(index -> isCritical(LifecycleState.of(index)) && isFollowed(state, index));
    if (mode == Mode.STOPPING && !isBusy) {
      metadata.update(
          "lifecycles stopped",
          now ->
              StoredPolicies.mode(now) == Mode.STOPPING
                  ? StoredPolicies.with(now, Mode.STOPPED)
                  : now);
      LOG.info("lifecycle policies are stopped");
    }
  }
}
