package dev.holdfast.cost;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.http.TimeValue;
import dev.holdfast.objectstore.ObjectStore.Listed;
import dev.holdfast.objectstore.count.StorageClass;
import dev.holdfast.objectstore.count.StorePrices;
import dev.holdfast.world.Refusal;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/// `store.storage_class`: blobs that are old are moved to a cheaper class of the provider's, once,
/// if that saves money by all that is known: how long they will still be kept, how often they are
/// read, what the move costs, and for how long the class is paid at least (decision 034).
///
/// @param after no blob is moved before it is as old
public record StorageClassPolicy(StorageClass target, Duration after, StorePrices prices) {
  public static final String SETTING = "store.storage_class";
  public static final String AFTER = "store.storage_class_after";
  public static final String AFTER_BY_DEFAULT = "30d";

  private static final Duration AFTER_MIN = Duration.ofDays(1);
  private static final double MONTH_MILLIS = 1000 * StorePrices.MONTH_SECONDS;

  /// What becomes of a blob.
  public enum Verdict {
    /// It is in another class than the usual one already, whoever moved it.
    IN_ANOTHER_CLASS,
    YOUNG,
    /// Too small to pay for its move, or not old enough for the class to pay.
    NOT_WORTH_A_MOVE,
    /// It will be deleted before its move has paid.
    DELETED_SOON,
    /// What is read of its index costs more than the class saves.
    READ_OFTEN,
    MOVE;

    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /// Empty when nothing is to be moved: nobody named a class, or one that this store does not have.
  public static Optional<StorageClassPolicy> of(ClusterState state, StorePrices prices) {
    return prices
        .classes()
        .find(named(state))
        .map(target -> new StorageClassPolicy(target, after(state), prices));
  }

  /// The class that somebody named; empty for none.
  public static String named(ClusterState state) {
    Object set = state.setting(SETTING);
    return set == null ? "" : set.toString();
  }

  private static Duration after(ClusterState state) {
    Object set = state.setting(AFTER);
    return TimeValue.parse(AFTER, set == null ? AFTER_BY_DEFAULT : set.toString());
  }

  /// Refuses a class that the store does not have, or that saves nothing.
  ///
  /// @throws Refusal `illegal_argument_exception`
  public static void check(ClusterState state, StorePrices prices) {
    if (after(state).compareTo(AFTER_MIN) < 0) {
      throw Refusal.badArgument(
          "Failed to parse value ["
              + state.setting(AFTER)
              + "] for setting ["
              + AFTER
              + "] must be >= "
              + TimeValue.exact(AFTER_MIN));
    }
    String named = named(state);
    if (named.isEmpty()) {
      return;
    }
    if (prices.classes().cheaper().isEmpty()) {
      throw Refusal.badArgument(
          "[" + SETTING + "] has no effect: this store has no storage classes");
    }
    StorageClass target =
        prices
            .classes()
            .find(named)
            .orElseThrow(() ->
                Refusal.badArgument(
                    "illegal value ["
                        + named
                        + "] for ["
                        + SETTING
                        + "], it must be one of "
                        + prices.classes().names()
                        + ": those of this store that cost less to keep and answer at once"));
    if (target.dollarsPerGigabyteMonth() >= prices.dollarsPerGigabyteMonth()) {
      throw Refusal.badArgument(
          "["
              + SETTING
              + "] of ["
              + target.name()
              + "] saves nothing: it costs "
              + target.dollarsPerGigabyteMonth()
              + " dollars a gigabyte and month, and ["
              + StorePrices.KEPT
              + "] is "
              + prices.dollarsPerGigabyteMonth());
    }
  }

  /// Whether a blob is moved now. What nobody merged away for so long is taken to stay for as long
  /// again, if nothing is known to delete it earlier.
  ///
  /// @param deletedAtMillis when its index will be deleted, as far as that is known
  /// @param readsAMonth how often all bytes of its index are read from the store in a month
  public Verdict judge(
      Listed blob, long nowMillis, OptionalLong deletedAtMillis, double readsAMonth) {
    if (!prices.classes().isUsual(blob.storageClass())) {
      return Verdict.IN_ANOTHER_CLASS;
    }
    long ageMillis = nowMillis - blob.modifiedMillis();
    if (ageMillis < after.toMillis()) {
      return Verdict.YOUNG;
    }
    if (!isWorth(blob, ageMillis, 0)) {
      return Verdict.NOT_WORTH_A_MOVE;
    }
    long leftMillis =
        Math.min(ageMillis, Math.max(0, deletedAtMillis.orElse(Long.MAX_VALUE) - nowMillis));
    if (!isWorth(blob, leftMillis, 0)) {
      return Verdict.DELETED_SOON;
    }
    return isWorth(blob, leftMillis, readsAMonth) ? Verdict.MOVE : Verdict.READ_OFTEN;
  }

  private boolean isWorth(Listed blob, long leftMillis, double readsAMonth) {
    double months = leftMillis / MONTH_MILLIS;
    double bytesRead = readsAMonth * months * blob.length();
    return prices.saved(target, blob.length(), months, bytesRead) > 0;
  }
}
