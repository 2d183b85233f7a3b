package dev.holdfast.search.cache;

import dev.holdfast.clusterstate.ShardId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.WeakHashMap;
import java.util.function.Predicate;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.LRUQueryCache;
import org.apache.lucene.search.Query;

/// Lucene's cache of the documents that filters match, one of each segment, for all copies of this
/// node. An entry goes when its segment is closed. What is counted is counted by shard.
public final class FilterCache extends LRUQueryCache {
  // Guarded by itself, and so is what it holds. Keys are segments that are open.
  private final WeakHashMap<Object, Counts> segments = new WeakHashMap<>();

  public FilterCache(int queriesMax, long bytesMax) {
    super(queriesMax, bytesMax);
  }

  /// Of one shard.
  private static final class Counts {
    final ShardId shard;
    long bytes;
    long entries;
    long added;
    long hits;
    long misses;

    Counts(ShardId shard) {
      this.shard = shard;
    }
  }

  /// Of the copies that live, strongly held by their segments.
  private final Map<ShardId, Counts> shards = new HashMap<>();

  /// The segments of a reader belong to that shard.
  public void opened(ShardId shard, IndexReader reader) {
    synchronized (segments) {
      Counts counts = shards.computeIfAbsent(shard, Counts::new);
      for (LeafReaderContext leaf : reader.leaves()) {
        IndexReader.CacheHelper helper = leaf.reader().getCoreCacheHelper();
        if (helper != null) {
          segments.putIfAbsent(helper.getKey(), counts);
        }
      }
    }
  }

  @Override
  protected void onHit(Object segment, Query query) {
    super.onHit(segment, query);
    count(segment, counts -> counts.hits++);
  }

  @Override
  protected void onMiss(Object segment, Query query) {
    super.onMiss(segment, query);
    count(segment, counts -> counts.misses++);
  }

  @Override
  protected void onDocIdSetCache(Object segment, long bytes) {
    super.onDocIdSetCache(segment, bytes);
    count(
        segment,
        counts -> {
          counts.entries++;
          counts.added++;
          counts.bytes += bytes;
        });
  }

  @Override
  protected void onDocIdSetEviction(Object segment, int entries, long bytes) {
    super.onDocIdSetEviction(segment, entries, bytes);
    count(
        segment,
        counts -> {
          counts.entries -= entries;
          counts.bytes -= bytes;
        });
  }

  private void count(Object segment, java.util.function.Consumer<Counts> change) {
    synchronized (segments) {
      Counts counts = segments.get(segment);
      if (counts != null) {
        change.accept(counts);
      }
    }
  }

  /// Drops what was remembered of some shards.
  public void clear(Predicate<ShardId> isMeant) {
    List<Object> meant = new ArrayList<>();
    synchronized (segments) {
      segments.forEach((segment, counts) -> {
        if (isMeant.test(counts.shard)) {
          meant.add(segment);
        }
      });
    }
    meant.stream().filter(Objects::nonNull).forEach(this::clearCoreCacheKey);
  }

  /// Forgets what was counted of shards that are gone.
  public void keepOnly(Predicate<ShardId> isHere) {
    synchronized (segments) {
      shards.keySet().removeIf(isHere.negate());
    }
  }

  public Map<ShardId, QueryCacheFigures> figuresByShard() {
    Map<ShardId, QueryCacheFigures> figures = new HashMap<>();
    synchronized (segments) {
      shards.forEach((shard, of) ->
          figures.put(
              shard, new QueryCacheFigures(of.bytes, of.entries, of.added, of.hits, of.misses)));
    }
    return figures;
  }
}
