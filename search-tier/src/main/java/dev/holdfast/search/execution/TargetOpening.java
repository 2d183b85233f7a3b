package dev.holdfast.search.execution;

import dev.holdfast.clusterstate.Formats;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.compoundcommit.call.RefusalCodec;
import dev.holdfast.document.Mapping;
import dev.holdfast.objectstore.StoreTrouble;
import dev.holdfast.query.AggregationTimes;
import dev.holdfast.query.ElasticsearchSimilarity;
import dev.holdfast.query.QueryClause;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.parse.Queries;
import dev.holdfast.query.phase.ShardScope;
import dev.holdfast.query.slice.ShardSlice;
import dev.holdfast.query.statistics.StatisticsSearcher;
import dev.holdfast.search.cache.RequestCache;
import dev.holdfast.search.cache.RequestKeys;
import dev.holdfast.search.copy.OpenCommit;
import dev.holdfast.search.copy.SearchCopies;
import dev.holdfast.search.copy.SearchMappings;
import dev.holdfast.search.held.HeldCommit;
import dev.holdfast.search.held.HeldCommits;
import dev.holdfast.search.node.ContextId;
import dev.holdfast.search.node.QueryRequest;
import dev.holdfast.search.node.ShardFailure;
import dev.holdfast.search.node.ShardTarget;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.Reservation;
import dev.holdfast.world.World;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Opens what a search asks of shards: the commit, the mapping, the part of the shard.
final class TargetOpening {
  private final World world;
  private final String self;
  private final Metadata metadata;
  private final SearchCopies copies;
  private final SearchMappings mappings;
  private final HeldCommits commits;

  TargetOpening(
      World world,
      String self,
      Metadata metadata,
      SearchCopies copies,
      SearchMappings mappings,
      HeldCommits commits) {
    this.world = world;
    this.self = self;
    this.metadata = metadata;
    this.copies = copies;
    this.mappings = mappings;
    this.commits = commits;
  }

  /// Opens what a search asks for, in its order. Shards that are not open are begun to be opened
  /// together, and waited for together: what one was waited for in vain, the next is not.
  ///
  /// @param targets are added: null for each that could not be opened
  /// @param failures are added: why; null for each that was
  void openAll(
      QueryRequest request,
      SearchEnd end,
      Reservation memory,
      List<@Nullable SearchTarget> targets,
      List<@Nullable Refusal> failures)
      throws InterruptedException {
    Duration left = copies.openingMax(end.leftMillis());
    boolean isAlone = request.shards().size() == 1;
    for (QueryRequest.OfShard wanted : request.shards()) {
      targets.add(null);
      failures.add(null);
      Duration max = isAlone ? left : Duration.ZERO;
      open(targets.size() - 1, wanted, request, end, memory, max, targets, failures);
    }
    for (int i = 0; i < targets.size() && !isAlone; i++) {
      QueryRequest.OfShard wanted = request.shards().get(i);
      if (isAwaited(wanted, failures.get(i))) {
        long startNanos = world.clock().nanoTime();
        open(i, wanted, request, end, memory, left, targets, failures);
        if (targets.get(i) == null) {
          left = left.minusNanos(world.clock().nanoTime() - startNanos);
        }
      }
    }
  }

  /// Whether a shard may be open in a moment; a commit that was pinned is opened at once or never.
  private static boolean isAwaited(QueryRequest.OfShard wanted, @Nullable Refusal failure) {
    return failure != null
        && failure.type() == ErrorType.NO_SHARD_AVAILABLE
        && !StoreTrouble.isTold(failure)
        && wanted.target().context() == null;
  }

  private void open(
      int position,
      QueryRequest.OfShard wanted,
      QueryRequest request,
      SearchEnd end,
      Reservation memory,
      Duration max,
      List<@Nullable SearchTarget> targets,
      List<@Nullable Refusal> failures)
      throws InterruptedException {
    try {
      targets.set(position, open(wanted, request, end, memory, max));
      failures.set(position, null);
    } catch (IOException | Refusal e) {
      Refusal ofStore = ShardFailure.ofStore(wanted.target().shard(), e);
      failures.set(position, ofStore == null ? RefusalCodec.of(e) : ofStore);
    }
  }

  /// @param end asked by long loops
  /// @param max how long the shard is waited for if it is not open
  /// @throws Refusal when there is no such shard here, or its commit can't be read
  private SearchTarget open(
      QueryRequest.OfShard wanted,
      QueryRequest request,
      SearchEnd end,
      Reservation memory,
      Duration max)
      throws IOException, InterruptedException {
    ShardId shard = wanted.target().shard();
    IndexMetadata index = index(shard);
    if (request.source().extras().hasLookups()) { // who asks may be of an earlier build
      Formats.requireEnabled(metadata.current(), Formats.INDEX_MODES, "lookup fields");
    }
    Mapping mapping = request.source().extras().over(mappings.of(index));
    ContextId pinned = wanted.target().context();
    HeldCommit held = pinned == null ? null : commits.acquire(pinned, wanted.target());
    OpenCommit acquired =
        held == null
            ? copies.acquire(shard, wanted.target().dividedSince(), max, end.isCancelled())
            : held.opened();
    ShardTarget seen = seen(wanted.target(), held);
    QueryClause filter = filter(seen, acquired);
    ShardTarget.Slice part = seen.slice();
    ShardSlice slice =
        part == null
            ? null
            : new ShardSlice(
                part.id(),
                part.max(),
                part.field(),
                part.isPlaced() ? part.ordinal() : wanted.ordinal(),
                part.isPlaced() ? part.shards() : request.shardsAsked());
    OpenCommit opened =
        acquired.with(mapping, copies.caches().runtimeColumns(), end.isCancelled()); // or lets go
    try {
      QueryContext context =
          new QueryContext(
                  shard.index().name(),
                  shard.number(),
                  wanted.ordinal(),
                  mapping,
                  StatisticsSearcher.over(
                      ElasticsearchSimilarity.searcher(opened.searcher(), mapping),
                      request.source().extras().statistics()),
                  request.nowMillis(),
                  end.isCancelled())
              .allowingExpensive(allowsExpensive())
              .on(self)
              .reserving(memory);
      if (request.source().extras().isProfiled()) {
        context = context.timed(AggregationTimes.root(world.clock()::nanoTime));
      }
      RequestCache.Key key =
          RequestKeys.of(index, opened.commit(), request, wanted, seen, context.allowsExpensive());
      return new SearchTarget(
          shard, opened, context, scope(held, filter, slice), held, key, wanted.nearest());
    } catch (RuntimeException | Error e) {
      opened.release();
      throw e;
    }
  }

  /// What the shard is seen through; when that cannot be read, the commit is let go of: nobody else
  /// would, and its blobs were kept for ever.
  private static @Nullable QueryClause filter(ShardTarget seen, OpenCommit acquired)
      throws IOException {
    try {
      return seen.filter() == null ? null : Queries.parse(seen.filter());
    } catch (RuntimeException | Error e) {
      acquired.release();
      throw e;
    }
  }

  /// The pages of a scroll see what the first saw; a point in time sees through the filter that it
  /// was opened through.
  private static ShardTarget seen(ShardTarget wanted, @Nullable HeldCommit held) {
    if (held == null) {
      return wanted;
    }
    return switch (held.kind()) {
      case SCROLL -> held.target();
      case POINT_IN_TIME -> wanted.through(held.target().filter());
    };
  }

  private boolean allowsExpensive() {
    Object set = metadata.current().setting("search.allow_expensive_queries");
    return set == null || Boolean.parseBoolean(set.toString());
  }

  /// The mapping of the index that a shard is of.
  Mapping mapping(ShardId shard) {
    return mappings.of(index(shard));
  }

  private IndexMetadata index(ShardId shard) {
    IndexMetadata index = metadata.current().indices().get(shard.index().name());
    if (index == null || !index.id().equals(shard.index())) {
      throw Refusal.indexNotFound(shard.index().name());
    }
    return index;
  }

  private static ShardScope scope(
      @Nullable HeldCommit held, @Nullable QueryClause filter, @Nullable ShardSlice slice) {
    return held == null
        ? new ShardScope(filter, slice, null, -1)
        : new ShardScope(filter, slice, held.position().last(), held.position().total());
  }
}
