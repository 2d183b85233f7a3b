package dev.holdfast.search.execution;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.document.Mapping;
import dev.holdfast.query.fetch.FetchPhase;
import dev.holdfast.query.hits.ShardResult;
import dev.holdfast.query.phase.SearchMerge;
import dev.holdfast.query.request.SearchSource;
import dev.holdfast.query.result.Hit;
import dev.holdfast.query.result.ShardHit;
import dev.holdfast.query.statistics.GatheredStatistics;
import dev.holdfast.search.cache.RequestCache;
import dev.holdfast.search.copy.SearchCopies;
import dev.holdfast.search.copy.SearchMappings;
import dev.holdfast.search.figures.SearchCounters;
import dev.holdfast.search.held.HeldCommits;
import dev.holdfast.search.node.FetchRequest;
import dev.holdfast.search.node.Page;
import dev.holdfast.search.node.QueryAnswer;
import dev.holdfast.search.node.QueryAnswer.OfShard;
import dev.holdfast.search.node.QueryRequest;
import dev.holdfast.search.node.SearchTimeout;
import dev.holdfast.search.node.ShardFailure;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Promise;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.Reservation;
import dev.holdfast.world.StopSignal;
import dev.holdfast.world.WorkMemory;
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
public final class LocalSearch implements AutoCloseable {
  /// Members of a search that asks for more than suggestions.
  private static final List<String> WITH_HITS =
      List.of("query", "knn", "retriever", "aggs", "aggregations");

  private final World world;
  private final Metadata metadata;
  private final SearchPool pool;
  private final SearchContexts contexts;
  private final TargetOpening opening;
  private final SearchPhases phases;
  private final CachedQueries queries;
  private final SearchCounters counters;
  private final CommitRelease readCommits;

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
      RequestCache cache,
      SearchCounters counters) {
    this.world = world;
    this.metadata = metadata;
    this.readCommits = new CommitRelease(world);
    this.pool = new SearchPool(pool);
    this.contexts = contexts;
    this.phases = new SearchPhases(metadata);
    this.opening = new TargetOpening(world, self, metadata, copies, mappings, commits);
    this.counters = counters;
    this.queries = new CachedQueries(cache, new RememberedMappings(mappings.factory()));
  }

  /// How long they take here.
  public SearchPhases phases() {
    return phases;
  }

  public QueryAnswer query(QueryRequest request, BooleanSupplier isCancelled)
      throws IOException, InterruptedException {
    long startNanos = world.clock().nanoTime() - request.elapsedMillis() * 1_000_000;
    String search = request.search();
    BooleanSupplier isGivenUp =
        request.isWhole() && search.isEmpty()
            ? isCancelled
            : () -> isCancelled.getAsBoolean() || cancelled.contains(search);
    List<@Nullable SearchTarget> targets = new ArrayList<>();
    List<@Nullable Refusal> failures = new ArrayList<>();
    boolean isKept = false;
    boolean isNamed = !search.isEmpty() && running.add(search);
    try (Reservation memory = world.memory().request().beginRequest("<search>")) {
      SearchEnd end =
          new SearchEnd(
              world.clock(),
              HeapPoll.with(world.memory().heap(), memory, isGivenUp),
              startNanos,
              SearchTimeout.millis(request.source(), metadata));
      opening.openAll(request, end, memory, targets, failures);
      if (request.isWhole()) {
        return whole(request.source(), targets, failures, end);
      }
      List<OfShard> answers = queryAll(request.source(), targets, failures, end);
      if (answers.stream().anyMatch(LocalSearch::hasHits)) {
        contexts.put(search, request.source(), targets, end);
        isKept = true;
      }
      return new QueryAnswer(answers, List.of());
    } finally {
      if (isNamed) {
        running.remove(search);
        cancelled.remove(search);
      }
      if (!isKept) {
        readCommits.release(targets);
      }
    }
  }

  /// Hits that each shard gathers, or most of them.
  private static int wanted(SearchSource source) {
    return Math.max(source.from(), source.size());
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
    boolean isNamed = running.add(request.search());
    try (Reservation memory = world.memory().request().begin("<fetch>")) {
      List<Callable<List<Hit>>> fetches = new ArrayList<>();
      for (FetchRequest.OfShard shard : request.shards()) {
        SearchTarget target = context.targets().get(shard.position());
        if (target == null) {
          throw Refusal.badArgument("no query ran on shard " + shard.position() + " of the search");
        }
        fetches.add(() -> fetch(context.source(), target, shard.hits(), context.end(), memory));
      }
      List<Hit> hits = new ArrayList<>();
      pool.all(wanted(context.source()), fetches).forEach(hits::addAll);
      return hits;
    } finally {
      if (isNamed) {
        running.remove(request.search());
        cancelled.remove(request.search());
      }
      readCommits.release(context.targets());
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
      readCommits.release(context.targets());
    }
  }

  /// The mapping of the index that a shard is of.
  public Mapping mapping(ShardId shard) {
    return opening.mapping(shard);
  }

  /// Both phases here: the only shards of the search, so the page is known.
  private QueryAnswer whole(
      SearchSource source,
      List<@Nullable SearchTarget> targets,
      List<@Nullable Refusal> failures,
      SearchEnd end)
      throws IOException, InterruptedException {
    if (targets.size() == 1) {
      // Both phases in one turn of the pool.
      Callable<QueryAnswer> both =
          () -> {
            ShardOrder alone = ShardOrder.of(source, targets);
            OfShard answer = query(alone, 0, targets.getFirst(), failures.getFirst(), end);
            return page(source, targets, List.of(answer), end, true);
          };
      return pool.all(wanted(source), List.of(both)).getFirst();
    }
    return page(source, targets, queryAll(source, targets, failures, end), end, false);
  }

  private List<OfShard> queryAll(
      SearchSource source,
      List<@Nullable SearchTarget> targets,
      List<@Nullable Refusal> failures,
      SearchEnd end)
      throws IOException, InterruptedException {
    ShardOrder order = ShardOrder.of(source, targets);
    List<Callable<OfShard>> queries = new ArrayList<>(targets.size());
    for (int position : order.positions()) {
      SearchTarget target = targets.get(position);
      Refusal failure = failures.get(position);
      queries.add(() -> query(order, position, target, failure, end));
    }
    List<OfShard> answers = order.byPosition(pool.all(wanted(source), queries));
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
      SearchEnd end,
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
      fetches.add(() -> fetch(source, target, shard.hits(), end, target.context().memory()));
    }
    List<List<Hit>> fetched =
        isInPool && fetches.size() == 1
            ? List.of(SearchPool.here(fetches.getFirst()))
            : pool.all(wanted(source), fetches);
    return new QueryAnswer(answers, page.inOrder(fetched));
  }

  private OfShard query(
      ShardOrder order,
      int position,
      @Nullable SearchTarget target,
      @Nullable Refusal failure,
      SearchEnd end) {
    if (target == null) {
      return new OfShard(null, failure);
    }
    return SearchPhases.<OfShard, RuntimeException>traced(
        "query",
        target,
        () ->
            WorkMemory.<OfShard, RuntimeException>during(
                target.context().memory(), () -> queried(order, position, target, end)));
  }

  private OfShard queried(ShardOrder order, int position, SearchTarget target, SearchEnd end) {
    try {
      SearchSource source = order.left(position);
      target.checkBatch(source);
      long startNanos = world.clock().nanoTime();
      ShardResult result =
          counters.<ShardResult, IOException>during(
              phase(source),
              target.shard(),
              source.groups(),
              () ->
                  target
                      .opened()
                      .whileOpen(() ->
                          end.signal()
                              .<ShardResult, IOException>during(
                                  () -> queries.run(source, target, end::isTimeOver))));
      phases.queried(target.shard(), world.clock().nanoTime() - startNanos, source, result.total());
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
    } catch (StackOverflowError _) {
      return new OfShard(null, Refusal.nestedTooDeep());
    }
  }

  private static SearchCounters.Phase phase(SearchSource source) {
    GatheredStatistics statistics = source.extras().statistics();
    if (statistics != null && statistics.isAsked()) {
      return SearchCounters.Phase.STATISTICS;
    }
    ObjectNode body = source.body();
    boolean isOfSuggestions = body.has("suggest") && WITH_HITS.stream().noneMatch(body::has);
    return isOfSuggestions ? SearchCounters.Phase.SUGGEST : SearchCounters.Phase.QUERY;
  }

  private List<Hit> fetch(
      SearchSource source,
      SearchTarget target,
      List<ShardHit> hits,
      SearchEnd end,
      Reservation memory)
      throws IOException {
    try {
      return SearchPhases.<List<Hit>, IOException>traced(
          "fetch",
          target,
          () ->
              WorkMemory.<List<Hit>, IOException>during(
                  memory, () -> fetched(source, target, hits, end, memory)));
    } catch (IOException e) {
      Refusal ofStore = ShardFailure.ofStore(target.shard(), e);
      if (ofStore != null) {
        throw ofStore;
      }
      throw e;
    }
  }

  /// A page of a scroll is never cut: what is left out would not come again.
  ///
  /// @param memory of this phase: that of the query phase may have been given back
  private List<Hit> fetched(
      SearchSource source,
      SearchTarget target,
      List<ShardHit> hits,
      SearchEnd end,
      Reservation memory)
      throws IOException {
    StopSignal signal = (target.isScroll() ? end.untimed() : end).signal();
    if (!hits.isEmpty()) {
      target.shown(hits.getLast());
    }
    long startNanos = world.clock().nanoTime();
    List<Hit> fetched =
        counters.<List<Hit>, IOException>during(
            SearchCounters.Phase.FETCH,
            target.shard(),
            source.groups(),
            () ->
                target
                    .opened()
                    .whileOpen(() ->
                        signal.<List<Hit>, IOException>during(() ->
                            FetchPhase.run(source, target.context().reserving(memory), hits))));
    phases.fetched(target.shard(), world.clock().nanoTime() - startNanos, source, fetched.size());
    return fetched;
  }

  /// Ends what still closes commits, whose folders go next.
  @Override
  public void close() {
    readCommits.close();
  }
}
