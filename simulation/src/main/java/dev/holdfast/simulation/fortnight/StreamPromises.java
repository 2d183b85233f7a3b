package dev.holdfast.simulation.fortnight;

import dev.holdfast.api.indices.stream.LifecycleRuns;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.stream.DataStream;
import dev.holdfast.clusterstate.stream.DataStreams;
import dev.holdfast.document.TimeSeries;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;

/// What the formulas say of streams before and after each look of a leader: when an index has its
/// next, and of how many shards, when it becomes coarser, when it goes.
final class StreamPromises {
  private final LongSupplier nowMillis;
  private final long startMillis;
  private final long lateMillis;
  private final long coarseLateMillis;
  private long lookMillis;
  private final Map<String, WrittenIndex> written = new HashMap<>();
  private long batches;
  private long rollovers;
  private long deleted;
  private long coarsened;
  private int shardsMax;

  /// @param nowMillis wall time; loads begin with what it is now
  /// @param lateMillis by how much a rollover by age may be late though its leader lived: a shard
  ///   that moves is not known for a moment
  /// @param coarseLateMillis by how much a round of downsampling: it waits for a leader that lives
  ///   long enough
  StreamPromises(LongSupplier nowMillis, long lateMillis, long coarseLateMillis) {
    this.nowMillis = nowMillis;
    this.startMillis = nowMillis.getAsLong();
    this.lateMillis = lateMillis;
    this.coarseLateMillis = coarseLateMillis;
  }

  static DataStream stream(ClusterState state, String name) {
    return Objects.requireNonNull(DataStreams.of(state, name), name);
  }

  static IndexMetadata index(ClusterState state, String name) {
    return Objects.requireNonNull(state.indices().get(name), name);
  }

  /// The index that the data of another came from first.
  static String origin(String index) {
    return index.replaceAll("^downsample-\\d+h-", "");
  }

  private long hours() {
    return (nowMillis.getAsLong() - startMillis) / StreamPlan.HOUR;
  }

  /// The index that a stream is written to was written to since the last time.
  ///
  /// @param noise of the load
  void written(ClusterState state, StreamPlan plan, double noise) {
    DataStream stream = DataStreams.of(state, plan.name());
    if (stream != null) {
      written
          .computeIfAbsent(
              stream.writeIndex(),
              name -> new WrittenIndex(ShardFormula.created(index(state, name))))
          .written(noise * plan.load().at(hours()), nowMillis.getAsLong());
      batches++;
    }
  }

  /// Threads that writes to an index kept busy.
  double load(String index) {
    WrittenIndex known = written.get(index);
    return known == null ? 0 : known.load(nowMillis.getAsLong());
  }

  /// Whether a stream is due to have its next index because of the age of the last.
  boolean isOld(ClusterState state, StreamPlan plan) {
    DataStream stream = DataStreams.of(state, plan.name());
    return stream != null && age(state, stream) >= plan.writeAgeMaxMillis();
  }

  private long age(ClusterState state, DataStream stream) {
    return nowMillis.getAsLong() - ShardFormula.created(index(state, stream.writeIndex()));
  }

  /// Everything is looked at from now on, and then checked.
  void lookBegins() {
    lookMillis = nowMillis.getAsLong();
  }

  /// @param isLooked whether a leader lived through the look
  /// @param isKnown whether it knew how large the write index is, in which there are documents
  void check(
      ClusterState before, ClusterState after, StreamPlan plan, boolean isLooked, boolean isKnown) {
    DataStream was = stream(before, plan.name());
    DataStream is = stream(after, plan.name());
    if (plan.isSeries()) {
      checkCoarse(was, after, plan);
    }
    checkKept(was, is, plan);
    if (isLooked) {
      checkDeleted(after, is, plan);
    }
    if (!is.writeIndex().equals(was.writeIndex())) {
      rollovers++;
      Broken.unless(
          is.generation() == was.generation() + 1,
          () -> "%s is no next generation".formatted(is.writeIndex()));
      IndexMetadata next = index(after, is.writeIndex());
      int shards = next.shards();
      // Loads were asked for in between, and go down until then.
      int expected = new ShardFormula(before, written, lookMillis).expected(was);
      int late = new ShardFormula(before, written, ShardFormula.created(next)).expected(was);
      Broken.unless(
          shards == expected || shards == late,
          () -> "%s has %d shards, not %d".formatted(is.writeIndex(), shards, expected));
      shardsMax = Math.max(shardsMax, shards);
    } else if (isKnown) {
      Broken.unless(
          age(after, is) < plan.writeAgeMaxMillis() + lateMillis,
          () -> "%s is %d ms old".formatted(is.writeIndex(), age(after, is)));
    }
  }

  /// No index goes before its time.
  private void checkKept(DataStream was, DataStream is, StreamPlan plan) {
    List<String> left = is.indices().stream().map(StreamPromises::origin).toList();
    for (String each : was.indices()) {
      String index = origin(each);
      if (!left.contains(index)) {
        deleted++;
        WrittenIndex known = written.get(index);
        long since = nowMillis.getAsLong() - (known == null ? 0 : known.lastMillis);
        Broken.unless(
            since >= plan.retentionMillis(),
            () -> "%s was deleted %d ms after its last document".formatted(index, since));
      }
    }
  }

  /// Nothing is kept beyond its time and a poll.
  private void checkDeleted(ClusterState after, DataStream is, StreamPlan plan) {
    for (String index : is.indices()) {
      long since = nowMillis.getAsLong() - closedMillis(after, is, index);
      Broken.unless(
          index.equals(is.writeIndex()) || since <= plan.retentionMillis(),
          () -> "%s is kept %d ms after it was rolled over".formatted(index, since));
    }
  }

  /// Whether an index of a stream is about to be deleted.
  boolean isLeaving(ClusterState state, StreamPlan plan, long withinMillis) {
    DataStream stream = stream(state, plan.name());
    long soon = nowMillis.getAsLong() + withinMillis;
    return stream.indices().stream()
        .anyMatch(index ->
            !index.equals(stream.writeIndex())
                && soon - closedMillis(state, stream, index) > plan.retentionMillis());
  }

  /// When an index took its last documents: when there was a next one, and of series when its times
  /// were over.
  private static long closedMillis(ClusterState state, DataStream stream, String name) {
    IndexMetadata index = index(state, name);
    long next = LifecycleRuns.rolledOverMillis(state, stream, DataStream.Component.DATA, name);
    return TimeSeries.is(index.settings())
        ? Math.max(next, TimeSeries.of(index.settings()).endMillis())
        : next;
  }

  private void checkCoarse(DataStream was, ClusterState after, StreamPlan plan) {
    DataStream is = stream(after, plan.name());
    for (int i = 0; i < is.indices().size() - 1; i++) {
      String name = is.indices().get(i);
      IndexMetadata index = index(after, name);
      Broken.unless(
          index.setting("index.downsample.status", "success").equals("success"),
          () -> "%s has its place before it is done".formatted(name));
      WrittenIndex known = written.get(origin(name));
      if (known == null) {
        continue;
      }
      Broken.unless(
          ShardFormula.created(index) == known.createdMillis,
          () -> "%s has become younger".formatted(name));
      long since = since(after, is, i);
      int hours = hours(index);
      Broken.unless(
          hours >= plan.due(since - coarseLateMillis) && hours <= plan.due(since),
          () ->
              "%s has intervals of %d h, %d ms after it was rolled over"
                  .formatted(name, hours, since));
      coarsened += was.indices().contains(name) ? 0 : 1;
    }
  }

  /// Whether a round of downsampling is later than it may be.
  boolean isLate(ClusterState state, StreamPlan plan) {
    DataStream stream = stream(state, plan.name());
    return plan.isSeries()
        && IntStream.range(0, stream.indices().size() - 1)
            .anyMatch(i ->
                hours(index(state, stream.indices().get(i)))
                    < plan.due(since(state, stream, i) - coarseLateMillis));
  }

  /// How long ago an index was rolled over.
  private long since(ClusterState state, DataStream stream, int at) {
    return nowMillis.getAsLong() - ShardFormula.created(index(state, stream.indices().get(at + 1)));
  }

  /// How coarse an index is; 0 for as it was written.
  static int hours(IndexMetadata index) {
    return Integer.parseInt(index.setting("index.downsample.interval", "0h").replace("h", ""));
  }

  /// What makes the rest of a whole fortnight worth something.
  void requireMuch(long rolloversMin) {
    Broken.unless(coarsened > 8, () -> "only %d indices were downsampled".formatted(coarsened));
    Broken.unless(
        shardsMax > 2, () -> "a load of 40 threads and more had %d shards".formatted(shardsMax));
    Broken.unless(rollovers > rolloversMin, () -> "there were %d rollovers".formatted(rollovers));
  }

  long batches() {
    return batches;
  }

  long rollovers() {
    return rollovers;
  }

  long deleted() {
    return deleted;
  }

  long coarsened() {
    return coarsened;
  }

  int shardsMax() {
    return shardsMax;
  }
}
