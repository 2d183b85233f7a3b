package dev.holdfast.search.execution;

import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.compoundcommit.call.RefusalCodec;
import dev.holdfast.document.Mapping;
import dev.holdfast.query.AggregationTimes;
import dev.holdfast.query.ElasticsearchSimilarity;
import dev.holdfast.query.QueryClause;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.fetch.FetchPhase;
import dev.holdfast.query.hits.ShardResult;
import dev.holdfast.query.parse.Queries;
import dev.holdfast.query.phase.SearchMerge;
import dev.holdfast.query.phase.ShardScope;
import dev.holdfast.query.request.SearchSource;
import dev.holdfast.query.result.Hit;
import dev.holdfast.query.result.ShardHit;
import dev.holdfast.query.slice.ShardSlice;
import dev.holdfast.search.cache.RequestCache;
import dev.holdfast.search.cache.RequestKeys;
import dev.holdfast.search.copy.OpenCommit;
import dev.holdfast.search.copy.SearchCopies;
import dev.holdfast.search.copy.SearchMappings;
import dev.holdfast.search.held.HeldCommit;
import dev.holdfast.search.held.HeldCommits;
import dev.holdfast.search.node.ContextId;
import dev.holdfast.search.node.FetchRequest;
import dev.holdfast.search.node.Page;
import dev.holdfast.search.node.QueryAnswer;
import dev.holdfast.search.node.QueryAnswer.OfShard;
import dev.holdfast.search.node.QueryRequest;
import dev.holdfast.search.node.ShardFailure;
import dev.holdfast.search.node.ShardTarget;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Promise;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.Reservation;
import dev.holdfast.world.WorkPool;
import dev.holdfast.world.World;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// The phases of searches over the copies of this node, in the search pool.
public final class LocalSearch {
  private final World world;
  private final Metadata metadata;
  private final SearchCopies copies;
  private final String self;
  private final SearchMappings mappings;
  private final SearchPool pool;
  private final SearchContexts contexts;
  private final HeldCommits commits;
  private final CachedQueries queries;

  /// Searches that run and have been told to end.
  private final Set<String> cancelled = ConcurrentHashMap.newKeySet();

  private final Set<String> running = ConcurrentHashMap.newKeySet();

  public LocalSearch(
      World world,
      String self,
      Metadata metadata,
      SearchCopies copies,
      SearchMappings mappings,
      WorkPool pool,
      SearchContexts contexts,
      HeldCommits commits,
      RequestCache cache) {
    this.world = world;
    this.self = self;
    this.metadata = metadata;
    this.copies = copies;
    this.mappings = mappings;
    this.pool = new SearchPool(pool);
    this.contexts = contexts;
    this.commits = commits;
    this.queries = new CachedQueries(cache, new RememberedMappings(mappings.factory()));
  }

  public QueryAnswer query(QueryRequest request, BooleanSupplier isCancelled)
      throws IOException, InterruptedException {
    long startNanos = world.clock().nanoTime() - request.elapsedMillis() * 1_000_000;
    String search = request.search();
    BooleanSupplier isOver =
        HeapPoll.with(
            world.memory().heap(),
            request.isWhole() && search.isEmpty()
                ? isCancelled
                : () -> isCancelled.getAsBoolean() || cancelled.contains(search));
    BooleanSupplier isTimeOver = () -> isTimeOver(request.source(), startNanos);
    List<@Nullable SearchTarget> targets = new ArrayList<>();
    List<@Nullable Refusal> failures = new ArrayList<>();
    boolean isKept = false;
    boolean isNamed = !search.isEmpty() && running.add(search);
    try (Reservation memory = world.memory().request().begin("<search>")) {
      for (QueryRequest.OfShard shard : request.shards()) {
        open(shard, request, isOver, memory, targets, failures);
      }
      if (request.isWhole()) {
        return whole(request.source(), targets, failures, isTimeOver);
      }
      List<OfShard> answers = queryAll(request.source(), targets, failures, isTimeOver);
      if (answers.stream().anyMatch(LocalSearch::hasHits)) {
        contexts.put(search, request.source(), targets);
        isKept = true;
      }
      return new QueryAnswer(answers, List.of());
    } finally {
      if (isNamed) {
        running.remove(search);
        cancelled.remove(search);
      }
      if (!isKept) {
        release(targets);
      }
    }
  }

  private static boolean hasHits(OfShard answer) {
    return answer.result() != null && !answer.result().hits().isEmpty();
  }

  public List<Hit> fetch(FetchRequest request) throws IOException, InterruptedException {
    SearchContexts.Context context = contexts.take(request.search());
    if (context == null) {
      throw new Refusal(
          ErrorType.SEARCH_CONTEXT_MISSING,
          "No search context found for id [" + request.search() + "]");
    }
    try {
      List<Callable<List<Hit>>> fetches = new ArrayList<>();
      for (FetchRequest.OfShard shard : request.shards()) {
        SearchTarget target = context.targets().get(shard.position());
        if (target == null) {
          throw Refusal.badArgument("no query ran on shard " + shard.position() + " of the search");
        }
        fetches.add(() -> fetch(context.source(), target, shard.hits()));
      }
      List<Hit> hits = new ArrayList<>();
      pool.all(fetches).forEach(hits::addAll);
      return hits;
    } finally {
      context.release();
    }
  }

  public void release(String search) throws IOException {
    if (running.contains(search)) {
      cancelled.add(search);
      if (!running.contains(search)) {
        cancelled.remove(search);
      }
    }
    SearchContexts.Context context = contexts.take(search);
    if (context != null) {
      context.release();
    }
  }

  private void open(
      QueryRequest.OfShard wanted,
      QueryRequest request,
      BooleanSupplier isCancelled,
      Reservation memory,
      List<@Nullable SearchTarget> targets,
      List<@Nullable Refusal> failures)
      throws InterruptedException {
    try {
      targets.add(open(wanted, request, isCancelled, memory));
      failures.add(null);
    } catch (IOException | Refusal e) {
      targets.add(null);
      failures.add(RefusalCodec.of(e));
    }
  }

  private SearchTarget open(
      QueryRequest.OfShard wanted,
      QueryRequest request,
      BooleanSupplier isCancelled,
      Reservation memory)
      throws IOException, InterruptedException {
    ShardId shard = wanted.target().shard();
    IndexMetadata index = index(shard);
    Mapping mapping = request.source().extras().over(mappings.of(index));
    ContextId pinned = wanted.target().context();
    HeldCommit held = pinned == null ? null : commits.acquire(pinned, wanted.target());
    ShardTarget seen = seen(wanted.target(), held);
    QueryClause filter = seen.filter() == null ? null : Queries.parse(seen.filter());
    ShardTarget.Slice part = seen.slice();
    ShardSlice slice =
        part == null
            ? null
            : new ShardSlice(
                part.id(), part.max(), part.field(), wanted.ordinal(), request.shardsAsked());
    OpenCommit opened =
        (held == null ? copies.acquire(shard) : held.opened())
            .with(mapping, copies.caches().runtimeColumns(), isCancelled);
    QueryContext context =
        new QueryContext(
                shard.index().name(),
                shard.number(),
                wanted.ordinal(),
                mapping,
                ElasticsearchSimilarity.searcher(opened.searcher(), mapping),
                request.nowMillis(),
                isCancelled)
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
  public Mapping mapping(ShardId shard) {
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

  /// Both phases here: the only shards of the search, so the page is known.
  private QueryAnswer whole(
      SearchSource source,
      List<@Nullable SearchTarget> targets,
      List<@Nullable Refusal> failures,
      BooleanSupplier isTimeOver)
      throws IOException, InterruptedException {
    if (targets.size() == 1) {
      // Both phases in one turn of the pool.
      Callable<QueryAnswer> both =
          () -> {
            ShardOrder alone = ShardOrder.of(source, targets);
            OfShard answer = query(alone, 0, targets.getFirst(), failures.getFirst(), isTimeOver);
            return page(source, targets, List.of(answer), true);
          };
      return pool.all(List.of(both)).getFirst();
    }
    return page(source, targets, queryAll(source, targets, failures, isTimeOver), false);
  }

  private List<OfShard> queryAll(
      SearchSource source,
      List<@Nullable SearchTarget> targets,
      List<@Nullable Refusal> failures,
      BooleanSupplier isTimeOver)
      throws IOException, InterruptedException {
    ShardOrder order = ShardOrder.of(source, targets);
    List<Callable<OfShard>> queries = new ArrayList<>(targets.size());
    for (int position : order.positions()) {
      SearchTarget target = targets.get(position);
      Refusal failure = failures.get(position);
      queries.add(() -> query(order, position, target, failure, isTimeOver));
    }
    List<OfShard> answers = order.byPosition(pool.all(queries));
    Promise.keep(
        answers.size() == targets.size(),
        "each shard that is asked for is answered for",
        "answers",
        answers.size(),
        "shards",
        targets.size());
    return answers;
  }

  private QueryAnswer page(
      SearchSource source,
      List<@Nullable SearchTarget> targets,
      List<OfShard> answers,
      boolean isInPool)
      throws IOException, InterruptedException {
    List<ShardResult> results = new ArrayList<>();
    List<SearchTarget> answered = new ArrayList<>();
    for (int i = 0; i < answers.size(); i++) {
      ShardResult result = answers.get(i).result();
      SearchTarget target = targets.get(i);
      if (result != null && target != null) {
        results.add(result);
        answered.add(target);
      }
    }
    if (source.size() == 0 || results.isEmpty()) {
      return new QueryAnswer(answers, List.of());
    }
    Page page = Page.of(SearchMerge.hits(source, results), answered.size());
    List<Callable<List<Hit>>> fetches = new ArrayList<>();
    for (Page.OfShard shard : page.shards()) {
      SearchTarget target = answered.get(shard.position());
      fetches.add(() -> fetch(source, target, shard.hits()));
    }
    List<List<Hit>> fetched =
        isInPool && fetches.size() == 1
            ? List.of(SearchPool.here(fetches.getFirst()))
            : pool.all(fetches);
    return new QueryAnswer(answers, page.inOrder(fetched));
  }

  private OfShard query(
      ShardOrder order,
      int position,
      @Nullable SearchTarget target,
      @Nullable Refusal failure,
      BooleanSupplier isTimeOver) {
    if (target == null) {
      return new OfShard(null, failure);
    }
    try {
      SearchSource source = order.left(position);
      target.checkBatch(source);
      ShardResult result = target.opened().whileOpen(() -> queries.run(source, target, isTimeOver));
      order.found(result);
      target.found(result);
      return new OfShard(result, null);
    } catch (Refusal e) {
      if (e.type() == ErrorType.TASK_CANCELLED) {
        throw e;
      }
      return new OfShard(null, e);
    } catch (IOException | RuntimeException e) {
      return new OfShard(null, ShardFailure.of(target.shard(), e).reason());
    } catch (StackOverflowError e) {
      return new OfShard(null, Refusal.nestedTooDeep(e));
    }
  }

  private static List<Hit> fetch(SearchSource source, SearchTarget target, List<ShardHit> hits)
      throws IOException {
    if (!hits.isEmpty()) {
      target.shown(hits.getLast());
    }
    return target.opened().whileOpen(() -> FetchPhase.run(source, target.context(), hits));
  }

  private boolean isTimeOver(SearchSource source, long startNanos) {
    return source.timeoutMillis() >= 0
        && (world.clock().nanoTime() - startNanos) / 1_000_000 > source.timeoutMillis();
  }

  private static void release(List<@Nullable SearchTarget> targets) throws IOException {
    for (SearchTarget target : targets) {
      if (target != null) {
        target.opened().release();
      }
    }
  }
}
