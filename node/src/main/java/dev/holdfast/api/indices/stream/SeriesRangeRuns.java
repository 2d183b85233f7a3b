package dev.holdfast.api.indices.stream;

import dev.holdfast.api.indices.template.SeriesRange;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.stream.DataStream;
import dev.holdfast.clusterstate.stream.DataStreams;
import dev.holdfast.document.TimeSeries;
import dev.holdfast.http.TimeValue;
import dev.holdfast.objectstore.open.StoreClock;
import dev.holdfast.world.Clock;
import dev.holdfast.world.World;
import java.time.Duration;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Lets the index that a data stream of time series is written to end ever later, so that it holds
/// what is measured now; on the node that leads.
public final class SeriesRangeRuns {
  /// Names the time between runs, a cluster setting.
  public static final String POLL_INTERVAL = "time_series.poll_interval";

  private static final Duration POLL_BY_DEFAULT = Duration.ofMinutes(5);

  /// How often a node looks whether a run is due.
  private static final Duration LOOK = Duration.ofSeconds(1);

  private final Metadata metadata;
  private final Clock clock;
  private final String self;
  private final StoreClock storeClock;
  private long lastNanos;
  private boolean hasRun;

  /// @param self this node's ephemeral id
  /// @param storeClock an end that lies too far ahead can't be taken back
  public SeriesRangeRuns(Metadata metadata, Clock clock, String self, StoreClock storeClock) {
    this.metadata = metadata;
    this.clock = clock;
    this.self = self;
    this.storeClock = storeClock;
  }

  /// Looks after the streams from now on.
  public void start(World world) {
    var _ = world.tasks().repeat("time-series-ranges", LOOK, this::runWhenDue);
  }

  private void runWhenDue() throws InterruptedException {
    if (!metadata.leaderId().equals(self)) {
      hasRun = false;
      return;
    }
    if (hasRun && clock.nanoTime() - lastNanos < interval().toNanos()) {
      return;
    }
    run();
    lastNanos = clock.nanoTime();
    hasRun = true;
  }

  private Duration interval() {
    Object set = metadata.current().setting(POLL_INTERVAL);
    return set == null ? POLL_BY_DEFAULT : TimeValue.parse(POLL_INTERVAL, set.toString());
  }

  /// One look at every stream.
  public void run() throws InterruptedException {
    Duration interval = interval();
    long now = clock.epochMillis();
    for (DataStream stream : DataStreams.all(metadata.current())) {
      if (later(metadata.current(), stream.name(), interval, now) != null && storeClock.agrees()) {
        metadata.update(
            "time-series-range [" + stream.name() + "]",
            state -> {
              IndexMetadata index = later(state, stream.name(), interval, now);
              return index == null ? state : state.withIndex(index);
            });
      }
    }
  }

  /// The index that a stream is written to with a later end; null when it needs none.
  private static @Nullable IndexMetadata later(
      ClusterState state, String name, Duration interval, long nowMillis) {
    DataStream stream = DataStreams.of(state, name);
    IndexMetadata index = stream == null ? null : state.indices().get(stream.writeIndex());
    if (index == null || !TimeSeries.is(index.settings())) {
      return null;
    }
    String end = SeriesRange.later(index.settings(), interval, nowMillis);
    if (end == null) {
      return null;
    }
    SortedMap<String, Object> settings = new TreeMap<>(index.settings());
    settings.put(TimeSeries.END, end);
    return index.withSettings(settings);
  }
}
