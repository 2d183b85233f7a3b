package dev.holdfast.search;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.Formats;
import dev.holdfast.clusterstate.IndexId;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.compoundcommit.notice.IndexingReads;
import dev.holdfast.compoundcommit.notice.IndexingReads.RealTimeDocument;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.query.parse.SearchParser;
import dev.holdfast.query.phase.KnnPhase;
import dev.holdfast.query.request.SearchSource;
import dev.holdfast.query.result.Hit;
import dev.holdfast.query.result.Lookup;
import dev.holdfast.query.statistics.GatheredStatistics;
import dev.holdfast.search.cache.CacheFigures;
import dev.holdfast.search.choice.AnyCopy;
import dev.holdfast.search.choice.CopyChoice;
import dev.holdfast.search.choice.RenewedTargets;
import dev.holdfast.search.context.CommitUpload;
import dev.holdfast.search.context.ContextCalls;
import dev.holdfast.search.context.PointsInTime;
import dev.holdfast.search.context.RoutedContexts;
import dev.holdfast.search.context.ScrollContexts;
import dev.holdfast.search.coordination.AllCaches;
import dev.holdfast.search.coordination.AllSearchNodes;
import dev.holdfast.search.coordination.CollapsedGroups;
import dev.holdfast.search.coordination.Coordination;
import dev.holdfast.search.coordination.LookedUpFields;
import dev.holdfast.search.coordination.LookupTargets;
import dev.holdfast.search.coordination.MergedAnswer;
import dev.holdfast.search.coordination.SearchManner;
import dev.holdfast.search.coordination.SearchResponse;
import dev.holdfast.search.copy.SegmentFigures;
import dev.holdfast.search.execution.NodeAnswers;
import dev.holdfast.search.fielduse.FieldUseOfCopy;
import dev.holdfast.search.figures.SearchFigures;
import dev.holdfast.search.node.ContextId;
import dev.holdfast.search.node.NodeQuestion;
import dev.holdfast.search.node.SearchConfig;
import dev.holdfast.search.node.SearchNode;
import dev.holdfast.search.node.SearchNodes;
import dev.holdfast.search.node.ShardContexts;
import dev.holdfast.search.node.ShardTarget;
import dev.holdfast.search.node.TargetJson;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.World;
import dev.holdfast.world.trace.Cause;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Searches from any node (§3): finds the copies, asks the nodes that hold them, merges what they
/// say.
public final class Coordinator implements Searches {
  private final World world;
  private final Metadata metadata;
  private final SearchNodes nodes;
  private final IndexingReads indexing;
  private final SearchConfig config;
  private final String self;
  private final LookupTargets lookupTargets;
  private final AtomicInteger turn = new AtomicInteger();
  private final RoutedContexts contexts;
  private final ScrollContexts scrolls;
  private final PointsInTime pointsInTime;

  /// @param store where pins of points in time lie
  /// @param nodes search nodes, this one too when it is one
  /// @param indexing for real-time gets
  /// @param self this node's ephemeral id
  public Coordinator(
      World world,
      ObjectStore store,
      Metadata metadata,
      SearchNodes nodes,
      IndexingReads indexing,
      SearchConfig config,
      String self) {
    this(world, store, metadata, nodes, indexing, config, self, LookupTargets.NAMES);
  }

  /// @param lookupTargets what `lookup` fields may ask
  public Coordinator(
      World world,
      ObjectStore store,
      Metadata metadata,
      SearchNodes nodes,
      IndexingReads indexing,
      SearchConfig config,
      String self,
      LookupTargets lookupTargets) {
    this.world = world;
    this.metadata = metadata;
    this.nodes = nodes;
    this.indexing = indexing;
    this.config = config;
    this.self = self;
    this.lookupTargets = lookupTargets;
    ContextCalls calls = new ContextCalls(metadata, nodes);
    CommitUpload upload = new CommitUpload(store, indexing);
    this.contexts = new RoutedContexts(world, metadata, nodes, calls, config, self);
    this.scrolls = new ScrollContexts(world, metadata, calls, upload, config, self);
    this.pointsInTime = new PointsInTime(world, store, metadata, nodes, upload, contexts, calls);
  }

  @Override
  public SearchResponse search(
      List<IndexId> indices, SearchSource source, SearchManner manner, BooleanSupplier isCancelled)
      throws IOException, InterruptedException {
    ClusterState state = metadata.current();
    List<ShardTarget> targets = new ArrayList<>();
    for (IndexId id : indices) {
      IndexMetadata index = state.indices().get(id.name());
      if (index == null || !index.id().equals(id)) {
        throw Refusal.indexNotFound(id.name());
      }
      for (int number = 0; number < index.shards(); number++) {
        targets.add(ShardTarget.of(index, number));
      }
    }
    return searchShards(targets, source, manner, isCancelled);
  }

  @Override
  public SearchResponse searchShards(
      List<ShardTarget> targets,
      SearchSource source,
      SearchManner manner,
      BooleanSupplier isCancelled)
      throws IOException, InterruptedException {
    if (source.extras().hasLookups()) {
      Formats.requireEnabled(metadata.current(), Formats.INDEX_MODES, "lookup fields");
    }
    CopyChoice choice = CopyChoice.of(manner.preference(), turn.getAndIncrement());
    if (!targets.isEmpty()) {
      choice.requireNodes(metadata.current(), targets.getFirst().shard());
    }
    Boolean isCached = manner.isCached();
    MergedAnswer answer = run(targets, source, choice, isCached, isCancelled);
    MergedAnswer expanded =
        new CollapsedGroups(source)
            .expand(answer, inner -> run(targets, inner, choice, isCached, isCancelled));
    return new LookedUpFields(lookup -> find(lookup, choice, isCancelled)).resolve(expanded);
  }

  private List<Hit> find(Lookup lookup, CopyChoice choice, BooleanSupplier isCancelled)
      throws IOException, InterruptedException {
    SearchSource source = SearchParser.parse(lookup.search().deepCopy());
    List<ShardTarget> targets = lookupTargets.of(metadata.current(), lookup.index());
    MergedAnswer answer = run(targets, source, choice, null, isCancelled);
    if (!answer.failures().isEmpty()) {
      throw answer.failures().getFirst().located();
    }
    return answer.hits();
  }

  private static boolean isScroll(ShardTarget target) {
    ContextId context = target.context();
    return context != null && context.kind() == ShardContexts.Kind.SCROLL;
  }

  private MergedAnswer run(
      List<ShardTarget> targets,
      SearchSource source,
      CopyChoice choice,
      @Nullable Boolean isCached,
      BooleanSupplier isCancelled)
      throws IOException, InterruptedException {
    return new RenewedTargets(world, metadata)
        .run(targets, now -> runNow(now, source, choice, isCached, isCancelled));
  }

  private MergedAnswer runNow(
      List<ShardTarget> targets,
      SearchSource source,
      CopyChoice choice,
      @Nullable Boolean isCached,
      BooleanSupplier isCancelled)
      throws IOException, InterruptedException {
    SearchSource scored = scored(targets, source, choice, isCancelled);
    List<List<Integer>> nearest = new ArrayList<>();
    if (targets.size() > 1 && !isScroll(targets.getFirst())) {
      for (SearchSource alone : KnnPhase.sources(scored)) {
        nearest.add(coordination(alone, choice, isCached, List.of(), isCancelled).spread(targets));
      }
    }
    return Cause.<MergedAnswer, IOException, InterruptedException>span(
        "search",
        () -> {
          Cause.note("holdfast.shards", targets.size());
          return coordination(scored, choice, isCached, nearest, isCancelled).run(targets);
        });
  }

  /// The search with the statistics of all its shards where it is to be scored by them.
  private SearchSource scored(
      List<ShardTarget> targets,
      SearchSource source,
      CopyChoice choice,
      BooleanSupplier isCancelled)
      throws IOException, InterruptedException {
    boolean isWanted = source.extras().gathersStatistics() || KnnPhase.isBesideQuery(source);
    if (!isWanted || targets.isEmpty()) {
      return source;
    }
    SearchSource asking = source.withStatistics(GatheredStatistics.ASKED);
    return source.withStatistics(
        coordination(asking, choice, false, List.of(), isCancelled).statistics(targets));
  }

  private Coordination coordination(
      SearchSource source,
      CopyChoice choice,
      @Nullable Boolean isCached,
      List<List<Integer>> nearest,
      BooleanSupplier isCancelled) {
    return new Coordination(
        world, metadata, nodes, config, self, source, choice, isCached, nearest, isCancelled);
  }

  @Override
  public ScrollContexts scrolls() {
    return scrolls;
  }

  @Override
  public ShardContexts contexts() {
    return contexts;
  }

  @Override
  public PointsInTime pointsInTime() {
    return pointsInTime;
  }

  @Override
  public List<SegmentFigures> segments(ShardId shard) throws IOException {
    return NodeAnswers.segments(
        onCopy(shard, node -> node.ask(NodeQuestion.SEGMENTS, TargetJson.shard(shard))));
  }

  @Override
  public Map<String, Long> fileBytes(ShardId shard) throws IOException {
    return NodeAnswers.fileBytes(
        onCopy(shard, node -> node.ask(NodeQuestion.FILE_BYTES, TargetJson.shard(shard))));
  }

  @Override
  public ObjectNode ask(ShardId shard, String question, ObjectNode body) throws IOException {
    return onKnownCopy(
        shard,
        (node, since) -> {
          ObjectNode asked = TargetJson.sinceDivided(shard, since).put("question", question);
          asked.set("body", body);
          return node.ask(NodeQuestion.SHARD, asked);
        });
  }

  @Override
  public ObjectNode askIfOpen(ShardId shard, String question, ObjectNode body) throws IOException {
    ObjectNode asked = TargetJson.shard(shard).put("question", question);
    asked.put(NodeAnswers.IF_OPEN, true).set("body", body);
    return onCopy(shard, node -> node.ask(NodeQuestion.SHARD, asked));
  }

  @Override
  public Map<ShardId, SearchFigures> searched() {
    Map<ShardId, SearchFigures> searched = new HashMap<>();
    all()
        .ask(NodeQuestion.SEARCHES, Json.object())
        .values()
        .forEach(answer -> SearchFigures.addTo(searched, answer));
    return searched;
  }

  @Override
  public Map<ShardId, CacheFigures> caches() throws IOException {
    return new AllCaches(all()).figures();
  }

  @Override
  public void clearCaches(Set<IndexId> indices, boolean filters, boolean requests) {
    new AllCaches(all()).clear(indices, filters, requests);
  }

  private AllSearchNodes all() {
    return new AllSearchNodes(world, metadata, nodes);
  }

  @Override
  public List<FieldUseOfCopy> fieldUse(Set<IndexId> indices) {
    ObjectNode body = Json.object();
    TargetJson.putUuids(body, indices);
    return FieldUseOfCopy.read(all().ask(NodeQuestion.FIELD_USE, body));
  }

  @Override
  public RealTimeDocument get(ShardId shard, String id, boolean realTime) throws IOException {
    return realTime
        ? indexing.get(shard, id)
        : onKnownCopy(shard, (node, since) -> node.find(shard, since, id));
  }

  /// Asks a copy of a shard that may have been divided.
  @FunctionalInterface
  private interface AskingSince<T> {
    T ask(SearchNode node, long dividedSince) throws IOException, InterruptedException;
  }

  /// What a copy says of the documents that its shard has as this node knows it. One that has given
  /// some away since is asked once more when this node knows that, too: who asks looks then whether
  /// what is wanted is elsewhere.
  private <T> T onKnownCopy(ShardId shard, AskingSince<T> question) throws IOException {
    IndexMetadata index = metadata.current().indices().get(shard.index().name());
    ShardTarget target =
        index == null || !index.id().equals(shard.index())
            ? ShardTarget.of(shard)
            : ShardTarget.of(index, shard.number());
    try {
      return new RenewedTargets(world, metadata)
          .run(
              List.of(target),
              now -> {
                long since = now.getFirst().dividedSince();
                return onCopy(shard, node -> question.ask(node, since));
              });
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Refusal(ErrorType.TASK_CANCELLED, "interrupted while waiting for " + shard, e);
    }
  }

  @Override
  public long documents(ShardId shard) throws IOException {
    return onCopy(shard, node -> node.documents(shard));
  }

  private <T> T onCopy(ShardId shard, AnyCopy.Asking<T> question) throws IOException {
    CopyChoice choice = CopyChoice.of("_local", turn.getAndIncrement());
    try {
      return new AnyCopy(world, metadata, nodes, config, self).ask(shard, choice, question);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Refusal(ErrorType.TASK_CANCELLED, "interrupted while waiting for " + shard, e);
    }
  }
}
