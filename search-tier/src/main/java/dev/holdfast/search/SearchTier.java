package dev.holdfast.search;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.blobcache.blob.BlobInputs;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.clusterstate.membership.Ownership;
import dev.holdfast.compoundcommit.BlobId;
import dev.holdfast.compoundcommit.notice.CommitNotice;
import dev.holdfast.compoundcommit.notice.InUse;
import dev.holdfast.compoundcommit.notice.IndexingReads;
import dev.holdfast.compoundcommit.notice.IndexingReads.RealTimeDocument;
import dev.holdfast.compoundcommit.notice.SearchNotices;
import dev.holdfast.document.MappingFactory;
import dev.holdfast.document.NestedDocuments;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.query.parse.Queries;
import dev.holdfast.query.result.Hit;
import dev.holdfast.search.cache.CacheFigures;
import dev.holdfast.search.copy.CopyWarming;
import dev.holdfast.search.copy.OpenCommit;
import dev.holdfast.search.copy.SearchCopies;
import dev.holdfast.search.copy.SearchCopyInfo;
import dev.holdfast.search.copy.SearchMappings;
import dev.holdfast.search.execution.DocumentById;
import dev.holdfast.search.execution.LocalSearch;
import dev.holdfast.search.execution.NodeAnswers;
import dev.holdfast.search.execution.SearchContexts;
import dev.holdfast.search.execution.SearchPhases;
import dev.holdfast.search.figures.SearchCounters;
import dev.holdfast.search.figures.SearchFigures;
import dev.holdfast.search.held.HeldCommits;
import dev.holdfast.search.held.PinKeeping;
import dev.holdfast.search.held.PinStore;
import dev.holdfast.search.held.RestoredCommits;
import dev.holdfast.search.node.FetchRequest;
import dev.holdfast.search.node.NodeQuestion;
import dev.holdfast.search.node.QueryAnswer;
import dev.holdfast.search.node.QueryRequest;
import dev.holdfast.search.node.SearchConfig;
import dev.holdfast.search.node.SearchNode;
import dev.holdfast.search.node.SearchNodes;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.WorkPool;
import dev.holdfast.world.World;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.function.BooleanSupplier;
import org.apache.lucene.util.IOUtils;
import org.jspecify.annotations.Nullable;

/// The search tier of one node (§3): its search copies, as the cluster state says, and the phases
/// of searches over them.
public final class SearchTier implements SearchNode, SearchNotices, AutoCloseable {
  /// A phase on a shard that takes longer shares the processors with others.
  private static final Duration LONG = Duration.ofMillis(50);

  private final Ownership ownership;
  private final SearchConfig config;
  final SearchCopies copies; // seen by tests, which hold commits of it
  private final SearchMappings mappings;
  private final WorkPool pool;
  private final CopyWarming warming;
  private final SearchCounters counters;
  private final SearchContexts contexts;
  private final HeldCommits commits;
  private final LocalSearch local;
  private final NodeAnswers answers;

  /// Copies open and close as the cluster state says.
  ///
  /// @param store where uploaded blobs lie
  /// @param inputs the blob cache
  /// @param ownership says whether searches may be answered
  /// @param indexing the indexing tier, for what is not uploaded yet
  /// @param scratchFolder for bytes that no restart needs
  /// @param nodes the search nodes, whose caches a new copy is told of; null for none
  public SearchTier(
      World world,
      ObjectStore store,
      Metadata metadata,
      Ownership ownership,
      BlobInputs inputs,
      MappingFactory mappings,
      IndexingReads indexing,
      SearchConfig config,
      Path scratchFolder,
      @Nullable SearchNodes nodes)
      throws IOException {
    IOUtils.rm(scratchFolder); // of a process that is dead
    this.ownership = ownership;
    this.config = config;
    this.mappings = new SearchMappings(mappings);
    warming = new CopyWarming(world, store, metadata, ownership, inputs, nodes);
    copies =
        new SearchCopies(
            world, store, inputs, metadata, ownership, indexing, config, scratchFolder, this::warm);
    pool = world.tasks().fairPool("search", config.threads(), config.queueMax(), LONG);
    contexts = new SearchContexts(world, config.contextKept());
    counters = new SearchCounters(world.clock());
    PinStore pins = new PinStore(store);
    commits =
        new HeldCommits(
            world,
            ownership.nodeEphemeralId(),
            metadata,
            copies,
            new RestoredCommits(world, store, pins, copies),
            new PinKeeping(world, pins),
            counters);
    local =
        new LocalSearch(
            world,
            ownership.nodeEphemeralId(),
            metadata,
            copies,
            this.mappings,
            pool,
            contexts,
            commits,
            copies.caches().requests(),
            counters);
    answers = new NodeAnswers(world, metadata, copies, this.mappings, commits, warming);
    Queries.limitClauses(config.clausesMax());
    metadata.listen((before, now) -> follow(now));
  }

  SearchConfig config() {
    return config;
  }

  /// The pool that searches run in, for its figures.
  public WorkPool pool() {
    return pool;
  }

  /// How long the phases of searches take here.
  public SearchPhases phases() {
    return local.phases();
  }

  /// Every copy of this node.
  public List<SearchCopyInfo> sights() {
    return copies.sights();
  }

  /// What this node's caches hold and have done, by shard.
  public Map<ShardId, CacheFigures> caches() {
    return copies.caches().figures();
  }

  /// What was searched here, by shard, since the node was started.
  public Map<ShardId, SearchFigures> searched() {
    return commits.searched();
  }

  /// Searches whose hits are still to be fetched.
  public int openContexts() {
    return contexts.open();
  }

  /// Copies that hold no reader because nobody searches them.
  public int hollowCopies() {
    return copies.hollow();
  }

  @Override
  public QueryAnswer query(QueryRequest request, BooleanSupplier isCancelled)
      throws IOException, InterruptedException {
    requireServing();
    return local.query(request, isCancelled);
  }

  @Override
  public List<Hit> fetch(FetchRequest request) throws IOException, InterruptedException {
    return local.fetch(request);
  }

  @Override
  public void release(String search) throws IOException {
    local.release(search);
  }

  @Override
  public RealTimeDocument find(ShardId shard, long dividedSince, String id)
      throws IOException, InterruptedException {
    requireServing();
    OpenCommit opened = copies.acquire(shard, dividedSince, SearchConfig.NO_TIMEOUT, () -> false);
    try {
      return DocumentById.find(opened.reader(), local.mapping(shard).sources(), id);
    } finally {
      opened.release();
    }
  }

  @Override
  public long documents(ShardId shard) throws IOException, InterruptedException {
    requireServing();
    OpenCommit opened = copies.acquire(shard);
    try {
      return NestedDocuments.countRoots(opened.reader());
    } finally {
      opened.release();
    }
  }

  @Override
  public ObjectNode ask(NodeQuestion question, ObjectNode body)
      throws IOException, InterruptedException {
    if (NodeAnswers.inner(question, body).readsCommits()) {
      requireServing();
    }
    return answers.answer(question, body);
  }

  /// A node that may have been evicted must not serve what others have replaced.
  private void requireServing() {
    ownership.requireServingReads(ErrorType.NO_SHARD_AVAILABLE, "no search is answered");
  }

  @Override
  public InUse commit(CommitNotice notice) throws IOException {
    SortedSet<BlobId> unopened = commits.unopenedBlobs(notice.shard());
    return copies.commit(notice).with(unopened);
  }

  /// @throws Refusal while the newest commit is being asked for: nobody here knows which it is, and
  ///   so what will be read
  @Override
  public InUse inUse(ShardId shard, long stateVersion) throws IOException {
    copies.awaitState(shard, stateVersion);
    copies.requireKnown(shard);
    return read(shard);
  }

  /// What searches read here now.
  public InUse read(ShardId shard) {
    // In this order: what is opened in between is in both.
    SortedSet<BlobId> unopened = commits.unopenedBlobs(shard);
    return copies.inUse(shard).with(unopened);
  }

  private void warm(ShardId shard) throws InterruptedException {
    warming.warm(shard, copies.inUse(shard).blobs());
  }

  private void follow(ClusterState state) {
    mappings.keepOnly(state);
    counters.keepOnly(state);
    copies.follow(state);
  }

  @Override
  public void close() throws IOException {
    contexts.close();
    commits.close();
    local.close();
    copies.close();
    pool.close();
  }
}
