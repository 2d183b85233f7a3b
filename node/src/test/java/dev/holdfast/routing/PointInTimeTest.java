package dev.holdfast.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.clusterstate.Role;
import dev.holdfast.clusterstate.ShardAssignment;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.compoundcommit.BlobId;
import dev.holdfast.compoundcommit.PointInTimePin;
import dev.holdfast.compoundcommit.store.CommitStore;
import dev.holdfast.indexing.sweep.OrphanSweep;
import dev.holdfast.indexing.sweep.SweepCalls;
import dev.holdfast.indexing.sweep.SweepConfig;
import dev.holdfast.objectstore.ObjectBody;
import dev.holdfast.objectstore.StoreException;
import dev.holdfast.objectstore.open.StoreClock;
import dev.holdfast.query.parse.SearchParser;
import dev.holdfast.query.request.SearchSource;
import dev.holdfast.routing.TestTiers.TestNode;
import dev.holdfast.search.context.ContextIds;
import dev.holdfast.search.coordination.SearchResponse;
import dev.holdfast.search.node.ContextId;
import dev.holdfast.search.node.ShardContexts;
import dev.holdfast.search.node.ShardTarget;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Points in time outlive refreshes, merges, and the nodes that hold them. Here blobs are deleted
/// as soon as nobody holds them.
@Timeout(60)
final class PointInTimeTest {
  private static final Duration LONG = Duration.ofMinutes(1);

  @TempDir Path folder;
  private TestTiers tiers;

  @BeforeEach
  void open() {
    tiers = new TestTiers(folder);
  }

  @AfterEach
  void close() throws Exception {
    tiers.close();
  }

  private static List<ShardTarget> shards(ShardId zero, int count) {
    List<ShardTarget> targets = new ArrayList<>();
    for (int number = 0; number < count; number++) {
      targets.add(ShardTarget.of(new ShardId(zero.index(), number)));
    }
    return targets;
  }

  private static JsonNode search(TestNode node, ContextIds ids) throws Exception {
    List<ShardTarget> targets =
        ids.shards().stream()
            .map(held -> new ShardTarget(held.shard(), held.context(), null, null, 60_000))
            .toList();
    SearchSource source =
        SearchParser.parse(
            Json.parseObject(
                "{\"size\":20,\"sort\":[\"a\"],\"aggs\":{\"s\":{\"sum\":{\"field\":\"a\"}}}}"));
    SearchResponse response = node.searches.searchShards(targets, source, () -> false);
    StringWriter text = new StringWriter();
    try (var out = Json.MAPPER.createGenerator(text)) {
      out.writeStartObject();
      response.write(out, false, false);
      out.writeEndObject();
    }
    return Json.parse(text.toString());
  }

  private static void fill(TestNode node, ShardId zero, int from, int to) throws Exception {
    for (int i = from; i < to; i++) {
      var _ = node.index(new ShardId(zero.index(), i % 2), "d" + i, "{\"a\":" + i + "}");
    }
    for (int number = 0; number < 2; number++) {
      node.indexing.refresh(new ShardId(zero.index(), number));
    }
  }

  /// All documents are replaced, segments merged, and what is left uploaded.
  private static void replace(TestNode node, ShardId zero) throws Exception {
    for (int i = 0; i < 10; i++) {
      var _ = node.index(new ShardId(zero.index(), i % 2), "d" + i, "{\"a\":1000}");
    }
    for (int number = 0; number < 2; number++) {
      node.indexing.forceMerge(new ShardId(zero.index(), number), 1, false);
    }
  }

  private List<BlobId> blobs(ShardId shard) {
    try {
      return new CommitStore(tiers.cluster.store, shard).list();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private List<BlobId> pinned(ContextIds ids, ShardId shard) throws IOException {
    String key = PointInTimePin.key(ids.pin());
    byte[] bytes = tiers.cluster.store.get(key).orElseThrow().bytes();
    return List.copyOf(PointInTimePin.read(key, bytes).of(shard).orElseThrow().blobs());
  }

  private int pins() {
    try {
      return tiers.cluster.store.list(PointInTimePin.FOLDER, "", 10).size();
    } catch (StoreException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void assertSame(JsonNode found, JsonNode before) {
    assertThat(found.at("/_shards/failed").asInt()).as(found.toString()).isZero();
    assertThat(found.path("hits")).isEqualTo(before.path("hits"));
    assertThat(found.path("aggregations")).isEqualTo(before.path("aggregations"));
  }

  @Test
  void anotherSearchNodeGoesOnWithIt() throws Exception {
    // given
    TestNode index = tiers.start(Role.INDEX);
    tiers.start(Role.SEARCH);
    ShardId shard = index.create("books", 2, 1);
    fill(index, shard, 0, 10);
    ContextIds ids = index.searches.pointsInTime().open(shards(shard, 2), LONG);
    JsonNode before = search(index, ids);
    List<BlobId> pinned = pinned(ids, shard);
    // when: everything is replaced, and the node that holds the commits dies
    replace(index, shard);
    TestNode other = tiers.start(Role.SEARCH);
    tiers.nodes.get(1).crash();
    // then
    assertThat(before.at("/hits/hits").findValuesAsText("_id")).hasSize(10);
    assertSame(search(index, ids), before);
    assertSame(search(other, ids), before);
    assertThat(index.count(shard)).isEqualTo(10);
    assertThat(blobs(shard)).containsAll(pinned);
    // when
    assertThat(index.searches.pointsInTime().close(ids)).isEqualTo(2);
    // then
    assertThat(pins()).isZero();
    var _ = index.index(shard, "last", "{\"a\":1}");
    index.indexing.flush(shard);
    tiers.cluster.until(
        "what it pinned is gone", () -> blobs(shard).stream().noneMatch(pinned::contains));
    assertThatThrownBy(() -> search(index, ids))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("all shards failed");
  }

  @Test
  void aNodeThatHasLetGoOfItLeavesItToAnother() throws Exception {
    // given
    TestNode index = tiers.start(Role.INDEX);
    tiers.start(Role.SEARCH);
    tiers.start(Role.SEARCH);
    ShardId shard = index.create("books", 2, 2);
    fill(index, shard, 0, 10);
    tiers.cluster.until(
        "both copies are started",
        () ->
            index.state().assignment(shard).copies().values().stream()
                    .filter(ShardAssignment.Copy.STARTED::equals)
                    .count()
                == 2);
    ContextIds ids = index.searches.pointsInTime().open(shards(shard, 2), LONG);
    JsonNode before = search(index, ids);
    // when
    List<ContextIds.Held> unknown =
        ids.shards().stream()
            .map(held ->
                new ContextIds.Held(
                    held.shard(),
                    new ContextId(
                        held.context().node(), 999, ShardContexts.Kind.POINT_IN_TIME, ids.pin())))
            .toList();
    ContextIds moved = new ContextIds(ShardContexts.Kind.POINT_IN_TIME, ids.pin(), unknown);
    // then
    assertSame(search(index, moved), before);
    assertThat(index.searches.pointsInTime().close(ids)).isEqualTo(2);
    assertThatThrownBy(() -> search(index, moved)).isInstanceOf(Refusal.class);
  }

  @Test
  void itIsThereAfterAllNodesWereKilled() throws Exception {
    // given
    TestNode first = tiers.start(Role.INDEX, Role.SEARCH);
    ShardId shard = first.create("books", 2, 1);
    fill(first, shard, 0, 10);
    ContextIds ids = first.searches.pointsInTime().open(shards(shard, 2), LONG);
    JsonNode before = search(first, ids);
    List<BlobId> pinned = pinned(ids, shard);
    fill(first, shard, 10, 20);
    // when
    first.crash();
    TestNode second = tiers.start(Role.INDEX, Role.SEARCH);
    // then
    assertSame(search(second, ids), before);
    assertThat(second.count(shard)).isEqualTo(20);
    // when: again, and this time all is replaced before anybody asks
    second.crash();
    TestNode third = tiers.start(Role.INDEX, Role.SEARCH);
    assertThat(third.count(shard)).isEqualTo(20);
    replace(third, shard);
    third.indexing.flush(shard);
    // then
    assertThat(blobs(shard)).containsAll(pinned);
    assertSame(search(third, ids), before);
    // when
    assertThat(third.searches.pointsInTime().close(ids)).isEqualTo(2);
    var _ = third.index(shard, "last", "{\"a\":1}");
    third.indexing.flush(shard);
    // then
    tiers.cluster.until(
        "what it pinned is gone", () -> blobs(shard).stream().noneMatch(pinned::contains));
    assertThat(pins()).isZero();
  }

  @Test
  void whenNobodyAsksForItItEndsWithItsPin() throws Exception {
    TestNode node = tiers.start(Role.INDEX, Role.SEARCH);
    ShardId shard = node.create("books", 2, 1);
    fill(node, shard, 0, 10);

    ContextIds ids = node.searches.pointsInTime().open(shards(shard, 2), Duration.ofMillis(100));

    assertThat(pins()).isEqualTo(1);
    tiers.cluster.until("the pin is gone", () -> pins() == 0);
    assertThat(node.searches.pointsInTime().close(ids)).isZero();
  }

  /// While it is opened nobody lets go of its commits, which is looked at now and then.
  @Test
  void itIsOpenedHoweverShortlyItIsToBeKept() throws Exception {
    TestNode node = tiers.start(Role.INDEX, Role.SEARCH);
    ShardId shard = node.create("books", 2, 1);
    fill(node, shard, 0, 10);
    long startNanos = System.nanoTime();

    while (System.nanoTime() - startNanos < 5_000_000_000L) {
      ContextIds ids = node.searches.pointsInTime().open(shards(shard, 2), Duration.ZERO);
      int _ = node.searches.pointsInTime().close(ids);
    }
  }

  @Test
  void aPinThatNobodyClosedIsSweptWhenItIsOver() throws Exception {
    // given
    TestNode node = tiers.start(Role.INDEX, Role.SEARCH);
    ShardId shard = node.create("books", 2, 1);
    fill(node, shard, 0, 10);
    ContextIds ids = node.searches.pointsInTime().open(shards(shard, 2), LONG);
    String key = PointInTimePin.key(ids.pin());
    byte[] bytes = tiers.cluster.store.get(key).orElseThrow().bytes();
    PointInTimePin pin = PointInTimePin.read(key, bytes);
    PointInTimePin over =
        new PointInTimePin("over", tiers.cluster.world.clock().epochMillis() - 1000, pin.commits());
    tiers.cluster.store.put(PointInTimePin.key("over"), ObjectBody.of(over.bytes()));
    // when
    RemoteMembers peers =
        new RemoteMembers(node.member.ownWorld, node.member.wire, node.member.node);
    OrphanSweep sweep =
        new OrphanSweep(
            node.member.ownWorld,
            tiers.cluster.store,
            new StoreClock(node.member.ownWorld, tiers.cluster.store),
            node.member.node,
            node.member.node,
            member -> SweepCalls.at(peers.member(member)),
            new SweepConfig(Duration.ofMillis(50), Duration.ZERO, Duration.ofMillis(100)));
    sweep.start();
    // then
    tiers.cluster.until("it is swept", () -> sweep.report().deletedPins() == 1);
    assertThat(tiers.cluster.store.list(PointInTimePin.FOLDER, "", 10))
        .extracting(listed -> listed.key())
        .containsExactly(key);
  }
}
