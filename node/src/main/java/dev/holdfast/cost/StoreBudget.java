package dev.holdfast.cost;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.Member;
import dev.holdfast.clusterstate.Role;
import dev.holdfast.objectstore.RequestKind;
import dev.holdfast.objectstore.budget.Deferrable;
import dev.holdfast.objectstore.count.StorePrices;
import dev.holdfast.world.Refusal;
import java.util.Locale;
import java.util.OptionalDouble;

/// `store.budget`: dollars a month that the requests of the whole cluster may cost. What is kept is
/// not among them: nothing that waits makes it less.
public final class StoreBudget {
  public static final String SETTING = "store.budget";

  private static final String AMOUNT = "[0-9]{1,10}(\\.[0-9]{1,9})?";
  private static final double DOLLARS_MAX = 1e9;

  /// A leader looks at its lease each second, and tells each half minute what is in the store.
  private static final double LEASE_READS_PER_SECOND = 1;

  private static final double STATES_PER_SECOND = 1.0 / 30;

  private StoreBudget() {}

  /// Dollars a month; empty when there is no budget.
  public static OptionalDouble of(ClusterState state) {
    Object set = state.setting(SETTING);
    return set == null || set.toString().isEmpty()
        ? OptionalDouble.empty()
        : OptionalDouble.of(parse(set.toString()));
  }

  /// @throws Refusal `illegal_argument_exception` for what is no amount above nothing
  public static double parse(String value) {
    double dollars = value.matches(AMOUNT) ? Double.parseDouble(value) : 0;
    if (dollars <= 0 || dollars > DOLLARS_MAX) {
      throw Refusal.badArgument(
          "Failed to parse value ["
              + value
              + "] for setting ["
              + SETTING
              + "] must be a number of dollars a month above 0");
    }
    return dollars;
  }

  /// Refuses a budget that nothing would keep.
  ///
  /// @throws Refusal `illegal_argument_exception`
  public static void check(ClusterState state, StorePrices prices) {
    OptionalDouble budget = of(state);
    if (budget.isEmpty()) {
      return;
    }
    if (prices.isFree()) {
      throw Refusal.badArgument(
          "["
              + SETTING
              + "] has no effect: requests to this store cost nothing; if they do, say how much"
              + " with ["
              + StorePrices.WRITES
              + "] and its like");
    }
    double least = least(state, prices);
    if (budget.getAsDouble() < least) {
      throw Refusal.badArgument(
          String.format(
              Locale.ROOT,
              "[%s] of [%s] dollars a month cannot be kept: with %d indexing nodes, each of which"
                  + " may keep a write waiting for %d s at most, a cluster that is written to costs"
                  + " %.2f",
              SETTING,
              budget.getAsDouble(),
              writers(state),
              Deferrable.LOG_FILE.waitMax().toSeconds(),
              Math.ceil(100 * least) / 100));
    }
  }

  /// What a cluster costs a month at the slowest.
  static double least(ClusterState state, StorePrices prices) {
    double puts = (double) writers(state) / Deferrable.LOG_FILE.waitMax().toSeconds();
    return StorePrices.MONTH_SECONDS
        * (prices.dollars(RequestKind.PUT, 1) * (puts + STATES_PER_SECOND)
            + prices.dollars(RequestKind.GET, 1) * LEASE_READS_PER_SECOND);
  }

  private static long writers(ClusterState state) {
    return Math.max(1, state.members().values().stream().filter(StoreBudget::isWriter).count());
  }

  /// Whether it has requests that can wait.
  public static boolean isWriter(Member member) {
    return member.roles().contains(Role.INDEX);
  }
}
