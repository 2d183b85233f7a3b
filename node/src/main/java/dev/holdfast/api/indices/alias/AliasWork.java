package dev.holdfast.api.indices.alias;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.world.Refusal;

/// How much one request may ask of whoever changes the cluster state, who does nothing else
/// meanwhile: thousands of actions over thousands of indices with thousands of aliases would keep
/// all other changes waiting for hours.
final class AliasWork {
  /// Some seconds.
  static final long STEPS_MAX = 20_000_000;

  /// A name in an answer takes as long as so many steps, and memory.
  static final int STEPS_A_NAME = 32;

  /// A name that a state has from the one before takes less: so many are one step.
  private static final int NAMES_A_STEP = 4;

  private long left = STEPS_MAX;

  /// Notes work before it is done.
  ///
  /// @param steps aliases or indices that are looked at or copied
  /// @throws Refusal 400 when it is too much for one request
  void add(long steps) {
    left -= steps;
    if (left < 0) {
      throw Refusal.badArgument(
          "these actions are too much for one request: indices times aliases, all actions together,"
              + " are at most "
              + STEPS_MAX
              + "; send fewer actions at a time, with fewer indices or aliases");
    }
  }

  /// Notes that a state is made that has other indices than this one.
  void copy(ClusterState state) {
    add(state.indices().size() / NAMES_A_STEP);
  }

  /// Notes that an expression is matched with the names of indices.
  ///
  /// @param names how many there are
  void match(String expression, int names) {
    long parts = expression.chars().filter(c -> c == ',').count() + 1;
    boolean isPattern = expression.indexOf('*') >= 0 || expression.contains("_all");
    add(isPattern ? parts * names : parts);
  }
}
