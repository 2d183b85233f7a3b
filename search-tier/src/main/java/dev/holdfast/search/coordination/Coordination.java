package dev.holdfast.search.coordination;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.compoundcommit.call.RefusalCodec;
import dev.holdfast.objectstore.StoreTrouble;
import dev.holdfast.query.hits.ShardResult;
import dev.holdfast.query.phase.SearchMerge;
import dev.holdfast.query.request.SearchSource;
import dev.holdfast.query.result.Hit;
import dev.holdfast.query.statistics.GatheredStatistics;
import dev.holdfast.search.choice.AskedShard;
import dev.holdfast.search.choice.CopyChoice;
import dev.holdfast.search.choice.DamagedCopies;
import dev.holdfast.search.choice.Fanout;
import dev.holdfast.search.choice.NextCopies;
import dev.holdfast.search.context.KeptReaders;
import dev.holdfast.search.node.ContextId;
import dev.holdfast.search.node.QueryAnswer;
import dev.holdfast.search.node.QueryRequest;
import dev.holdfast.search.node.SearchConfig;
import dev.holdfast.search.node.SearchNode;
import dev.holdfast.search.node.SearchNodes;
import dev.holdfast.search.node.SearchTimeout;
import dev.holdfast.search.node.ShardFailure;
import dev.holdfast.search.node.ShardFailures;
import dev.holdfast.search.node.ShardTarget;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Promise;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.World;
import dev.holdfast.world.concurrent.RetryPauses;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// One search: query phase on a copy of every shard, merge, fetch phase where the hits are. A copy
/// that fails with anything but the client's error is replaced by another.
public final class Coordination {
  /// How often a search whose hits were lost between the phases begins anew.
  private static final int ROUNDS_MAX = 3;

  private final World world;
  private final Metadata metadata;
  private final SearchNodes nodes;
  private final Fanout fanout;
  private final SearchConfig config;
  private final String self;
  private final SearchSource source;
  private final CopyChoice choice;
  private final NextCopies copies;
  private final @Nullable Boolean isCached;
  private final BooleanSupplier isCancelled;
  private final long startNanos;
  private final long nowMillis;

  /// How many of the nearest each shard has, for each `knn`, by the shard's ordinal.
  private final List<List<Integer>> nearest;

  private int shardsAsked;

  public Coordination(
      World world,
      Metadata metadata,
      SearchNodes nodes,
      SearchConfig config,
      String self,
      SearchSource source,
      CopyChoice choice,
      @Nullable Boolean isCached,
      List<List<Integer>> nearest,
      BooleanSupplier isCancelled) {
    this.world = world;
    this.metadata = metadata;
    this.nodes = nodes;
    this.config = config;
    this.self = self;
    this.source = source;
    this.choice = choice;
    this.copies = new NextCopies(metadata, choice, self);
    this.isCached = isCached;
    this.nearest = nearest;
    this.isCancelled = isCancelled;
    this.fanout = new Fanout(world, self, isCancelled);
    startNanos = world.clock().nanoTime();
    nowMillis = world.clock().epochMillis();
  }

  public MergedAnswer run(List<ShardTarget> targets) throws IOException, InterruptedException {
    for (int round = 1; ; round++) {
      try {
        return search(shards(targets), round == 1);
      } catch (PageFetch.HitsLost e) {
        // Another copy may have what the store does not give; the same one waits for it again.
        if (round == ROUNDS_MAX || (round > 1 && isOfStore(e.why))) {
          Refusal cause = RefusalCodec.of(e.why);
          throw Refusal.around(ErrorType.SEARCH_PHASE_EXECUTION, "fetch phase failed", cause)
              .with("phase", "fetch")
              .with("grouped", true)
              .with("failed_shards", List.of());
        }
      }
    }
  }

  private static boolean isOfStore(Throwable why) {
    return why instanceof Refusal refusal && StoreTrouble.isTold(refusal);
  }

  /// What the shards together know of the terms of a search that asks for it. A shard that cannot
  /// tell is left out: the search itself says what fails.
  public GatheredStatistics statistics(List<ShardTarget> targets)
      throws IOException, InterruptedException {
    GatheredStatistics all = GatheredStatistics.of(Json.object());
    for (AskedShard asked : queried(targets)) {
      ShardResult result = asked.success();
      if (result != null && result.profile() != null) {
        all = all.plus(GatheredStatistics.of(result.profile()));
      }
    }
    return all;
  }

  /// The shards after their query phase; their hits are given up.
  private List<AskedShard> queried(List<ShardTarget> targets)
      throws IOException, InterruptedException {
    List<AskedShard> shards = shards(targets);
    KeptReaders kept = new KeptReaders(world, nodes);
    try {
      List<Hit> _ = askAll(shards, false, kept);
    } finally {
      kept.release();
    }
    return shards;
  }

  /// How many of the best hits each shard has, by its ordinal; none are fetched.
  public List<Integer> spread(List<ShardTarget> targets) throws IOException, InterruptedException {
    List<AskedShard> shards = queried(targets);
    List<ShardResult> results = new ArrayList<>();
    List<Integer> ordinals = new ArrayList<>();
    for (AskedShard asked : shards) {
      ShardResult result = asked.success();
      if (result != null) {
        results.add(result);
        ordinals.add(asked.ordinal);
      }
    }
    List<Integer> counts = new ArrayList<>(Collections.nCopies(shards.size(), 0));
    for (SearchMerge.MergedHit hit : SearchMerge.hits(source, results)) {
      int ordinal = ordinals.get(hit.shard());
      counts.set(ordinal, counts.get(ordinal) + 1);
    }
    return counts;
  }

  private List<AskedShard> shards(List<ShardTarget> targets) {
    ClusterState state = metadata.current();
    List<AskedShard> shards = new ArrayList<>();
    for (ShardTarget target : targets) {
      if (NextCopies.isGone(state, target.shard())) {
        throw Refusal.indexNotFound(target.shard().index().name());
      }
      if (choice.isSearched(target.shard())) {
        shards.add(new AskedShard(target, shards.size()));
      }
    }
    return shards;
  }

  private MergedAnswer search(List<AskedShard> shards, boolean mayBeWhole)
      throws IOException, InterruptedException, PageFetch.HitsLost {
    KeptReaders kept = new KeptReaders(world, nodes);
    try {
      List<Hit> whole = askAll(shards, mayBeWhole, kept);
      List<Hit> hits =
          whole == null ? new PageFetch(nodes, fanout, source, copies, kept).fetch(shards) : whole;
      return answer(shards, hits);
    } finally {
      kept.release();
    }
  }

  /// The query phase of all shards. Returns the page's hits when one node answered all at once;
  /// null when they are to be fetched.
  private @Nullable List<Hit> askAll(List<AskedShard> shards, boolean mayBeWhole, KeptReaders kept)
      throws IOException, InterruptedException {
    shardsAsked = shards.size();
    RetryPauses pauses =
        new RetryPauses(world, config.openingMax(SearchTimeout.millis(source, metadata)));
    boolean isFirst = mayBeWhole;
    while (shards.stream().anyMatch(asked -> !asked.isDone)) {
      long seen = metadata.current().version();
      Map<String, List<AskedShard>> groups = copies.groups(shards, pauses.isOver());
      if (groups.isEmpty()) {
        requireNotCancelled();
        if (shards.stream().anyMatch(asked -> !asked.isDone)
            && pauses.pauseUnless(() -> metadata.current().version() != seen)) {
          DamagedCopies.fail(metadata.current(), nodes, shards);
          NextCopies.again(shards);
        }
        continue;
      }
      boolean isWhole = isFirst && groups.size() == 1 && sizeOf(groups) == shards.size();
      isFirst = false;
      List<Hit> hits = query(groups, isWhole, kept);
      if (isWhole && shards.stream().allMatch(asked -> asked.isDone)) {
        return hits;
      }
      if (isWhole) {
        // Another copy is to answer for some: what came is asked for again, to be fetched from.
        shards.forEach(AskedShard::askAgain);
      }
    }
    return null;
  }

  private QueryRequest.OfShard question(AskedShard asked) {
    return new QueryRequest.OfShard(
        asked.target,
        asked.ordinal,
        nearest.stream().map(counts -> counts.get(asked.ordinal)).toList());
  }

  private static int sizeOf(Map<String, List<AskedShard>> groups) {
    return groups.values().stream().mapToInt(List::size).sum();
  }

  private void requireNotCancelled() {
    if (isCancelled.getAsBoolean()) {
      throw new Refusal(ErrorType.TASK_CANCELLED, "task cancelled");
    }
  }

  /// Returns the page's hits when the search was whole.
  private List<Hit> query(Map<String, List<AskedShard>> groups, boolean isWhole, KeptReaders kept)
      throws IOException, InterruptedException {
    boolean isHere = isWhole && groups.containsKey(self);
    String search = isHere ? "" : world.ids().uuid();
    Map<String, Fanout.Asking<QueryAnswer>> asking = new LinkedHashMap<>();
    groups.forEach((member, group) -> {
      QueryRequest request =
          new QueryRequest(
              search,
              group.stream().map(this::question).toList(),
              shardsAsked,
              source,
              nowMillis,
              tookMillis(),
              isCached,
              isWhole);
      if (!isHere) {
        kept.add(member, search);
      }
      SearchNode node =
          group.stream().anyMatch(asked -> isOnlyThere(asked.target))
              ? nodes.onlyMember(member)
              : nodes.member(member);
      asking.put(member, () -> node.query(request, isCancelled));
    });
    List<Hit> hits = List.of();
    for (Map.Entry<String, Fanout.Answered<QueryAnswer>> entry : fanout.ask(asking).entrySet()) {
      String member = entry.getKey();
      List<AskedShard> group = groups.getOrDefault(member, List.of());
      QueryAnswer answer = entry.getValue().answer();
      Promise.keep(
          answer == null || answer.shards().size() == group.size(),
          "a node answers for each shard that it is asked for",
          "node",
          member);
      for (int i = 0; i < group.size(); i++) {
        AskedShard asked = group.get(i);
        asked.tried.add(member);
        if (answer == null) {
          copies.failed(asked, member, entry.getValue().failure());
          continue;
        }
        QueryAnswer.OfShard ofShard = answer.shards().get(i);
        asked.member = member;
        asked.search = search;
        asked.position = i;
        if (ofShard.failure() != null) {
          copies.failed(asked, member, ofShard.failure());
        } else {
          asked.result = ofShard.result();
          asked.failure = null;
          asked.isDone = true;
        }
      }
      if (answer != null) {
        hits = answer.hits();
        if (answer.shards().stream().noneMatch(Coordination::hasHits)) {
          kept.remove(member, search);
        }
      }
    }
    return hits;
  }

  private static boolean isOnlyThere(ShardTarget target) {
    ContextId context = target.context();
    return context != null && !context.isPinned();
  }

  private static boolean hasHits(QueryAnswer.OfShard answer) {
    return answer.result() != null && !answer.result().hits().isEmpty();
  }

  private long tookMillis() {
    return (world.clock().nanoTime() - startNanos) / 1_000_000;
  }

  private MergedAnswer answer(List<AskedShard> shards, List<Hit> hits) {
    List<ShardFailure> failures = new ArrayList<>();
    List<ShardResult> results = new ArrayList<>();
    List<ObjectNode> profiles = new ArrayList<>();
    for (AskedShard asked : shards) {
      ShardResult result = asked.success();
      if (result != null) {
        results.add(result);
        addProfile(asked, result.profile(), profiles);
      } else if (asked.failure != null) {
        failures.add(new ShardFailure(asked.shard, asked.failure, asked.member));
      }
    }
    Promise.keep(
        results.size() + failures.size() == shards.size(),
        "each shard of a search has answered or failed",
        "answered",
        results.size(),
        "failed",
        failures.size(),
        "shards",
        shards.size());
    if (results.isEmpty() && !failures.isEmpty()) {
      throw new ShardFailures(failures).ofAll();
    }
    boolean isAllRead = hits.stream().allMatch(Hit::isRead);
    List<Hit> shown = isAllRead ? hits : hits.stream().filter(Hit::isRead).toList();
    MergedResults merged = MergedResults.of(world, metadata, source, results, isCancelled);
    return new MergedAnswer(
        source,
        isAllRead ? merged.merge() : merged.merge().timedOut(),
        merged.heldBytes(),
        shown,
        shards.size(),
        List.copyOf(failures),
        profiles,
        tookMillis());
  }

  private static void addProfile(
      AskedShard asked, @Nullable ObjectNode profile, List<ObjectNode> profiles) {
    if (profile != null) {
      ShardId shard = asked.shard;
      ObjectNode named = Json.object();
      named.put(
          "id", "[" + asked.member + "][" + shard.index().name() + "][" + shard.number() + "]");
      named.put("node_id", asked.member);
      named.put("shard_id", shard.number());
      named.put("index", shard.index().name());
      named.put("cluster", "(local)");
      named.setAll(profile);
      profiles.add(named);
    }
  }
}
