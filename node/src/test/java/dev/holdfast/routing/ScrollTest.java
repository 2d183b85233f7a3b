package dev.holdfast.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.search.Scrolls;
import dev.holdfast.clusterstate.Role;
import dev.holdfast.clusterstate.ShardAssignment.Copy;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.query.parse.SearchParser;
import dev.holdfast.routing.TestTiers.TestNode;
import dev.holdfast.search.context.ContextIds;
import dev.holdfast.search.node.ContextId;
import dev.holdfast.search.node.SearchNode;
import dev.holdfast.search.node.ShardContexts;
import dev.holdfast.search.node.ShardTarget;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Scrolls of a cluster whose search nodes die or are out of reach for a while.
@Timeout(60)
final class ScrollTest {
  private static final int DOCUMENTS = 20;
  private static final Duration LONG = Duration.ofMinutes(5);

  @TempDir Path folder;
  private TestTiers tiers;
  private TestNode proxy;
  private TestNode index;
  private ShardId shard;
  private Scrolls scrolls;

  @BeforeEach
  void open() throws Exception {
    tiers = new TestTiers(folder);
    proxy = tiers.start(Role.PROXY);
    index = tiers.start(Role.INDEX);
    tiers.start(Role.SEARCH);
    tiers.start(Role.SEARCH);
    scrolls = new Scrolls(proxy.member.node, proxy.searches);
    fill("books", 2);
  }

  /// Scrolls are over this index from now on: two shards, written and refreshed, not uploaded.
  private void fill(String name, int copies) throws Exception {
    shard = proxy.create(name, 2, copies);
    for (int i = 0; i < DOCUMENTS; i++) {
      var _ = index.index(shard(i % 2), "d" + i, "{\"a\":" + i + "}");
    }
    for (int number = 0; number < 2; number++) {
      int at = number;
      tiers.cluster.until("copies are started", () -> started(at) == copies);
      index.indexing.refresh(shard(number));
    }
  }

  @AfterEach
  void close() throws Exception {
    tiers.close();
  }

  private ShardId shard(int number) {
    return new ShardId(shard.index(), number);
  }

  private long started(int number) {
    return proxy.state().assignment(shard(number)).copies().values().stream()
        .filter(Copy.STARTED::equals)
        .count();
  }

  private Scrolls.Page begin(String sort) throws Exception {
    ObjectNode body = Json.parseObject("{\"size\":3,\"sort\":[" + sort + "]}");
    List<ShardTarget> targets = List.of(ShardTarget.of(shard(0)), ShardTarget.of(shard(1)));
    return scrolls.begin(targets, body, false, LONG, () -> false);
  }

  private Scrolls.Page next(String id) throws Exception {
    return scrolls.next(id, LONG, () -> false);
  }

  private static List<String> ids(Scrolls.Page page) {
    return page.response().hits().stream().map(hit -> String.valueOf(hit.id())).toList();
  }

  /// The node that the contexts of a shard are on, which are asked first.
  private TestNode holder(String id) {
    return node(first(id).context());
  }

  private static ContextIds.Held first(String id) {
    return ContextIds.parse(ShardContexts.Kind.SCROLL, id).shards().getFirst();
  }

  private TestNode node(@Nullable ContextId context) {
    assertThat(context).isNotNull();
    return tiers.nodes.stream()
        .filter(one -> one.id().equals(context.node()))
        .findFirst()
        .orElseThrow();
  }

  private interface Disturbance {
    void happen() throws Exception;
  }

  /// Every hit of a scroll, some of whose pages something happens before.
  ///
  /// @param renews whether the id of the last page is used, or that of the first
  private List<String> all(
      Scrolls.Page first, boolean renews, Disturbance before3, Disturbance before5)
      throws Exception {
    return all(first, renews, Map.of(3, before3, 5, before5));
  }

  /// @param before what happens before pages, by their numbers, the first page being 1
  private List<String> all(Scrolls.Page first, boolean renews, Map<Integer, Disturbance> before)
      throws Exception {
    List<String> shown = new ArrayList<>(ids(first));
    Scrolls.Page page = first;
    for (int number = 2; !ids(page).isEmpty(); number++) {
      before.getOrDefault(number, () -> {}).happen();
      page = next(renews ? page.scrollId() : first.scrollId());
      assertThat(page.response().failedShards()).isZero();
      shown.addAll(ids(page));
    }
    return shown;
  }

  @Test
  void itGoesOnWhenTheNodeThatHoldsItDies() throws Exception {
    Scrolls.Page first = begin("{\"a\":\"desc\"}");
    TestNode holder = holder(first.scrollId());

    List<String> shown = all(first, true, holder::crash, () -> {});

    assertThat(shown).hasSize(DOCUMENTS).doesNotHaveDuplicates().startsWith("d19", "d18");
  }

  @Test
  void itGoesOnForAClientThatUsesTheFirstIdOnly() throws Exception {
    Scrolls.Page first = begin("\"_doc\"");
    TestNode holder = holder(first.scrollId());

    List<String> shown = all(first, false, holder::crash, () -> {});

    assertThat(shown).hasSize(DOCUMENTS).doesNotHaveDuplicates();
  }

  /// The usual: one copy a shard, whose node alone is asked.
  @Test
  void itGoesOnWhenTheNodeOfTheOnlyCopyDies() throws Exception {
    fill("alone", 1);
    Scrolls.Page first = begin("{\"a\":\"desc\"}");

    List<String> shown = all(first, true, holder(first.scrollId())::crash, () -> {});

    assertThat(shown).hasSize(DOCUMENTS).doesNotHaveDuplicates().startsWith("d19", "d18");
  }

  @Test
  void theOnlyCopyDiesAndTheClientUsesTheFirstIdOnly() throws Exception {
    fill("alone", 1);
    Scrolls.Page first = begin("\"_doc\"");

    List<String> shown = all(first, false, holder(first.scrollId())::crash, () -> {});

    assertThat(shown).hasSize(DOCUMENTS).doesNotHaveDuplicates();
  }

  /// A frozen node answers nobody and is not known to be dead yet.
  @Test
  void theNodeOfTheOnlyCopyIsCutOff() throws Exception {
    fill("alone", 1);
    Scrolls.Page first = begin("{\"a\":\"asc\"}");
    TestNode holder = holder(first.scrollId());

    List<String> shown = all(first, true, () -> cutOff(holder), () -> {});

    assertThat(shown).hasSize(DOCUMENTS).doesNotHaveDuplicates();
  }

  @Test
  void aContextThatWasLostIsMadeUpForOnAThirdNode() throws Exception {
    var _ = tiers.start(Role.SEARCH);
    Scrolls.Page first = begin("{\"a\":\"asc\"}");
    List<String> shown = new ArrayList<>(ids(first));
    ContextIds.Held before = first(first.scrollId());
    node(before.context()).crash();
    Scrolls.Page second = next(first.scrollId());
    shown.addAll(ids(second));
    ContextIds.Held after = first(second.scrollId());
    assertThat(after.context()).isEqualTo(before.spare());
    assertThat(after.spare()).isNotNull().isNotEqualTo(before.spare());
    node(after.context()).crash();

    shown.addAll(all(next(second.scrollId()), true, () -> {}, () -> {}));

    assertThat(shown).hasSize(DOCUMENTS).doesNotHaveDuplicates();
  }

  @Test
  void aHolderThatMissesThePageAfterTheFirstRepeatsNothingForTheFirstId() throws Exception {
    Scrolls.Page first = begin("{\"a\":\"asc\"}");
    TestNode holder = holder(first.scrollId());

    List<String> shown = all(first, false, Map.of(2, () -> cutOff(holder), 3, this::heal));

    assertThat(shown).hasSize(DOCUMENTS).doesNotHaveDuplicates();
  }

  @Test
  void aContextThatMissedAPageIsNotUsedWhenTheOtherDies() throws Exception {
    fill("alone", 1);
    Scrolls.Page first = begin("{\"a\":\"asc\"}");
    ContextIds.Held held = first(first.scrollId());
    cutOff(node(held.context()));
    Scrolls.Page second = next(first.scrollId());
    TestNode other = node(held.spare());
    heal();

    other.crash();

    assertThatThrownBy(() -> next(second.scrollId()))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("all shards failed");
  }

  private void cutOff(TestNode node) {
    tiers.cluster.network.part(proxy.member.address, node.member.address);
  }

  private void heal() throws Exception {
    tiers.cluster.network.healAll();
    tiers.cluster.until("it is reached again", () -> proxy.member.unreached.get().isEmpty());
  }

  /// The other shards of the page have gone on meanwhile.
  @Test
  void aPageWhoseHitsWereLostOnOneOfTwoNodesIsWhole() throws Exception {
    Scrolls.Page first = begin("{\"a\":\"asc\"}");
    while (nodes(first.scrollId()).size() == 1) {
      first = begin("{\"a\":\"asc\"}");
    }
    TestNode holder = holder(first.scrollId());

    List<String> shown = all(first, true, () -> loseHitsOnce(holder), () -> {});

    assertThat(shown).hasSize(DOCUMENTS).doesNotHaveDuplicates();
  }

  private static Set<String> nodes(String id) {
    return ContextIds.parse(ShardContexts.Kind.SCROLL, id).shards().stream()
        .map(held -> held.context().node())
        .collect(Collectors.toSet());
  }

  /// For a while all search nodes have lost their leader.
  @Test
  void aPageIsWaitedForWhileNoNodeMayAnswer() throws Exception {
    AtomicInteger refused = new AtomicInteger();
    intercept((node, call) -> {
      if (call.equals("query") && refused.incrementAndGet() <= 9) {
        throw new Refusal(ErrorType.NO_SHARD_AVAILABLE, "no leader, says the test");
      }
    });

    List<String> shown = all(begin("{\"a\":\"asc\"}"), true, () -> refused.set(0), () -> {});

    assertThat(shown).hasSize(DOCUMENTS).doesNotHaveDuplicates();
    assertThat(refused.get()).isGreaterThan(9);
  }

  /// The next fetch from that node fails.
  private void loseHitsOnce(TestNode holder) {
    AtomicBoolean isLost = new AtomicBoolean();
    intercept((node, call) -> {
      if (call.equals("fetch") && node.equals(holder.id()) && isLost.compareAndSet(false, true)) {
        throw new Refusal(ErrorType.SEARCH_CONTEXT_MISSING, "lost by the test");
      }
    });
  }

  /// @param before what happens before each call of the proxy to a search node: the node's id and
  ///   the call
  private void intercept(BiConsumer<String, String> before) {
    proxy.beforeAnswers =
        (id, node) ->
            (SearchNode)
                Proxy.newProxyInstance(
                    SearchNode.class.getClassLoader(),
                    new Class<?>[] {SearchNode.class},
                    (_, method, arguments) -> {
                      before.accept(id, method.getName());
                      return method.invoke(node, arguments);
                    });
  }

  /// A spare that nobody has searched reads nothing, but holds the blobs that it would.
  @Test
  void theBlobsOfASpareAreInUse() throws Exception {
    fill("alone", 1);
    TestNode copy = holder(begin("\"_doc\"").scrollId());
    Scrolls.Page page = begin("\"_doc\"");
    TestNode other = node(first(page.scrollId()).spare());
    ShardId of = first(page.scrollId()).shard();

    assertThat(other).isNotSameAs(copy);
    assertThat(other.searchTier.read(of).blobs())
        .isNotEmpty()
        .containsAll(copy.searchTier.read(of).blobs());

    scrolls.clearAll();
    assertThat(other.searchTier.read(of).blobs()).isEmpty();
  }

  @Test
  void aHolderThatComesBackRepeatsNothing() throws Exception {
    Scrolls.Page first = begin("{\"a\":\"asc\"}");
    TestNode holder = holder(first.scrollId());

    List<String> shown = all(first, true, () -> cutOff(holder), this::heal);

    assertThat(shown).hasSize(DOCUMENTS).doesNotHaveDuplicates();
  }

  @Test
  void aPageWhoseAnswerWasLostIsShownWhenItIsAskedForAgain() throws Exception {
    Scrolls.Page first = begin("{\"a\":\"asc\"}");
    ContextIds ids = ContextIds.parse(ShardContexts.Kind.SCROLL, first.scrollId());
    List<ShardTarget> pinned =
        ids.shards().stream().map(one -> ShardTarget.of(one.shard()).at(one.context())).toList();
    var lost =
        proxy.searches.searchShards(
            pinned,
            SearchParser.parse(Json.parseObject("{\"size\":3,\"sort\":[{\"a\":\"asc\"}]}")),
            () -> false);
    assertThat(lost.hits()).hasSize(3);

    List<String> shown = all(first, true, () -> {}, () -> {});

    assertThat(shown).hasSize(DOCUMENTS).doesNotHaveDuplicates();
  }

  @Test
  void itBeginsAnewWhenItsNodeDiesBeforeTheFirstPage() throws Exception {
    // given: one of two search nodes is dead, and nobody has been told
    TestNode dead = holder(begin("\"_doc\"").scrollId());
    dead.crash();
    // when
    List<String> shown = all(begin("{\"a\":\"asc\"}"), true, () -> {}, () -> {});
    // then
    assertThat(shown).hasSize(DOCUMENTS).doesNotHaveDuplicates();
  }

  @Test
  void oneScrollCountsOnceAndEndsWhole() throws Exception {
    Scrolls.Page page = begin("\"_doc\"");

    assertThat(proxy.searches.contexts().open(ShardContexts.Kind.SCROLL)).isEqualTo(2);
    assertThat(scrolls.clear(List.of(page.scrollId()))).isEqualTo(2);
    assertThat(scrolls.clear(List.of(page.scrollId()))).isZero();
    assertThatThrownBy(() -> next(page.scrollId()))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("all shards failed");
  }
}
