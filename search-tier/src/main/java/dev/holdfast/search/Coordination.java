package dev.holdfast.search;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexId;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.document.Mapping;
import dev.holdfast.query.FetchPhase;
import dev.holdfast.query.Hit;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.QueryPhase;
import dev.holdfast.query.SearchMerge;
import dev.holdfast.query.SearchSource;
import dev.holdfast.query.ShardHit;
import dev.holdfast.query.ShardResult;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.WorkPool;
import dev.holdfast.world.World;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// One search: query phase on every shard, merge, fetch phase where the hits are.
final class Coordination {
  private final World world;
  private final ClusterState state;
  private final SearchShards shards;
  private final Mappings mappings;
  private final WorkPool pool;
  private final SearchSource source;
  private final BooleanSupplier isCancelled;
  private final long startNanos;
  private final long nowMillis;

  Coordination(
      World world,
      ClusterState state,
      SearchShards shards,
      Mappings mappings,
      WorkPool pool,
      SearchSource source,
      BooleanSupplier isCancelled) {
    this.world = world;
    this.state = state;
    this.shards = shards;
    this.mappings = mappings;
    this.pool = pool;
    this.source = source;
    this.isCancelled = isCancelled;
    startNanos = world.clock().nanoTime();
    nowMillis = world.clock().epochMillis();
  }

  /// A shard that is searched: its commit stays open until the search ends.
  private record Target(ShardId shard, SearchShard.Opened opened, QueryContext context) {}

  /// What became of a shard's query phase: one of both.
  private record Outcome(
      Target target, @Nullable ShardResult result, @Nullable ShardFailure failure) {}

  SearchResponse run(List<IndexId> indices) throws IOException, InterruptedException {
    List<Target> targets = new ArrayList<>();
    List<ShardFailure> failures = new ArrayList<>();
    try {
      open(indices, targets, failures);
      int asked = targets.size() + failures.size();
      if (targets.size() == 1 && failures.isEmpty()) {
        // Both phases in one turn of the pool.
        Callable<SearchResponse> both =
            () -> answer(List.of(query(targets.getFirst())), failures, asked);
        return inPool(List.of(both)).getFirst();
      }
      List<Callable<Outcome>> queries = new ArrayList<>(targets.size());
      for (Target target : targets) {
        queries.add(() -> query(target));
      }
      return answer(inPool(queries), failures, asked);
    } finally {
      for (Target target : targets) {
        target.opened.release();
      }
    }
  }

  private void open(List<IndexId> indices, List<Target> targets, List<ShardFailure> failures)
      throws InterruptedException {
    for (IndexId id : indices) {
      IndexMetadata index = state.indices().get(id.name());
      if (index == null || !index.id().equals(id)) {
        throw Refusal.indexNotFound(id.name());
      }
      Mapping mapping = mappings.of(index);
      for (int number = 0; number < index.shards(); number++) {
        ShardId shard = new ShardId(id, number);
        try {
          SearchShard.Opened opened = shards.acquire(shard);
          QueryContext context =
              new QueryContext(
                  id.name(), number, mapping, opened.searcher(), nowMillis, isCancelled);
          targets.add(new Target(shard, opened, context));
        } catch (Refusal e) {
          failures.add(new ShardFailure(shard, e));
        }
      }
    }
  }

  private Outcome query(Target target) {
    try {
      ShardResult result =
          target.opened.whileOpen(() -> QueryPhase.run(source, target.context, this::isTimeOver));
      return new Outcome(target, result, null);
    } catch (Refusal e) {
      if (e.type() == ErrorType.TASK_CANCELLED) {
        throw e;
      }
      return new Outcome(target, null, new ShardFailure(target.shard, e));
    } catch (IOException | RuntimeException e) {
      return new Outcome(target, null, ShardFailure.of(target.shard, e));
    }
  }

  private boolean isTimeOver() {
    return source.timeoutMillis() >= 0 && tookMillis() > source.timeoutMillis();
  }

  private long tookMillis() {
    return (world.clock().nanoTime() - startNanos) / 1_000_000;
  }

  private SearchResponse answer(List<Outcome> outcomes, List<ShardFailure> failed, int asked)
      throws IOException, InterruptedException {
    List<ShardFailure> failures = new ArrayList<>(failed);
    List<Target> answered = new ArrayList<>();
    List<ShardResult> results = new ArrayList<>();
    for (Outcome outcome : outcomes) {
      if (outcome.failure != null) {
        failures.add(outcome.failure);
      } else if (outcome.result != null) {
        answered.add(outcome.target);
        results.add(outcome.result);
      }
    }
    if (results.isEmpty() && !failures.isEmpty()) {
      throw allFailed(failures);
    }
    SearchMerge merge = SearchMerge.of(source, results);
    List<Hit> hits = fetch(answered, merge);
    return new Answer(source, merge, hits, asked, List.copyOf(failures), tookMillis());
  }

  private static Refusal allFailed(List<ShardFailure> failures) {
    Refusal cause = failures.getFirst().reason();
    return Refusal.around(ErrorType.SEARCH_PHASE_EXECUTION, "all shards failed", cause)
        .with("phase", "query")
        .with("grouped", true)
        .with("failed_shards", List.of(failures.getFirst().toMap()));
  }

  /// The hits of the page, each shard's together.
  private List<Hit> fetch(List<Target> targets, SearchMerge merge)
      throws IOException, InterruptedException {
    List<List<Integer>> positions = new ArrayList<>();
    targets.forEach(target -> positions.add(new ArrayList<>()));
    for (int i = 0; i < merge.hits().size(); i++) {
      positions.get(merge.hits().get(i).shard()).add(i);
    }
    List<Callable<List<Hit>>> fetches = new ArrayList<>();
    List<List<Integer>> fetched = new ArrayList<>();
    for (int shard = 0; shard < targets.size(); shard++) {
      List<Integer> wanted = positions.get(shard);
      if (wanted.isEmpty()) {
        continue;
      }
      Target target = targets.get(shard);
      List<ShardHit> hits = wanted.stream().map(i -> merge.hits().get(i).hit()).toList();
      fetches.add(
          () -> target.opened.whileOpen(() -> FetchPhase.run(source, target.context, hits)));
      fetched.add(wanted);
    }
    // One shard's hits are fetched where we are: in the pool already when there is one shard only.
    List<List<Hit>> results =
        targets.size() == 1 && fetches.size() == 1 ? here(fetches) : inPool(fetches);
    Hit[] inOrder = new Hit[merge.hits().size()];
    for (int i = 0; i < fetched.size(); i++) {
      for (int j = 0; j < fetched.get(i).size(); j++) {
        inOrder[fetched.get(i).get(j)] = results.get(i).get(j);
      }
    }
    return Arrays.asList(inOrder);
  }

  private <T> List<T> inPool(List<Callable<T>> work) throws IOException, InterruptedException {
    if (work.isEmpty()) {
      return List.of();
    }
    try {
      return pool.callAll(work);
    } catch (Exception e) {
      throw rethrown(e);
    }
  }

  private static <T> List<T> here(List<Callable<T>> work) throws IOException, InterruptedException {
    try {
      return List.of(work.getFirst().call());
    } catch (Exception e) {
      throw rethrown(e);
    }
  }

  /// What a call in the pool may throw, as it was.
  private static RuntimeException rethrown(Exception e) throws IOException, InterruptedException {
    return switch (e) {
      case IOException io -> throw io;
      case InterruptedException interrupted -> throw interrupted;
      case RuntimeException runtime -> runtime;
      default -> new IllegalStateException(e);
    };
  }
}
