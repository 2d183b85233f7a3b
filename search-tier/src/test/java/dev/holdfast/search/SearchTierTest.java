package dev.holdfast.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.blobcache.BlobCache;
import dev.holdfast.blobcache.CacheConfig;
import dev.holdfast.clusterstate.Build;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexId;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Member;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.Ownership;
import dev.holdfast.clusterstate.Role;
import dev.holdfast.clusterstate.ShardAssignment;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.compoundcommit.BlobId;
import dev.holdfast.compoundcommit.notice.CommitNotice;
import dev.holdfast.compoundcommit.notice.InUse;
import dev.holdfast.compoundcommit.notice.IndexingReads;
import dev.holdfast.document.Mapping;
import dev.holdfast.document.StandardMappings;
import dev.holdfast.objectstore.MemoryStore;
import dev.holdfast.query.SearchParser;
import dev.holdfast.query.SearchSource;
import dev.holdfast.world.ByteSize;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.World;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SearchTierTest {
  private static final IndexId BOOKS = new IndexId("books", "uuid");
  private static final String MAPPING =
      """
      {"properties":{"n":{"type":"long"},"k":{"type":"keyword"},"t":{"type":"text"}}}\
      """;

  @TempDir Path folder;
  private final World world = World.real();
  private final MemoryStore store = new MemoryStore();
  private final Mapping mapping =
      new StandardMappings().create(Json.parseObject(MAPPING), new TreeMap<>());
  private final State metadata = new State();
  private BlobCache cache;
  private WrittenShard zero;
  private WrittenShard one;
  private SearchTier tier;
  private Searches searches;

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
            folder.resolve("scratch"));
    searches = new Coordinator(world, store, metadata, member -> tier, new Reads(), config, "self");
  }

  private WrittenShard written(int shard, long term, String name) throws IOException {
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

  @Test
  void searchesBothShardsUploadedOrNot() throws Exception {
    // given
    zero.add("1", "{\"n\":1,\"k\":\"a\",\"t\":\"red fox\"}", "2", "{\"n\":4,\"k\":\"b\"}");
    one.add("3", "{\"n\":3,\"k\":\"a\",\"t\":\"red dog\"}", "4", "{ \"n\" : 2 }");
    tier.commit(zero.upload());
    tier.commit(one.refresh());
    // when
    JsonNode answer =
        search(
            """
            {"sort":[{"n":"desc"}],"size":3,
             "aggs":{"keys":{"terms":{"field":"k"},"aggs":{"total":{"sum":{"field":"n"}}}}}}\
            """);
    // then
    assertThat(answer.path("hits").path("hits").findValuesAsText("_id"))
        .containsExactly("2", "3", "4");
    assertThat(answer.at("/hits/total/value").asInt()).isEqualTo(4);
    assertThat(answer.at("/hits/total/relation").asText()).isEqualTo("eq");
    assertThat(answer.at("/hits/max_score").isNull()).isTrue();
    assertThat(answer.at("/hits/hits/2/_source").toString()).isEqualTo("{\"n\":2}");
    assertThat(answer.at("/hits/hits/0/sort/0").asInt()).isEqualTo(4);
    assertThat(answer.at("/_shards").toString())
        .isEqualTo("{\"total\":2,\"successful\":2,\"skipped\":0,\"failed\":0}");
    assertThat(answer.at("/aggregations/keys/buckets/0/key").asText()).isEqualTo("a");
    assertThat(answer.at("/aggregations/keys/buckets/0/doc_count").asInt()).isEqualTo(2);
    assertThat(answer.at("/aggregations/keys/buckets/0/total/value").asDouble()).isEqualTo(4);
    assertThat(search("{\"query\":{\"match\":{\"t\":\"fox\"}}}").at("/hits/hits/0/_id").asText())
        .isEqualTo("1");
  }

  @Test
  void whatAnEarlierOwnerSaysLateIsNotOpened() throws Exception {
    // given
    zero.add("1", "{\"n\":1}");
    CommitNotice late = zero.upload();
    metadata.update(
        "another owner",
        state -> state.withIndex(state.indices().get("books").withPrimaryTerms(List.of(2L, 1L))));
    assertThat(tier.inUse(zero.id, metadata.current().version()).blobs()).isEmpty();
    // when
    assertThatThrownBy(() -> tier.commit(late)).hasMessageContaining("earlier owner");
    // then
    assertThat(tier.inUse(zero.id, metadata.current().version()).blobs()).isEmpty();
  }

  @Test
  void laterSearchesSeeTheCommitAndOlderReadersAreReleased() throws Exception {
    // given
    zero.add("1", "{\"n\":1}");
    one.add("3", "{\"n\":3}");
    CommitNotice first = zero.refresh();
    tier.commit(first);
    tier.commit(one.upload());
    assertThat(total()).isEqualTo(2);
    // when
    zero.add("2", "{\"n\":2}");
    zero.delete("1");
    CommitNotice second = zero.upload();
    InUse inUse = tier.commit(second);
    // then
    assertThat(total()).isEqualTo(2);
    assertThat(tier.documents(zero.id)).isEqualTo(1);
    assertThat(inUse.generations()).containsExactly(second.commit().generation());
    assertThat(searches.get(zero.id, "2", false).exists()).isTrue();
    assertThat(searches.get(zero.id, "2", false).source()).asString().isEqualTo("{\"n\":2}");
    assertThat(searches.get(zero.id, "1", false).exists()).isFalse();
    // an older notice changes nothing
    assertThat(tier.commit(first).generations()).containsExactly(second.commit().generation());
    assertThat(tier.documents(zero.id)).isEqualTo(1);
  }

  @Test
  void aNewOwnerReplacesCommitsThatWereNeverUploaded() throws Exception {
    // given
    zero.add("1", "{\"n\":1}");
    tier.commit(zero.upload());
    zero.add("lost", "{\"n\":9}");
    tier.commit(zero.refresh());
    one.add("3", "{\"n\":3}");
    tier.commit(one.upload());
    // when
    try (WrittenShard owner = written(0, 2, "owner")) {
      owner.add("2", "{\"n\":2}", "5", "{\"n\":5}");
      tier.commit(owner.upload());
      // then
      assertThat(search("{\"sort\":[\"n\"]}").path("hits").path("hits").findValuesAsText("_id"))
          .containsExactly("1", "2", "3", "5");
    }
  }

  @Test
  void aShardWithoutCommitFailsAloneAndAllShardsFailTogether() throws Exception {
    zero.add("1", "{\"n\":1}");
    tier.commit(zero.upload());

    JsonNode partial = search("{}");

    assertThat(partial.at("/hits/total/value").asInt()).isEqualTo(1);
    assertThat(partial.at("/_shards/failed").asInt()).isEqualTo(1);
    assertThat(partial.at("/_shards/failures/0/reason/type").asText())
        .isEqualTo("no_shard_available_action_exception");
    tier.commit(one.upload());
    assertThatThrownBy(() -> search("{\"sort\":[\"zz\"]}"))
        .isInstanceOfSatisfying(
            Refusal.class,
            refusal -> {
              assertThat(refusal.reason()).isEqualTo("all shards failed");
              assertThat(refusal.status()).isEqualTo(400);
              assertThat(refusal.getCause())
                  .hasMessage("No mapping found for [zz] in order to sort on");
            });
  }

  @Test
  void copiesCloseWithTheirIndex() throws Exception {
    zero.add("1", "{\"n\":1}");
    tier.commit(zero.upload());

    metadata.update("delete", state -> state.withoutIndex("books"));

    assertThatThrownBy(() -> tier.documents(zero.id)).isInstanceOf(Refusal.class);
    assertThatThrownBy(() -> search("{}")).hasMessage("no such index [books]");
  }

  @Test
  void cancelledSearchesEnd() throws Exception {
    zero.add("1", "{\"n\":1}");
    tier.commit(zero.upload());
    one.add("2", "{\"n\":1}");
    tier.commit(one.upload());
    SearchSource source = SearchParser.parse(Json.parseObject("{\"query\":{\"match_all\":{}}}"));

    assertThatThrownBy(() -> searches.search(List.of(BOOKS), source, () -> true))
        .hasMessage("task cancelled");
  }

  @Test
  void aPinnedCommitIsSearchedAndReportedInUseUntilItIsClosed() throws Exception {
    // given
    zero.add("1", "{\"n\":1}");
    CommitNotice first = zero.upload();
    tier.commit(first);
    ShardTarget shard = ShardTarget.of(zero.id);
    ContextId pinned =
        searches.contexts().open(shard, ShardContexts.Kind.SCROLL, Duration.ofMinutes(1), "");
    // when
    zero.add("2", "{\"n\":2}");
    zero.delete("1");
    CommitNotice second = zero.upload();
    InUse inUse = tier.commit(second);
    // then
    assertThat(inUse.generations())
        .containsExactly(first.commit().generation(), second.commit().generation());
    assertThat(ids(List.of(shard.at(pinned)), "{\"sort\":[\"n\"]}")).containsExactly("1");
    assertThat(ids(List.of(shard), "{\"sort\":[\"n\"]}")).containsExactly("2");
    // when
    assertThat(searches.contexts().close(List.of(pinned))).containsExactly(pinned);
    // then
    assertThat(tier.commit(second).generations()).containsExactly(second.commit().generation());
    assertThat(searches.scrolls().progress(List.of(pinned), Duration.ofMinutes(1))).isEmpty();
  }

  @Test
  void aScrollShowsEachDocumentOnceInEveryOrder() throws Exception {
    for (String sort : List.of("[]", "[\"_doc\"]", "[{\"n\":\"desc\"}]", "[\"k\",\"_score\"]")) {
      // given
      zero.add(
          "1" + sort, "{\"n\":1,\"k\":\"a\"}", "2" + sort, "{\"n\":1}", "3" + sort, "{\"n\":7}");
      one.add("4" + sort, "{\"k\":\"a\"}", "5" + sort, "{\"n\":1,\"k\":\"b\"}");
      tier.commit(zero.refresh());
      tier.commit(one.refresh());
      List<ShardTarget> pinned = new ArrayList<>();
      for (ShardId shard : List.of(zero.id, one.id)) {
        ShardTarget target = ShardTarget.of(shard);
        pinned.add(
            target.at(
                searches
                    .contexts()
                    .open(target, ShardContexts.Kind.SCROLL, Duration.ofMinutes(1), "")));
      }
      long total = total();
      zero.add("late" + sort, "{\"n\":0}");
      tier.commit(zero.refresh());
      // when
      List<String> shown = new ArrayList<>();
      List<String> page;
      long pages = 0;
      do {
        SearchResponse response =
            searches.searchShards(
                pinned,
                SearchParser.parse(
                    Json.parseObject(
                        "{\"size\":2,\"track_total_hits\":true,\"sort\":" + sort + "}")),
                () -> false);
        assertThat(response.total()).isEqualTo(total);
        page = response.hits().stream().map(hit -> String.valueOf(hit.id())).toList();
        shown.addAll(page);
        assertThat(searches.scrolls().settle(contexts(pinned), ++pages, Duration.ofMinutes(1)))
            .hasSize(2);
      } while (!page.isEmpty());
      // then
      assertThat(shown).doesNotHaveDuplicates().hasSize((int) total);
      assertThat(shown).doesNotContain("late" + sort);
    }
    assertThat(searches.contexts().closeAll(ShardContexts.Kind.SCROLL)).isEqualTo(8);
  }

  private static List<ContextId> contexts(List<ShardTarget> pinned) {
    return pinned.stream().map(target -> Objects.requireNonNull(target.context())).toList();
  }

  @Test
  void slicesAreDisjointAndComplete() throws Exception {
    for (int i = 0; i < 40; i++) {
      (i % 2 == 0 ? zero : one).add("" + i, "{\"n\":" + i + "}");
    }
    tier.commit(zero.refresh());
    tier.commit(one.refresh());
    for (String field : Arrays.asList(null, "n")) {
      for (int max : new int[] {2, 3, 7}) {
        List<String> all = new ArrayList<>();
        for (int id = 0; id < max; id++) {
          ShardTarget.Slice slice = new ShardTarget.Slice(id, max, field);
          all.addAll(
              ids(
                  List.of(
                      new ShardTarget(zero.id, null, null, slice),
                      new ShardTarget(one.id, null, null, slice)),
                  "{\"size\":100}"));
        }
        assertThat(all).doesNotHaveDuplicates().hasSize(40);
      }
    }
  }

  private List<String> ids(List<ShardTarget> targets, String body) throws Exception {
    SearchSource source = SearchParser.parse(Json.parseObject(body));
    return searches.searchShards(targets, source, () -> false).hits().stream()
        .map(hit -> String.valueOf(hit.id()))
        .toList();
  }

  private long total() throws Exception {
    return searches
        .search(List.of(BOOKS), SearchParser.counting(null, 0, null), () -> false)
        .total();
  }

  private JsonNode search(String body) throws Exception {
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
  private final class Reads implements IndexingReads {
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
    public CommitNotice newest(ShardId shard, String member, long stateVersion) {
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

  private static final ShardAssignment HERE =
      ShardAssignment.NONE.withCopy("self", ShardAssignment.Copy.STARTED);

  /// This node, never evicted.
  private static final class Self implements Ownership {
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
  private static final class State implements Metadata {
    private final List<Listener> listeners = new ArrayList<>();
    private ClusterState state =
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
