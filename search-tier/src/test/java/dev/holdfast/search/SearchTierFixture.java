package dev.holdfast.search;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.blobcache.BlobCache;
import dev.holdfast.blobcache.region.CacheConfig;
import dev.holdfast.clusterstate.Build;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexId;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Member;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.Role;
import dev.holdfast.clusterstate.ShardAssignment;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.clusterstate.membership.Ownership;
import dev.holdfast.compoundcommit.BlobId;
import dev.holdfast.compoundcommit.notice.CommitNotice;
import dev.holdfast.compoundcommit.notice.IndexingReads;
import dev.holdfast.document.Mapping;
import dev.holdfast.document.mapping.StandardMappings;
import dev.holdfast.objectstore.MemoryStore;
import dev.holdfast.query.parse.SearchParser;
import dev.holdfast.query.request.SearchSource;
import dev.holdfast.search.coordination.SearchResponse;
import dev.holdfast.search.node.SearchConfig;
import dev.holdfast.search.node.ShardTarget;
import dev.holdfast.world.ByteSize;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.World;
import dev.holdfast.world.real.RealWorld;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/// What the tests of SearchTier share.
abstract class SearchTierFixture {
  static final IndexId BOOKS = new IndexId("books", "uuid");

  static final String MAPPING =
      """
      {"properties":{"n":{"type":"long"},"k":{"type":"keyword"},"t":{"type":"text"}}}\
      """;

  @TempDir Path folder;
  final World world = RealWorld.create();

  final MemoryStore store = new MemoryStore();

  final Mapping mapping = new StandardMappings().create(Json.parseObject(MAPPING), new TreeMap<>());

  final State metadata = new State();

  BlobCache cache;

  WrittenShard zero;

  WrittenShard one;

  /// How often the owner was asked for its newest commit.
  final AtomicInteger asked = new AtomicInteger();

  /// The owner says nothing before that.
  volatile CountDownLatch answers = new CountDownLatch(0);

  SearchTier tier;

  Searches searches;

  @BeforeEach
  void open() throws IOException {
    cache = new BlobCache(folder.resolve("cache"), ByteSize.mib(64), world, CacheConfig.defaults());
    zero = written(0, 1, "zero");
    one = written(1, 1, "one");
    SearchConfig config =
        new SearchConfig(
            2,
            100,
            4096,
            Duration.ofMillis(300),
            100,
            ByteSize.mib(8).bytes(),
            ByteSize.mib(1).bytes(),
            Duration.ofMinutes(30),
            Duration.ofMinutes(1),
            Duration.ofMinutes(1));
    StandardMappings mappings = new StandardMappings();
    tier =
        new SearchTier(
            world,
            store,
            metadata,
            new Self(),
            cache,
            mappings,
            new Reads(),
            config,
            folder.resolve("scratch"),
            null);
    searches = new Coordinator(world, store, metadata, member -> tier, new Reads(), config, "self");
  }

  WrittenShard written(int shard, long term, String name) throws IOException {
    return new WrittenShard(
        new ShardId(BOOKS, shard), term, mapping, store, cache, folder.resolve(name));
  }

  @AfterEach
  void close() throws IOException {
    tier.close();
    zero.close();
    one.close();
    cache.close();
    world.tasks().close();
  }

  List<String> ids(List<ShardTarget> targets, String body) throws Exception {
    SearchSource source = SearchParser.parse(Json.parseObject(body));
    return searches.searchShards(targets, source, () -> false).hits().stream()
        .map(hit -> String.valueOf(hit.id()))
        .toList();
  }

  long total() throws Exception {
    return searches
        .search(List.of(BOOKS), SearchParser.counting(null, 0, null), () -> false)
        .total();
  }

  JsonNode search(String body) throws Exception {
    SearchResponse response =
        searches.search(List.of(BOOKS), SearchParser.parse(Json.parseObject(body)), () -> false);
    StringWriter text = new StringWriter();
    try (JsonGenerator out = Json.MAPPER.createGenerator(text)) {
      out.writeStartObject();
      response.write(out, false, false);
      out.writeEndObject();
    }
    return Json.parse(text.toString());
  }

  /// What the indexing tier answers: chunks of what is not uploaded.
  final class Reads implements IndexingReads {
    @Override
    public Optional<byte[]> chunk(ShardId shard, BlobId blob, long offset, int length)
        throws IOException {
      return (shard.number() == 0 ? zero : one).chunk(blob, offset, length);
    }

    @Override
    public Optional<Path> localFile(ShardId shard, String file) {
      return Optional.empty();
    }

    @Override
    public CommitNotice newest(ShardId shard, String member, long stateVersion)
        throws InterruptedException {
      asked.incrementAndGet();
      answers.await();
      throw new Refusal(ErrorType.UNAVAILABLE_SHARDS, "nothing was committed");
    }

    @Override
    public void searched(ShardId shard) {}

    @Override
    public void upload(ShardId shard) throws IOException {
      tier.commit((shard.number() == 0 ? zero : one).upload());
    }

    @Override
    public RealTimeDocument get(ShardId shard, String id) {
      return RealTimeDocument.missing();
    }
  }

  static final ShardAssignment HERE =
      ShardAssignment.NONE.withCopy("self", ShardAssignment.Copy.STARTED);

  /// This node, never evicted.
  static final class Self implements Ownership {
    @Override
    public String nodeEphemeralId() {
      return "self";
    }

    @Override
    public boolean isStillMember() {
      return true;
    }

    @Override
    public boolean mayServe() {
      return true;
    }

    @Override
    public void evicted(String why) {}
  }

  /// The cluster state of one node that needs no leader.
  static final class State implements Metadata {
    final List<Listener> listeners = new ArrayList<>();
    ClusterState state =
        ClusterState.empty("cluster")
            .at(1, 1)
            .withIndex(
                new IndexMetadata(
                    BOOKS,
                    2,
                    new TreeMap<>(),
                    1,
                    Json.parseObject(MAPPING),
                    1,
                    new TreeMap<>(),
                    true,
                    List.of(1L, 1L)))
            .withMember(
                new Member(
                    "self",
                    "self",
                    "here:1",
                    new TreeSet<>(List.of(Role.SEARCH)),
                    1,
                    1,
                    false,
                    Build.here("test")))
            .withAssignment(new ShardId(BOOKS, 0), HERE)
            .withAssignment(new ShardId(BOOKS, 1), HERE);

    @Override
    public ClusterState current() {
      return state;
    }

    @Override
    public ClusterState update(String reason, UnaryOperator<ClusterState> change) {
      ClusterState before = state;
      state = change.apply(before);
      listeners.forEach(listener -> listener.changed(before, state));
      return state;
    }

    @Override
    public void listen(Listener listener) {
      listeners.add(listener);
      listener.changed(state, state);
    }
  }
}
