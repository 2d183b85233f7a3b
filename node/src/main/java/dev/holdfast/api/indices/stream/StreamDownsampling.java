package dev.holdfast.api.indices.stream;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.indices.downsample.BackgroundDownsampling;
import dev.holdfast.api.indices.downsample.DownsampleConfig;
import dev.holdfast.api.indices.downsample.Downsampling;
import dev.holdfast.api.indices.lifecycle.DownsamplingRounds;
import dev.holdfast.api.indices.resolve.BackingIndices;
import dev.holdfast.api.indices.resolve.CopiedSource;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.stream.DataStream;
import dev.holdfast.clusterstate.stream.DataStream.Component;
import dev.holdfast.clusterstate.stream.DataStreams;
import dev.holdfast.document.TimeSeries;
import dev.holdfast.objectstore.open.StoreClock;
import dev.holdfast.world.Clock;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Makes the indices of streams of time series coarser, as their lifecycles say: an index that is
/// old enough takes no more writes, and one of coarser times takes its place. Each run looks at
/// what is there and does the next step, so that another leader goes on where one has died.
public final class StreamDownsampling {
  private static final Logger LOG = LoggerFactory.getLogger(StreamDownsampling.class);
  private static final String WRITE_BLOCK = "index.blocks.write";
  private static final String CREATED = "index.creation_date";

  private final Metadata metadata;
  private final BackgroundDownsampling work;
  private final Clock clock;
  private final StoreClock storeClock;

  /// @param storeClock what becomes less by its age needs its consent
  public StreamDownsampling(
      Metadata metadata, BackgroundDownsampling work, Clock clock, StoreClock storeClock) {
    this.metadata = metadata;
    this.work = work;
    this.clock = clock;
    this.storeClock = storeClock;
  }

  /// One look at the indices of a stream that has a lifecycle.
  ///
  /// @param failed takes why an index could not be downsampled
  void run(String name, Map<String, String> failed) throws InterruptedException {
    ClusterState state = metadata.current();
    DataStream stream = DataStreams.of(state, name);
    if (stream == null) {
      return;
    }
    for (String index : stream.indices(Component.DATA)) {
      IndexMetadata source = state.indices().get(index);
      DownsampleConfig config = source == null ? null : wanted(state, stream, source);
      if (source != null && config != null && storeClock.agrees()) {
        try {
          step(source, config, failed);
        } catch (RuntimeException e) {
          failed.put(index, String.valueOf(e.getMessage()));
          LOG.warn("retried at the next run [downsampling={}]", index, e);
        }
      }
    }
  }

  /// @return null when nothing is to be done by now
  private @Nullable DownsampleConfig wanted(
      ClusterState state, DataStream stream, IndexMetadata source) {
    long now = clock.epochMillis();
    String name = source.id().name();
    long rolledOver = LifecycleRuns.rolledOverMillis(state, stream, Component.DATA, name);
    if (rolledOver == 0
        || !source.isOpen()
        || !TimeSeries.is(source.settings())
        || !ManagedIndices.byStream(state, stream, source)) {
      return null;
    }
    long since = LifecycleRuns.agedSinceMillis(source, rolledOver);
    ObjectNode due = DownsamplingRounds.due(stream.lifecycle(), now - since);
    if (due == null || now < TimeSeries.of(source.settings()).endMillis()) {
      return null; // an index takes writes of its times until they are over
    }
    DownsampleConfig config = DownsampleConfig.read(JsonObject.of("downsampling", due));
    DownsampleConfig before = Downsampling.of(source);
    return before != null && before.interval().compareTo(config.interval()) >= 0 ? null : config;
  }

  private void step(IndexMetadata source, DownsampleConfig config, Map<String, String> failed)
      throws InterruptedException {
    Refusal failure = work.failure(source);
    if (failure != null) {
      failed.put(source.id().name(), failure.reason());
      LOG.warn(
          "retried at the next run [downsampling={}, because={}]",
          source.id().name(),
          failure.reason());
    }
    if (!source.setting(WRITE_BLOCK, "false").equals("true")) {
      forbidWrites(source);
    }
    ClusterState state = metadata.current();
    IndexMetadata now = state.indices().get(source.id().name());
    if (now == null || !now.id().equals(source.id())) {
      return;
    }
    String target = Downsampling.targetName(now, config);
    IndexMetadata there = state.indices().get(target);
    if (there != null && Downsampling.isMadeOf(there, now, config)) {
      if (CopiedSource.isUnchanged(there, now)) {
        replace(now, there, config);
        return;
      }
      LOG.warn(
          "the settings of an index have changed since another was made of it, which is made again"
              + " [index={}, made={}]",
          now.id().name(),
          target);
      remove(there);
    } else if (!work.isRunning(now) && Downsampling.hasOutdated(state, now, config)) {
      metadata.update(
          "downsample-again [" + target + "]",
          newer -> Downsampling.withoutOutdated(newer, now, config));
    }
    String _ = work.begin(now, target, config);
  }

  private void forbidWrites(IndexMetadata source) throws InterruptedException {
    metadata.update(
        "downsampling-forbids-writes [" + source.id().name() + "]",
        state -> {
          IndexMetadata index = state.indices().get(source.id().name());
          if (index == null || !index.id().equals(source.id())) {
            return state;
          }
          SortedMap<String, Object> settings = new TreeMap<>(index.settings());
          settings.put(WRITE_BLOCK, "true");
          return state.withIndex(index.withSettings(settings));
        });
  }

  /// What lacks later writes.
  private void remove(IndexMetadata left) throws InterruptedException {
    metadata.update(
        "downsample-again [" + left.id().name() + "]",
        state -> {
          IndexMetadata index = state.indices().get(left.id().name());
          return index != null && index.id().equals(left.id())
              ? BackingIndices.without(state, index)
              : state;
        });
  }

  private void replace(IndexMetadata source, IndexMetadata target, DownsampleConfig config)
      throws InterruptedException {
    metadata.update(
        "downsampled [" + source.id().name() + "]",
        state -> replaced(state, source, target.id().name(), config));
    LOG.info("downsampled [index={}, interval={}]", source.id().name(), config.text());
  }

  /// The coarser index counts as made when the other was: others are as old as the index after
  /// them.
  private static ClusterState replaced(
      ClusterState state, IndexMetadata source, String name, DownsampleConfig config) {
    IndexMetadata now = state.indices().get(source.id().name());
    IndexMetadata target = state.indices().get(name);
    DataStream stream = DataStreams.owning(state, source.id().name());
    if (now == null
        || !now.id().equals(source.id())
        || target == null
        || stream == null
        || !Downsampling.isMadeOf(target, source, config)
        || !CopiedSource.isUnchanged(target, now)) {
      return state;
    }
    SortedMap<String, Object> settings = new TreeMap<>(target.settings());
    settings.put(CREATED, source.setting(CREATED, "0"));
    return DataStreams.with(
        state.withoutIndex(source.id().name()).withIndex(target.withSettings(settings)),
        stream.replaced(source.id().name(), name));
  }
}
