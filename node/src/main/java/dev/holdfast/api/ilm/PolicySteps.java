package dev.holdfast.api.ilm;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.ilm.StoredPolicies.Stored;
import dev.holdfast.api.ilm.action.LifecycleAction.Step;
import dev.holdfast.api.ilm.action.LifecycleState;
import dev.holdfast.api.ilm.action.Outcome;
import dev.holdfast.api.ilm.action.StepContext;
import dev.holdfast.api.ilm.action.StepKey;
import dev.holdfast.api.ilm.action.StepTools;
import dev.holdfast.api.indices.settings.LifecycleSettings;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// Takes an index one step further in its policy: does what the step does outside of the cluster
/// state, and says what is to change in it.
final class PolicySteps {
  private final StepTools tools;

  PolicySteps(StepTools tools) {
    this.tools = tools;
  }

  /// A change of where an index is, and of the state in one with it. It is left out when somebody
  /// else moved the index meanwhile.
  ///
  /// @param before null for an index that was nowhere yet
  record Move(
      IndexMetadata index,
      @Nullable LifecycleState before,
      LifecycleState after,
      UnaryOperator<ClusterState> change,
      long nowMillis) {
    /// Whether the index stays at its step.
    boolean isWaiting() {
      return before != null && before.key().equals(after.key());
    }

    ClusterState apply(ClusterState state) {
      String name = index.id().name();
      IndexMetadata current = state.indices().get(name);
      if (current == null
          || !current.id().equals(index.id())
          || !Objects.equals(LifecycleState.of(current), before)) {
        return state;
      }
      ClusterState changed;
      LifecycleState then = after;
      try {
        changed = change.apply(state);
      } catch (RuntimeException e) { // of this index alone
        changed = state;
        Refusal why =
            e instanceof Refusal refusal
                ? refusal
                : new Refusal(ErrorType.INTERNAL, String.valueOf(e.getMessage()), e);
        then = (before == null ? after : before).failed(why, nowMillis);
      }
      IndexMetadata left = changed.indices().get(name);
      return left == null || !left.id().equals(index.id())
          ? changed
          : changed.withIndex(left.withCustom(LifecycleState.CUSTOM, then.json()));
    }
  }

  /// What is next for an index; null for nothing to change now.
  @Nullable Move next(ClusterState state, IndexMetadata index, String name, Stored policy)
      throws InterruptedException {
    long now = tools.world().clock().epochMillis();
    LifecycleState kept = LifecycleState.of(index);
    if (kept == null) {
      return new Move(index, null, LifecycleState.begun(index, now), changed -> changed, now);
    }
    LifecycleState lifecycle = refreshed(kept.lookedAt(), name, policy);
    if (lifecycle.step().equals(LifecycleState.COMPLETE)) {
      return entered(index, kept, lifecycle, name, policy, now);
    }
    PhaseSteps steps = PhaseSteps.of(lifecycle);
    StepKey key =
        lifecycle.isFailed()
            ? new StepKey(lifecycle.phase(), lifecycle.action(), lifecycle.failedStep())
            : lifecycle.key();
    Step step = steps.find(key);
    if (step == null) {
      StepKey next = steps.after(key, true); // a newer build's, or of a policy that changed
      return new Move(index, kept, lifecycle.at(next, now), changed -> changed, now);
    }
    ObjectNode body = lifecycle.body(key.action()) instanceof ObjectNode o ? o : Json.object();
    return run(
        step, key, steps, kept, new StepContext(state, index, lifecycle, body, name, tools), now);
  }

  private static @Nullable Move run(
      Step step, StepKey key, PhaseSteps steps, LifecycleState kept, StepContext context, long now)
      throws InterruptedException {
    LifecycleState lifecycle = context.lifecycle();
    try {
      return switch (step.work().run(context)) {
        case Outcome.Done done ->
            new Move(
                context.index(),
                kept,
                done.after().apply(lifecycle.at(steps.after(key, done.skipsAction()), now)),
                done.change(),
                now);
        case Outcome.Waiting waiting -> waits(context, kept, key, waiting.info(), now);
      };
    } catch (InterruptedException e) {
      throw e;
    } catch (Refusal e) {
      return failed(context, kept, e, now);
    } catch (IOException e) {
      return failed(
          context, kept, new Refusal(ErrorType.IO, String.valueOf(e.getMessage()), e), now);
    } catch (Exception e) {
      return failed(
          context, kept, new Refusal(ErrorType.INTERNAL, String.valueOf(e.getMessage()), e), now);
    }
  }

  private static Move failed(StepContext context, LifecycleState kept, Refusal why, long now) {
    LifecycleState after = context.lifecycle().failed(why, now);
    return new Move(context.index(), kept, after, changed -> changed, now);
  }

  /// Nothing changes but what there is to tell.
  private static @Nullable Move waits(
      StepContext context, LifecycleState kept, StepKey key, @Nullable ObjectNode info, long now) {
    LifecycleState lifecycle = context.lifecycle();
    LifecycleState after = lifecycle.isFailed() ? lifecycle.at(key, now) : lifecycle;
    after = info == null ? after : after.waiting(info);
    return after.equals(kept)
        ? null
        : new Move(context.index(), kept, after, changed -> changed, now);
  }

  /// With what the policy says of the phase now, if the phase has the same actions still.
  private static LifecycleState refreshed(LifecycleState kept, String name, Stored policy) {
    ObjectNode execution = kept.phaseExecution();
    if (execution == null
        || !execution.path("policy").asText().equals(name)
        || (execution.path("version").asInt() == policy.version()
            && execution.path("modified_date_in_millis").asLong() == policy.modifiedMillis())) {
      return kept;
    }
    ObjectNode phase = policy.policy().phase(kept.phase());
    List<StepKey> before = PhaseSteps.of(kept).keys();
    return phase != null && new PhaseSteps(kept.phase(), phase).keys().equals(before)
        ? kept.with(policy.phaseExecution(name, kept.phase()))
        : kept;
  }

  /// In the next phase when the index is old enough for it.
  private @Nullable Move entered(
      IndexMetadata index,
      LifecycleState kept,
      LifecycleState lifecycle,
      String name,
      Stored policy,
      long now) {
    String next = policy.policy().next(lifecycle.phase());
    if (next == null || !isOldEnough(index, lifecycle, policy.policy().minAge(next), now)) {
      return lifecycle.equals(kept)
          ? null
          : new Move(index, kept, lifecycle, changed -> changed, now);
    }
    LifecycleState with = lifecycle.with(policy.phaseExecution(name, next));
    StepKey first =
        new PhaseSteps(next, Objects.requireNonNull(policy.policy().phase(next))).first();
    return new Move(index, kept, with.at(first, now), changed -> changed, now);
  }

  /// What a phase does can rarely be undone.
  private boolean isOldEnough(
      IndexMetadata index, LifecycleState lifecycle, Duration minAge, long now) {
    return now - sinceMillis(index, lifecycle) >= minAge.toMillis()
        && (minAge.isZero() || tools.storeClock().agrees());
  }

  /// What the age of an index is counted from.
  static long sinceMillis(IndexMetadata index, LifecycleState lifecycle) {
    long origin = LifecycleSettings.of(index).originationMillis(index.id().name());
    return origin >= 0 ? origin : lifecycle.lifecycleMillis();
  }
}
