package dev.holdfast.routing;

import dev.holdfast.blobcache.BlobCache;
import dev.holdfast.blobcache.region.CacheConfig;
import dev.holdfast.clusterstate.ClusterConfig;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Role;
import dev.holdfast.clusterstate.ShardAssignment.Copy;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.clusterstate.TestCluster;
import dev.holdfast.compoundcommit.notice.NoticeCalls;
import dev.holdfast.document.mapping.StandardMappings;
import dev.holdfast.indexing.IndexingTier;
import dev.holdfast.indexing.call.IndexingCalls;
import dev.holdfast.indexing.node.IndexingConfig;
import dev.holdfast.indexing.node.LifeConfig;
import dev.holdfast.indexing.operation.WriteOperation;
import dev.holdfast.indexing.operation.WriteResult;
import dev.holdfast.indexing.sweep.SweepCalls;
import dev.holdfast.objectstore.MemoryStore;
import dev.holdfast.objectstore.budget.SpendingPace;
import dev.holdfast.query.parse.SearchParser;
import dev.holdfast.search.Coordinator;
import dev.holdfast.search.SearchCalls;
import dev.holdfast.search.SearchTier;
import dev.holdfast.search.coordination.SearchManner;
import dev.holdfast.search.coordination.SearchResponse;
import dev.holdfast.search.node.SearchConfig;
import dev.holdfast.search.node.SearchNode;
import dev.holdfast.translog.LogConfig;
import dev.holdfast.translog.NodeLog;
import dev.holdfast.world.ByteSize;
import dev.holdfast.world.Json;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// Whole nodes without HTTP in one process: cluster, tiers, routes, over one store and one network.
final class TestTiers implements AutoCloseable {
  final TestCluster cluster;
  final List<TestNode> nodes = new CopyOnWriteArrayList<>();
  private final Path folder;

  /// How new copies ask nodes that have one what they cache; null when they do not.
  volatile @Nullable UnaryOperator<SearchNode> asking = node -> node;

  TestTiers(Path folder) {
    this.folder = folder;
    this.cluster = new TestCluster(folder, new MemoryStore(), ClusterConfig.defaults().faster(2));
  }

  /// One process.
  final class TestNode {
    final TestCluster.TestMember member;
    final RoutedIndexing indexing;
    final Coordinator searches;
    final @Nullable IndexingTier indexingTier;
    final @Nullable SearchTier searchTier;
    final BlobCache cache;

    /// What its searches ask, by the id of the node.
    volatile BiFunction<String, SearchNode, SearchNode> beforeAnswers = (id, node) -> node;

    TestNode(LifeConfig life, Role... roles) throws Exception {
      member = cluster.start(roles);
      var node = member.node;
      var world = member.ownWorld;
      Path own = folder.resolve("node-" + node.nodeEphemeralId());
      StandardMappings mappings = new StandardMappings();
      NamedNetwork network = new NamedNetwork(member.wire, node.nodeEphemeralId());
      RemoteMembers.serve(network);
      RemoteMembers peers = new RemoteMembers(world, network, node);
      member.unreached = peers::lost;
      cache = new BlobCache(own.resolve("cache"), ByteSize.mib(32), world, CacheConfig.defaults());
      List<Role> mine = List.of(roles);
      UnaryOperator<SearchNode> warming = asking;
      SearchTier[] search = new SearchTier[1];
      SearchConfig config = SearchConfig.of(2, 1 << 28);
      indexingTier =
          mine.contains(Role.INDEX)
              ? new IndexingTier(
                  world,
                  cluster.store,
                  new NodeLog(world, cluster.store, node, LogConfig.unmetered()),
                  node,
                  node,
                  cache,
                  mappings,
                  id ->
                      search[0] != null && id.equals(node.nodeEphemeralId())
                          ? search[0]
                          : NoticeCalls.at(peers.memberInReach(id)),
                  IndexingConfig.of(1L << 28, 2)
                      .withDeletionGrace(Duration.ZERO)
                      .withMarkEvery(Duration.ofSeconds(1)),
                  life,
                  own.resolve("scratch"),
                  SpendingPace.unlimited())
              : null;
      indexing = new RoutedIndexing(world, node, peers, node.nodeEphemeralId(), indexingTier);
      searchTier =
          mine.contains(Role.SEARCH)
              ? new SearchTier(
                  world,
                  cluster.store,
                  node,
                  node,
                  cache,
                  mappings,
                  indexing,
                  config,
                  own.resolve("scratch-search"),
                  warming == null
                      ? null
                      : id ->
                          warming.apply(
                              SearchCalls.at(peers.memberInReach(id), mappings, config.queryMax())))
              : null;
      search[0] = searchTier;
      if (searchTier != null) {
        NoticeCalls.serve(network, searchTier);
        SearchCalls.serve(network, searchTier, mappings);
      }
      if (indexingTier != null) {
        IndexingCalls.serve(world, network, indexingTier);
        SweepCalls.serve(network, indexingTier);
        indexingTier.start();
      }
      searches =
          new Coordinator(
              world,
              cluster.store,
              node,
              id ->
                  beforeAnswers.apply(
                      id,
                      searchTier != null && id.equals(node.nodeEphemeralId())
                          ? searchTier
                          : SearchCalls.at(peers.memberInReach(id), mappings, config.queryMax())),
              indexing,
              config,
              node.nodeEphemeralId());
      nodes.add(this);
    }

    String id() {
      return member.node.nodeEphemeralId();
    }

    ClusterState state() {
      return member.node.current();
    }

    /// The process dies: nothing runs, nothing answers.
    void crash() throws IOException {
      nodes.remove(this);
      member.crash();
    }

    ShardId create(String name, int shards, int replicas) throws InterruptedException {
      return create(TestCluster.index(name, shards, replicas));
    }

    ShardId create(IndexMetadata index) throws InterruptedException {
      ClusterState _ = member.node.update("create", state -> state.withIndex(index));
      cluster.until("shards have owners and copies", () -> isReady(index));
      return new ShardId(index.id(), 0);
    }

    private boolean isReady(IndexMetadata index) {
      for (int number = 0; number < index.shards(); number++) {
        var assignment = state().assignment(new ShardId(index.id(), number));
        if (assignment.owner().isEmpty() || !assignment.copies().containsValue(Copy.STARTED)) {
          return false;
        }
      }
      return true;
    }

    WriteResult index(ShardId shard, String id, String json)
        throws IOException, InterruptedException {
      byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
      return indexing
          .write(
              shard,
              List.of(
                  new WriteOperation(
                      0,
                      WriteOperation.Kind.INDEX,
                      id,
                      false,
                      null,
                      bytes,
                      0,
                      bytes.length,
                      WriteOperation.Condition.NONE,
                      0)))
          .getFirst();
    }

    WriteResult append(ShardId shard, String json) throws IOException, InterruptedException {
      byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
      return indexing
          .write(
              shard,
              List.of(
                  new WriteOperation(
                      0,
                      WriteOperation.Kind.CREATE,
                      cluster.world.ids().documentId(),
                      true,
                      null,
                      bytes,
                      0,
                      bytes.length,
                      WriteOperation.Condition.NONE,
                      0)))
          .getFirst();
    }

    com.fasterxml.jackson.databind.JsonNode search(ShardId shard, String body, String preference)
        throws IOException, InterruptedException {
      SearchResponse response =
          searches.search(
              List.of(shard.index()),
              SearchParser.parse(Json.parseObject(body)),
              SearchManner.of(preference),
              () -> false);
      StringWriter text = new StringWriter();
      try (var out = Json.MAPPER.createGenerator(text)) {
        out.writeStartObject();
        response.write(out, false, false);
        out.writeEndObject();
      }
      return Json.parse(text.toString());
    }

    long count(ShardId shard) throws IOException, InterruptedException {
      return searches
          .search(List.of(shard.index()), SearchParser.counting(null, 0, null), () -> false)
          .total();
    }
  }

  TestNode start(Role... roles) throws Exception {
    return new TestNode(
        LifeConfig.defaults().withRefreshPatience(Duration.ofSeconds(10)).withDivisionPace(0),
        roles);
  }

  TestNode start(LifeConfig life, Role... roles) throws Exception {
    return new TestNode(life, roles);
  }

  /// The node that has a shard, as the newest node knows.
  TestNode owner(ShardId shard) {
    String owner = nodes.getLast().state().assignment(shard).owner();
    return nodes.stream().filter(node -> node.id().equals(owner)).findFirst().orElseThrow();
  }

  @Override
  public void close() throws IOException {
    for (TestNode node : new ArrayList<>(nodes)) {
      node.crash();
    }
    cluster.close();
  }
}
