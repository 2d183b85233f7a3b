package dev.holdfast.search.copy;

import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.compoundcommit.CompoundCommit;
import dev.holdfast.document.runtime.RuntimeColumns;
import dev.holdfast.search.cache.CacheFigures;
import dev.holdfast.search.cache.FilterCache;
import dev.holdfast.search.cache.QueryCacheFigures;
import dev.holdfast.search.cache.RequestCache;
import dev.holdfast.search.cache.RequestCacheFigures;
import dev.holdfast.search.node.SearchConfig;
import dev.holdfast.world.Breakers;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.lucene.index.IndexReader;
import org.jspecify.annotations.Nullable;

/// What a node remembers of searches of its copies: filters, answers to whole requests, and values
/// of runtime fields.
public final class CopyCaches implements SearchShard.Caches {
  private final Metadata metadata;
  private final FilterCache queryCache;
  private final RequestCache requestCache;
  private final RuntimeColumns runtimeColumns;

  CopyCaches(Metadata metadata, SearchConfig config, Breakers memory) {
    this.runtimeColumns = RuntimeColumns.of(memory);
    this.metadata = metadata;
    this.queryCache = new FilterCache(config.cachedQueriesMax(), config.cachedQueriesBytesMax());
    this.requestCache = new RequestCache(config.requestCacheBytesMax());
  }

  @Override
  public @Nullable FilterCache opened(ShardId shard, IndexReader reader) {
    IndexMetadata index = metadata.current().indices().get(shard.index().name());
    boolean isOn =
        index == null || Boolean.parseBoolean(index.setting("index.queries.cache.enabled", "true"));
    if (isOn) {
      queryCache.opened(shard, reader);
    }
    return isOn ? queryCache : null;
  }

  @Override
  public void forgotten(ShardId shard, CompoundCommit commit) {
    requestCache.drop(RequestCache.Commit.of(shard, commit));
  }

  public RuntimeColumns runtimeColumns() {
    return runtimeColumns;
  }

  public RequestCache requests() {
    return requestCache;
  }

  /// Forgets the shards that are not meant.
  void keepOnly(Predicate<ShardId> isKept) {
    queryCache.keepOnly(isKept);
    requestCache.keepOnly(isKept);
  }

  public Map<ShardId, CacheFigures> figures() {
    Map<ShardId, CacheFigures> figures = new HashMap<>();
    queryCache
        .figuresByShard()
        .forEach((shard, of) -> figures.put(shard, new CacheFigures(of, RequestCacheFigures.NONE)));
    requestCache
        .figures()
        .forEach((shard, of) ->
            figures.merge(shard, new CacheFigures(QueryCacheFigures.NONE, of), CacheFigures::plus));
    return figures;
  }

  public void clear(Predicate<ShardId> isMeant, boolean filters, boolean requests) {
    if (filters) {
      queryCache.clear(isMeant);
    }
    if (requests) {
      requestCache.clear(isMeant);
    }
  }
}
