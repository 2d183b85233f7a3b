package dev.holdfast.indexing.shard;

import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.indexing.engine.ShardEngine;
import dev.holdfast.indexing.engine.WriteMapping;
import dev.holdfast.indexing.merge.LazyMerges;
import dev.holdfast.indexing.node.IndexingConfig;
import dev.holdfast.indexing.node.LifeConfig;
import dev.holdfast.indexing.node.LifeConfig.ManualRefreshes;
import dev.holdfast.indexing.notice.ShardNotices;
import dev.holdfast.indexing.refresh.RefreshInterval;
import dev.holdfast.indexing.refresh.Refresher;
import dev.holdfast.indexing.write.WriteGate;
import dev.holdfast.world.World;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.apache.lucene.store.AlreadyClosedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What an open shard does by itself when its time has come (§4.1): refreshes that the index, its
/// searches or somebody who waits want, those that a recovery should not have to replay, and merges
/// that waited while the shard was filled.
final class ShardSchedule {
  private static final Logger LOG = LoggerFactory.getLogger(ShardSchedule.class);

  /// A shard is being filled until nobody has written for so long.
  private static final Duration FILLED_FOR = Duration.ofSeconds(5);

  private final World world;
  private final IndexingConfig config;
  private final LifeConfig life;
  private final ShardEngine engine;
  private final WriteMapping mappings;
  private final ShardNotices notices;
  private final WriteGate gate;
  private final LazyMerges merges;
  private final Refresher refresher;

  /// Somebody waits for a refresh that the budget did not allow at once.
  private volatile boolean isRefreshOwed;

  ShardSchedule(
      World world,
      IndexingConfig config,
      LifeConfig life,
      ShardEngine engine,
      WriteMapping mappings,
      ShardNotices notices,
      WriteGate gate,
      LazyMerges merges,
      Refresher refresher) {
    this.world = world;
    this.config = config;
    this.life = life;
    this.engine = engine;
    this.mappings = mappings;
    this.notices = notices;
    this.gate = gate;
    this.merges = merges;
    this.refresher = refresher;
  }

  /// Somebody waits for a refresh beyond the budget: it comes after a pause, for all who wait.
  void oweRefresh() {
    isRefreshOwed = true;
  }

  /// Whether refreshes come without anybody asking.
  boolean refreshesByItself() {
    return interval().isPresent();
  }

  /// Begins what is due; returns at once.
  void look(long nowNanos) {
    lookAtMerges();
    ManualRefreshes manual = life.manualRefreshes();
    if (isRefreshOwed
        && manual != null
        && nowNanos - refresher.lastBeginNanos() >= manual.pause().toNanos()) {
      isRefreshOwed = false;
      refresher.begin();
    }
    Optional<Duration> interval = interval();
    boolean isOverdue =
        nowNanos - refresher.lastBeginNanos() >= config.uploads().age().toNanos()
            || engine.counters.logBytes.get() - engine.counters.logBytesUploaded.get()
                >= config.uploads().loggedMax().bytes();
    if (isOverdue && refresher.isNeeded()) {
      refresher.begin(); // nobody searches, but a recovery should not replay for ever
    } else if (interval.isPresent()
        && nowNanos - refresher.lastBeginNanos() >= interval.get().toNanos()
        && refresher.isNeeded()) {
      refresher.begin();
    }
  }

  /// How often the shard refreshes by itself; empty when it does not.
  private Optional<Duration> interval() {
    IndexMetadata index = mappings.metadata();
    if (!RefreshInterval.isDefault(index)) {
      return RefreshInterval.of(index, config);
    }
    return isSearched() ? Optional.of(life.searchedInterval()) : Optional.empty();
  }

  private boolean isSearched() {
    return notices
        .sinceSearch()
        .filter(since -> since.compareTo(life.searchedFor()) < 0)
        .isPresent();
  }

  /// Lets merges wait while the shard is filled, and begins them when it is not any more.
  private void lookAtMerges() {
    boolean isFilled = !isSearched() && gate.idle().compareTo(FILLED_FOR) < 0;
    if (merges.endsFilling(isFilled)) {
      var _ = world.tasks().start("overdue-merges", this::mergeWhatWaited);
    }
  }

  private void mergeWhatWaited() {
    try {
      engine.writer.maybeMerge();
    } catch (AlreadyClosedException e) {
      LOG.debug("closed before it was merged [shard={}]", engine.shard, e);
    } catch (IOException e) {
      if (engine.isOpen()) {
        LOG.warn("what waited to be merged waits for the next write [shard={}]", engine.shard, e);
      }
    }
  }
}
