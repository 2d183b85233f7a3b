package dev.holdfast.search;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.compoundcommit.call.RefusalCodec;
import dev.holdfast.query.Hit;
import dev.holdfast.query.SearchMerge;
import dev.holdfast.query.SearchSource;
import dev.holdfast.query.ShardResult;
import dev.holdfast.query.aggregation.Reduction;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Network;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.World;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One search: query phase on a copy of every shard, merge, fetch phase where the hits are. A copy
/// that fails with anything but the client's error is replaced by another.
final class Coordination {
  private static final Logger LOG = LoggerFactory.getLogger(Coordination.class);
  private static final Duration POLL = Duration.ofMillis(20);

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
  private final @Nullable Boolean isCached;
  private final BooleanSupplier isCancelled;
  private final long startNanos;
  private final long nowMillis;

  /// How many of the nearest each shard has, for each `knn`, by the shard's ordinal.
  private final List<List<Integer>> nearest;

  private int shardsAsked;

  /// Members that failed in this search: asked last.
  private final Set<String> failing = new HashSet<>();

  Coordination(
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
    this.isCached = isCached;
    this.nearest = nearest;
    this.isCancelled = isCancelled;
    this.fanout = new Fanout(world, self, isCancelled);
    startNanos = world.clock().nanoTime();
    nowMillis = world.clock().epochMillis();
  }

  /// A shard of the search and what became of it.
  private static final class Asked {
    final ShardTarget target;
    final ShardId shard;

    /// Position among all shards of the search.
    final int ordinal;

    final Set<String> tried = new HashSet<>();

    /// Who answered, under which name, and as which of its shards.
    String member = "";

    String search = "";
    int position;
    @Nullable ShardResult result;
    @Nullable Refusal failure;
    boolean isDone;

    Asked(ShardTarget target, int ordinal) {
      this.target = target;
      this.shard = target.shard();
      this.ordinal = ordinal;
    }

    void askAgain() {
      if (result != null) {
        result = null;
        isDone = false;
        tried.clear();
      }
    }
  }

  /// The hits of the page are gone: the node that had them, or its readers.
  private static final class HitsLost extends Exception {
    private static final long serialVersionUID = 1L;

    final transient Throwable why;

    HitsLost(Throwable why) {
      super(why);
      this.why = why;
    }
  }

  Answer run(List<ShardTarget> targets) throws IOException, InterruptedException {
    for (int round = 1; ; round++) {
      try {
        return search(shards(targets), round == 1);
      } catch (HitsLost e) {
        if (round == ROUNDS_MAX) {
          Refusal cause = RefusalCodec.of(e.why);
          throw Refusal.around(ErrorType.SEARCH_PHASE_EXECUTION, "fetch phase failed", cause)
              .with("phase", "fetch")
              .with("grouped", true)
              .with("failed_shards", List.of());
        }
      }
    }
  }

  /// How many of the best hits each shard has, by its ordinal; none are fetched.
  List<Integer> spread(List<ShardTarget> targets) throws IOException, InterruptedException {
    List<Asked> shards = shards(targets);
    Map<String, Set<String>> open = new TreeMap<>();
    try {
      List<Hit> _ = askAll(shards, false, open);
    } finally {
      release(open, false);
    }
    List<ShardResult> results = new ArrayList<>();
    List<Integer> ordinals = new ArrayList<>();
    for (Asked asked : shards) {
      if (asked.result != null && asked.failure == null) {
        results.add(asked.result);
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

  private List<Asked> shards(List<ShardTarget> targets) {
    ClusterState state = metadata.current();
    List<Asked> shards = new ArrayList<>();
    for (ShardTarget target : targets) {
      if (isGone(state, target.shard())) {
        throw Refusal.indexNotFound(target.shard().index().name());
      }
      if (choice.isSearched(target.shard())) {
        shards.add(new Asked(target, shards.size()));
      }
    }
    return shards;
  }

  private Answer search(List<Asked> shards, boolean mayBeWhole)
      throws IOException, InterruptedException, HitsLost {
    Map<String, Set<String>> open = new TreeMap<>();
    boolean isAnswered = false;
    try {
      List<Hit> whole = askAll(shards, mayBeWhole, open);
      List<Hit> hits = whole == null ? fetch(shards, open) : whole;
      isAnswered = true;
      return answer(shards, hits);
    } finally {
      release(open, isAnswered);
    }
  }

  /// The query phase of all shards. Returns the page's hits when one node answered all at once;
  /// null when they are to be fetched.
  private @Nullable List<Hit> askAll(
      List<Asked> shards, boolean mayBeWhole, Map<String, Set<String>> open)
      throws IOException, InterruptedException {
    shardsAsked = shards.size();
    long deadlineNanos = world.clock().nanoTime() + config.firstCommitWaitMax().toNanos();
    boolean isFirst = mayBeWhole;
    while (shards.stream().anyMatch(asked -> !asked.isDone)) {
      Map<String, List<Asked>> groups = groups(shards, deadlineNanos);
      if (groups.isEmpty()) {
        requireNotCancelled();
        if (shards.stream().anyMatch(asked -> !asked.isDone)) {
          world.sleeper().sleep(POLL);
        }
        continue;
      }
      boolean isWhole = isFirst && groups.size() == 1 && sizeOf(groups) == shards.size();
      isFirst = false;
      List<Hit> hits = query(groups, isWhole, open);
      if (isWhole && shards.stream().allMatch(asked -> asked.isDone)) {
        return hits;
      }
      if (isWhole) {
        // Another copy is to answer for some: what came is asked for again, to be fetched from.
        shards.forEach(Asked::askAgain);
      }
    }
    return null;
  }

  private QueryRequest.OfShard question(Asked asked) {
    return new QueryRequest.OfShard(
        asked.target,
        asked.ordinal,
        nearest.stream().map(counts -> counts.get(asked.ordinal)).toList());
  }

  private static int sizeOf(Map<String, List<Asked>> groups) {
    return groups.values().stream().mapToInt(List::size).sum();
  }

  private void requireNotCancelled() {
    if (isCancelled.getAsBoolean()) {
      throw new Refusal(ErrorType.TASK_CANCELLED, "task cancelled");
    }
  }

  /// Shards that are not done by the copy to ask next. A shard whose copies have all been tried
  /// waits for the state to change, or fails when the time is over.
  private Map<String, List<Asked>> groups(List<Asked> shards, long deadlineNanos) {
    ClusterState state = metadata.current();
    boolean isOver = world.clock().nanoTime() - deadlineNanos > 0;
    Map<String, List<Asked>> groups = new LinkedHashMap<>();
    for (Asked asked : shards) {
      if (asked.isDone) {
        continue;
      }
      ContextId pinned = asked.target.context();
      if (pinned != null && !pinned.isPinned() && !asked.tried.isEmpty()) {
        // Nobody else has the commit that was pinned.
        finish(asked, asked.failure == null ? unavailable(asked) : asked.failure);
        continue;
      }
      String next = next(state, asked);
      if (next != null) {
        groups.computeIfAbsent(next, _ -> new ArrayList<>()).add(asked);
        continue;
      }
      if (asked.isDone) {
        continue;
      }
      boolean mayComeBack = asked.failure == null || isUnavailable(asked.failure);
      if (isGone(state, asked.shard)) {
        finish(asked, Refusal.indexNotFound(asked.shard.index().name()));
      } else if (isOver || !mayComeBack) {
        finish(asked, asked.failure == null ? unavailable(asked) : asked.failure);
      } else {
        asked.tried.clear(); // after a pause all are tried again
      }
    }
    return groups;
  }

  private static boolean isGone(ClusterState state, ShardId shard) {
    IndexMetadata index = state.indices().get(shard.index().name());
    return index == null || !index.id().equals(shard.index());
  }

  private @Nullable String next(ClusterState state, Asked asked) {
    ContextId pinned = asked.target.context();
    if (pinned != null) {
      boolean isThere = state.members().containsKey(pinned.node());
      if (isThere && !asked.tried.contains(pinned.node())) {
        return pinned.node();
      }
      if (!pinned.isPinned()) {
        finish(asked, HeldCommits.missing(pinned));
        return null;
      }
    }
    // What is pinned in the store is opened again on the same node for each search.
    CopyChoice choice = pinned == null ? this.choice : CopyChoice.always(pinned.pin());
    String last = null;
    for (String member : choice.copies(state, asked.shard, self)) {
      if (!asked.tried.contains(member)) {
        if (!failing.contains(member)) {
          return member;
        }
        last = last == null ? member : last;
      }
    }
    return last;
  }

  private static Refusal unavailable(Asked asked) {
    return SearchCopies.unavailable(asked.shard);
  }

  private static void finish(Asked asked, Refusal failure) {
    asked.failure = failure;
    asked.isDone = true;
  }

  /// Returns the page's hits when the search was whole.
  private List<Hit> query(
      Map<String, List<Asked>> groups, boolean isWhole, Map<String, Set<String>> open)
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
        open.computeIfAbsent(member, _ -> new HashSet<>()).add(search);
      }
      asking.put(member, () -> nodes.member(member).query(request, isCancelled));
    });
    List<Hit> hits = List.of();
    for (Map.Entry<String, Fanout.Answered<QueryAnswer>> entry : fanout.ask(asking).entrySet()) {
      String member = entry.getKey();
      List<Asked> group = groups.getOrDefault(member, List.of());
      QueryAnswer answer = entry.getValue().answer();
      for (int i = 0; i < group.size(); i++) {
        Asked asked = group.get(i);
        asked.tried.add(member);
        if (answer == null) {
          failed(asked, member, entry.getValue().failure());
          continue;
        }
        QueryAnswer.OfShard ofShard = answer.shards().get(i);
        asked.member = member;
        asked.search = search;
        asked.position = i;
        if (ofShard.failure() != null) {
          failed(asked, member, ofShard.failure());
        } else {
          asked.result = ofShard.result();
          asked.failure = null;
          asked.isDone = true;
        }
      }
      if (answer != null) {
        hits = answer.hits();
        Set<String> searches = open.get(member);
        if (searches != null && answer.shards().stream().noneMatch(Coordination::hasHits)) {
          searches.remove(search); // nothing is kept there
        }
      }
    }
    return hits;
  }

  private static boolean hasHits(QueryAnswer.OfShard answer) {
    return answer.result() != null && !answer.result().hits().isEmpty();
  }

  private void failed(Asked asked, String member, @Nullable Throwable why) {
    Refusal failure =
        why instanceof Network.UnreachableException
            ? new Refusal(
                ErrorType.NO_SHARD_AVAILABLE, "No shard available for " + asked.shard, why)
            : ShardFailure.of(asked.shard, why instanceof Exception e ? e : new IOException(why))
                .reason();
    if (failure.type() == ErrorType.TASK_CANCELLED) {
      throw failure;
    }
    asked.failure = failure;
    asked.isDone = isOfClient(failure);
    if (!asked.isDone) {
      failing.add(member);
    }
  }

  /// Errors that every copy would answer.
  private static boolean isOfClient(Refusal failure) {
    return failure.status() < 500 && failure.status() != 429;
  }

  /// Errors that pass: a node dies or starts.
  private static boolean isUnavailable(Refusal failure) {
    return failure.status() == 503;
  }

  private long tookMillis() {
    return (world.clock().nanoTime() - startNanos) / 1_000_000;
  }

  private Answer answer(List<Asked> shards, List<Hit> hits) {
    List<ShardFailure> failures = new ArrayList<>();
    List<ShardResult> results = new ArrayList<>();
    List<ObjectNode> profiles = new ArrayList<>();
    for (Asked asked : shards) {
      if (asked.result != null && asked.failure == null) {
        results.add(asked.result);
        addProfile(asked.shard, asked.result.profile(), profiles);
      } else if (asked.failure != null) {
        failures.add(new ShardFailure(asked.shard, asked.failure, asked.member));
      }
    }
    if (results.isEmpty() && !failures.isEmpty()) {
      throw allFailed(failures);
    }
    SearchMerge merge = SearchMerge.of(source, results, bucketsMax());
    return new Answer(
        source, merge, hits, shards.size(), List.copyOf(failures), profiles, tookMillis());
  }

  private static void addProfile(
      ShardId shard, @Nullable ObjectNode profile, List<ObjectNode> profiles) {
    if (profile != null) {
      ObjectNode named = Json.object();
      named.put("id", "[" + shard.index().name() + "][" + shard.number() + "]");
      named.put("index", shard.index().name());
      named.put("shard_id", shard.number());
      named.setAll(profile);
      profiles.add(named);
    }
  }

  private int bucketsMax() {
    Object set = metadata.current().setting("search.max_buckets");
    return set == null ? Reduction.BUCKETS_MAX : Integer.parseInt(set.toString());
  }

  private static Refusal allFailed(List<ShardFailure> failures) {
    Refusal cause = failures.getFirst().reason();
    return Refusal.around(ErrorType.SEARCH_PHASE_EXECUTION, "all shards failed", cause)
        .with("phase", "query")
        .with("grouped", true)
        .with("failed_shards", List.of(failures.getFirst().toMap()));
  }

  /// The hits of the page, each node's together.
  private List<Hit> fetch(List<Asked> shards, Map<String, Set<String>> open)
      throws IOException, InterruptedException, HitsLost {
    List<Asked> answered =
        shards.stream().filter(asked -> asked.result != null && asked.failure == null).toList();
    List<ShardResult> results = new ArrayList<>();
    answered.forEach(asked -> results.add(java.util.Objects.requireNonNull(asked.result)));
    if (source.size() == 0 || results.isEmpty()) {
      return List.of();
    }
    Page page = Page.of(SearchMerge.hits(source, results), results.size());
    Map<String, List<Integer>> byContext = new LinkedHashMap<>();
    for (int i = 0; i < page.shards().size(); i++) {
      Asked asked = answered.get(page.shards().get(i).position());
      byContext.computeIfAbsent(asked.member + "/" + asked.search, _ -> new ArrayList<>()).add(i);
    }
    Map<String, Fanout.Asking<List<Hit>>> asking = new LinkedHashMap<>();
    byContext.forEach((key, ofContext) -> {
      Asked first = answered.get(page.shards().get(ofContext.getFirst()).position());
      List<FetchRequest.OfShard> wanted = new ArrayList<>();
      for (int i : ofContext) {
        Page.OfShard ofShard = page.shards().get(i);
        wanted.add(
            new FetchRequest.OfShard(answered.get(ofShard.position()).position, ofShard.hits()));
      }
      FetchRequest request = new FetchRequest(first.search, wanted);
      Set<String> searches = open.get(first.member);
      if (searches != null) {
        searches.remove(first.search); // fetched or lost: nothing is left to be released
      }
      asking.put(key, () -> nodes.member(first.member).fetch(request));
    });
    List<List<Hit>> fetched = new ArrayList<>();
    page.shards().forEach(_ -> fetched.add(List.of()));
    for (Map.Entry<String, Fanout.Answered<List<Hit>>> entry : fanout.ask(asking).entrySet()) {
      List<Hit> hits = entry.getValue().answer();
      List<Integer> ofContext = byContext.getOrDefault(entry.getKey(), List.of());
      if (hits == null) {
        Throwable why = entry.getValue().failure();
        if (why instanceof Refusal refusal
            && isOfClient(refusal)
            && refusal.type() != ErrorType.SEARCH_CONTEXT_MISSING) {
          throw refusal;
        }
        failing.add(answered.get(page.shards().get(ofContext.getFirst()).position()).member);
        throw new HitsLost(why == null ? new IOException("no answer") : why);
      }
      int at = 0;
      for (int i : ofContext) {
        int size = page.shards().get(i).hits().size();
        fetched.set(i, hits.subList(at, at + size));
        at += size;
      }
    }
    return page.inOrder(fetched);
  }

  private void release(String member, String search) throws InterruptedException {
    try {
      nodes.member(member).release(search);
    } catch (IOException | Refusal e) {
      LOG.debug(
          "a search could not be ended, its readers close by themselves [node={}]", member, e);
    }
  }

  /// Lets nodes go whose readers were not used up by a fetch phase.
  private void release(Map<String, Set<String>> open, boolean isAnswered) {
    open.forEach((member, searches) -> {
      for (String search : searches) {
        if (!isAnswered || source.size() > 0) {
          var _ = world.tasks().start("release-search", () -> release(member, search));
        }
      }
    });
  }
}
