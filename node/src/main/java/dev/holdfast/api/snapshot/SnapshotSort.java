package dev.holdfast.api.snapshot;

import dev.holdfast.indexing.snapshot.SnapshottedShard;
import dev.holdfast.world.Refusal;
import java.util.Comparator;
import java.util.function.Function;

/// What snapshots are listed by; equal ones by repository and name.
enum SnapshotSort {
  START_TIME("start_time", true, one -> Long.toString(one.manifest().startMillis())),
  DURATION("duration", true, one -> Long.toString(one.durationMillis())),
  NAME("name", false, one -> one.manifest().name()),
  REPOSITORY("repository", false, ShownSnapshot::repository),
  INDEX_COUNT("index_count", true, one -> Integer.toString(one.manifest().indices().size())),
  SHARD_COUNT("shard_count", true, one -> Integer.toString(one.manifest().shards().size())),
  FAILED_SHARD_COUNT(
      "failed_shard_count",
      true,
      one ->
          Long.toString(
              one.manifest().shards().stream()
                  .filter(shard -> !shard.isThere())
                  .map(SnapshottedShard::failure)
                  .count()));

  private final String label;
  private final boolean isNumber;

  @SuppressWarnings("ImmutableEnumChecker") // a function of a record
  private final Function<ShownSnapshot, String> value;

  SnapshotSort(String label, boolean isNumber, Function<ShownSnapshot, String> value) {
    this.label = label;
    this.isNumber = isNumber;
    this.value = value;
  }

  static SnapshotSort named(String label) {
    for (SnapshotSort sort : values()) {
      if (sort.label.equals(label)) {
        return sort;
      }
    }
    throw Refusal.badArgument("unknown sort key [" + label + "]");
  }

  String value(ShownSnapshot one) {
    return value.apply(one);
  }

  Comparator<ShownSnapshot> order() {
    return Comparator.<ShownSnapshot, String>comparing(this::value, this::compare)
        .thenComparing(one -> one.manifest().name())
        .thenComparing(ShownSnapshot::repository);
  }

  private int compare(String a, String b) {
    return isNumber ? Long.compare(Long.parseLong(a), Long.parseLong(b)) : a.compareTo(b);
  }

  /// @throws Refusal when it is no value of this
  void check(String text) {
    if (isNumber && !text.matches("-?[0-9]{1,18}")) {
      throw Refusal.badArgument("invalid from_sort_value [" + text + "]");
    }
  }

  /// Whether a snapshot comes before all with that value.
  boolean isBefore(ShownSnapshot one, String from, boolean isDescending) {
    int order = compare(value(one), from);
    return isDescending ? order > 0 : order < 0;
  }

  /// Whether a snapshot comes after the last of a page.
  ///
  /// @param cursor value, repository, name
  boolean isBehind(ShownSnapshot one, String[] cursor, boolean isDescending) {
    check(cursor[0]);
    int order = compare(value(one), cursor[0]);
    order = order == 0 ? one.manifest().name().compareTo(cursor[2]) : order;
    order = order == 0 ? one.repository().compareTo(cursor[1]) : order;
    return isDescending ? order < 0 : order > 0;
  }
}
