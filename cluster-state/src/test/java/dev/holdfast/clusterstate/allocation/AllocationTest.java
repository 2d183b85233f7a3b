package dev.holdfast.clusterstate.allocation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.clusterstate.Build;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Member;
import dev.holdfast.clusterstate.MovingTiers;
import dev.holdfast.clusterstate.Role;
import dev.holdfast.clusterstate.ShardAssignment;
import dev.holdfast.clusterstate.ShardAssignment.Copy;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.clusterstate.TestCluster;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Laws of allocation, over clusters that change at random.
class AllocationTest {
  private static Member member(String id, Role... roles) {
    return new Member(
        id, id, id + ":9200", new TreeSet<>(List.of(roles)), 1 << 30, 0, false, Build.here("test"));
  }

  private static ClusterState cluster(Member... members) {
    ClusterState state = ClusterState.empty("cluster").at(1, 1);
    for (Member member : members) {
      state = state.withMember(member);
    }
    return state;
  }

  private static ClusterState next(ClusterState state) {
    return Allocation.next(state, AllocationInputs.NONE);
  }

  @Test
  void aNewShardGetsItsFirstOwnerUnderTermOneAndACopyThatIsSearchedAtOnce() {
    ClusterState state =
        next(cluster(member("a", Role.values())).withIndex(TestCluster.index("books", 1, 1)));

    ShardAssignment shard = state.assignments().get("uuid-books").getFirst();
    assertThat(shard.owner()).isEqualTo("a");
    assertThat(shard.copies()).containsExactly(Map.entry("a", Copy.STARTED));
    assertThat(state.indices().get("books").primaryTerms()).containsExactly(1L);
  }

  @Test
  void shardsOfADeadOwnerGoToOthersUnderAHigherTermAndThoseOfAClosedIndexToNobody() {
    ClusterState before =
        next(
            cluster(member("a", Role.INDEX), member("b", Role.INDEX), member("s", Role.SEARCH))
                .withIndex(TestCluster.index("books", 2, 1)));

    ClusterState after = next(before.withoutMember("a"));
    assertThat(after.assignments().get("uuid-books"))
        .extracting(ShardAssignment::owner)
        .containsOnly("b");
    assertThat(after.indices().get("books").primaryTerms()).containsExactlyInAnyOrder(1L, 2L);

    IndexMetadata closed = after.indices().get("books").withOpen(false);
    assertThat(next(after.withIndex(closed)).assignments().get("uuid-books"))
        .containsOnly(ShardAssignment.NONE);
  }

  @Test
  void aMoveWhoseOwnerDiedEndsWhereItWasGoing() {
    ClusterState state =
        next(
            cluster(member("a", Role.INDEX), member("b", Role.INDEX), member("c", Role.INDEX))
                .withIndex(TestCluster.index("books", 1, 1)));
    ShardId shard = new ShardId(state.indices().get("books").id(), 0);

    ClusterState moving = state.withAssignment(shard, state.assignment(shard).withTarget("c"));

    assertThat(next(moving.withoutMember("a")).assignment(shard).owner()).isEqualTo("c");
    assertThat(next(moving.withoutMember("c")).assignment(shard).target()).isEmpty();
  }

  @Test
  void aNewNodeTakesShardsTwoMovesAtATime() {
    ClusterState state =
        next(
            cluster(member("a", Role.INDEX), member("s", Role.SEARCH))
                .withIndex(TestCluster.index("books", 10, 1)));

    ClusterState joined = next(state.withMember(member("b", Role.INDEX)));

    assertThat(joined.assignments().get("uuid-books"))
        .filteredOn(shard -> shard.target().equals("b"))
        .hasSize(IndexingAllocation.MOVES_MAX);
    assertThat(owners(settled(joined))).containsOnly(Map.entry("a", 5), Map.entry("b", 5));
  }

  @Test
  void asManyCopiesAsReplicasOnDifferentMembersAsFarAsThereAreMembers() {
    ClusterState state =
        next(
            cluster(member("a", Role.INDEX), member("s", Role.SEARCH), member("t", Role.SEARCH))
                .withIndex(TestCluster.index("none", 1, 0))
                .withIndex(TestCluster.index("two", 1, 2))
                .withIndex(TestCluster.index("three", 1, 3)));

    assertThat(state.assignments().get("uuid-none").getFirst().copies()).hasSize(1);
    assertThat(state.assignments().get("uuid-two").getFirst().copies()).hasSize(2);
    assertThat(state.assignments().get("uuid-three").getFirst().copies()).hasSize(2);
  }

  @Test
  void theLastOfARoleKeepsItsShardsThoughItDrains() {
    ClusterState state =
        settled(cluster(member("a", Role.values())).withIndex(TestCluster.index("books", 2, 1)));

    assertThat(next(Draining.begin(state, "a")).assignments()).isEqualTo(state.assignments());
  }

  /// One seed, one history of a cluster: members come, go and drain, indices come, change and go.
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
  void whateverHappensEveryShardIsHeldAndTheClusterSettles(long seed) {
    Random random = new Random(seed);
    ClusterState state = cluster(member("m-0", Role.values()));
    for (int step = 1; step < 60; step++) {
      ClusterState changed = event(random, state, step);
      for (int rest = random.nextInt(4); rest > 0; rest--) {
        ClusterState allocated = Allocation.next(changed, loads(random, changed));
        checkAlways(changed, allocated);
        changed = tiers(allocated);
      }
      state = random.nextBoolean() ? checkedSettled(changed) : changed;
    }
  }

  private static ClusterState event(Random random, ClusterState state, int step) {
    List<String> members = List.copyOf(state.members().keySet());
    List<String> indices = List.copyOf(state.indices().keySet());
    return switch (random.nextInt(8)) {
      case 0, 1 -> state.withMember(member("m-" + step, roles(random)));
      case 2 -> members.isEmpty() ? state : state.withoutMember(pick(random, members));
      case 3 -> members.isEmpty() ? state : Draining.begin(state, pick(random, members));
      case 4, 5 ->
          state.withIndex(TestCluster.index("i-" + step, 1 + random.nextInt(6), random.nextInt(4)));
      case 6 -> indices.isEmpty() ? state : state.withoutIndex(pick(random, indices));
      default -> {
        if (indices.isEmpty()) {
          yield state;
        }
        IndexMetadata index = state.indices().get(pick(random, indices));
        TreeMap<String, Object> settings = new TreeMap<>(index.settings());
        settings.put("index.number_of_replicas", Integer.toString(random.nextInt(4)));
        yield state.withIndex(
            random.nextBoolean() ? index.withOpen(!index.isOpen()) : index.withSettings(settings));
      }
    };
  }

  private static String pick(Random random, List<String> from) {
    return from.get(random.nextInt(from.size()));
  }

  private static Role[] roles(Random random) {
    return switch (random.nextInt(4)) {
      case 0 -> new Role[] {Role.INDEX};
      case 1 -> new Role[] {Role.SEARCH};
      case 2 -> new Role[] {Role.PROXY};
      default -> Role.values();
    };
  }

  private static AllocationInputs loads(Random random, ClusterState state) {
    TreeMap<String, ShardLoad> loads = new TreeMap<>();
    for (ShardId shard : Allocation.shards(state)) {
      loads.put(
          LoadReport.key(shard), new ShardLoad(random.nextDouble(), random.nextLong(1L << 33)));
    }
    return new AllocationInputs(loads, null, new TreeMap<>());
  }

  /// What the tiers of all members do.
  private static ClusterState tiers(ClusterState state) {
    ClusterState moved = state;
    for (String member : state.members().keySet()) {
      moved = MovingTiers.step(moved, member);
    }
    return moved;
  }

  private static ClusterState settled(ClusterState state) {
    ClusterState now = state;
    for (int i = 0; i < 1000; i++) {
      ClusterState after = tiers(next(now));
      if (after.equals(now)) {
        return now;
      }
      now = after;
    }
    throw new AssertionError("does not settle");
  }

  private static void checkAlways(ClusterState before, ClusterState after) {
    assertThat(next(next(after))).as("applied again").isEqualTo(next(after));
    boolean isIndexed = ids(after, Role.INDEX).findAny().isPresent();
    int moving = 0;
    for (ShardId shard : Allocation.shards(after)) {
      ShardAssignment assignment = after.assignment(shard);
      if (isIndexed) {
        assertThat(ids(after, Role.INDEX)).contains(assignment.owner());
      }
      assertThat(ids(after, Role.SEARCH).toList()).containsAll(assignment.copies().keySet());
      moving += assignment.target().isEmpty() ? 0 : 1;
      String ownerBefore = before.assignment(shard).owner();
      long raised = term(after, shard) - term(before, shard);
      boolean isSame = assignment.owner().isEmpty() || assignment.owner().equals(ownerBefore);
      assertThat(raised).isEqualTo(isSame ? 0 : 1);
    }
    assertThat(moving).isLessThanOrEqualTo(IndexingAllocation.DRAINS_MAX);
  }

  private static long term(ClusterState state, ShardId shard) {
    return state.indices().get(shard.index().name()).primaryTerms().get(shard.number());
  }

  private static Stream<String> ids(ClusterState state, Role role) {
    return state.members().values().stream().filter(m -> m.roles().contains(role)).map(Member::id);
  }

  private static ClusterState checkedSettled(ClusterState state) {
    ClusterState settled = settled(state);
    List<String> indexing = Allocation.pool(settled, Role.INDEX).stream().map(Member::id).toList();
    List<String> searching =
        Allocation.pool(settled, Role.SEARCH).stream().map(Member::id).toList();
    for (ShardId shard : Allocation.shards(settled)) {
      ShardAssignment assignment = settled.assignment(shard);
      IndexMetadata index = settled.indices().get(shard.index().name());
      assertThat(assignment.target()).isEmpty();
      assertThat(indexing.isEmpty() || indexing.contains(assignment.owner())).isTrue();
      assertThat(searching).containsAll(assignment.copies().keySet());
      assertThat(assignment.copies())
          .hasSize(Math.min(Allocation.copiesWanted(index), searching.size()));
      assertThat(assignment.copies().values())
          .allSatisfy(copy -> assertThat(copy).isEqualTo(Copy.STARTED));
    }
    assertBalanced(owners(settled), indexing);
    return settled;
  }

  private static void assertBalanced(Map<String, Integer> counts, List<String> members) {
    List<Integer> each = members.stream().map(m -> counts.getOrDefault(m, 0)).toList();
    if (!each.isEmpty()) {
      int most = each.stream().mapToInt(c -> c).max().orElse(0);
      int least = each.stream().mapToInt(c -> c).min().orElse(0);
      assertThat(most - least).isLessThanOrEqualTo(1);
    }
  }

  private static Map<String, Integer> owners(ClusterState state) {
    Map<String, Integer> counts = new TreeMap<>();
    for (ShardId shard : Allocation.shards(state)) {
      counts.merge(state.assignment(shard).owner(), 1, Integer::sum);
    }
    return counts;
  }

  @Test
  void aSearchedCopyIsGivenUpWhenItsMemberHasHeardOfIt() {
    ClusterState two =
        cluster(member("a", Role.values()), member("b", Role.values()))
            .withIndex(TestCluster.index("books", 1, 2));
    ShardId shard = new ShardId(two.indices().get("books").id(), 0);
    ClusterState searched = next(two);
    for (String member : List.of("a", "b")) {
      searched =
          searched.withAssignment(shard, searched.assignment(shard).withCopy(member, Copy.STARTED));
    }

    ClusterState fewer = next(searched.withIndex(TestCluster.index("books", 1, 1)));

    assertThat(fewer.assignment(shard).copies()).containsValues(Copy.STARTED, Copy.LEAVING);
    assertThat(next(fewer)).isEqualTo(fewer);
  }

  private static AllocationInputs unreached(String owner, String copy) {
    return new AllocationInputs(
        new TreeMap<>(), null, new TreeMap<>(Map.of(owner, new TreeSet<>(List.of(copy)))));
  }

  private static ClusterState withCopiesStarted(ClusterState state) {
    ClusterState started = state;
    for (ShardId shard : Allocation.shards(state)) {
      for (String member : state.assignment(shard).copies().keySet()) {
        started =
            started.withAssignment(shard, started.assignment(shard).withCopy(member, Copy.STARTED));
      }
    }
    return started;
  }

  private static ClusterState twoSearchNodes(int copies) {
    return withCopiesStarted(
        next(
            cluster(member("a", Role.INDEX), member("s", Role.SEARCH), member("t", Role.SEARCH))
                .withIndex(TestCluster.index("books", 1, copies))));
  }

  @Test
  void aCopyThatItsOwnerDoesNotReachGoesAndComesBackWhenItDoes() {
    ClusterState before = twoSearchNodes(2);
    ShardId shard = Allocation.shards(before).getFirst();

    ClusterState cut = Allocation.next(before, unreached("a", "s"));

    assertThat(cut.assignment(shard).copies())
        .isEqualTo(Map.of("s", Copy.LEAVING, "t", Copy.STARTED));
    ClusterState left =
        cut.withAssignment(shard, cut.assignment(shard).withoutCopy("s")); // it has heard of it
    assertThat(Allocation.next(left, unreached("a", "s"))).isEqualTo(left);
    assertThat(next(left).assignment(shard).copies())
        .isEqualTo(Map.of("s", Copy.STARTING, "t", Copy.STARTED));
  }

  @Test
  void theOnlyCopyStaysUntilAnotherHasStarted() {
    ClusterState before = twoSearchNodes(1);
    ShardId shard = Allocation.shards(before).getFirst();
    String copy = before.assignment(shard).copies().firstKey();
    String other = copy.equals("s") ? "t" : "s";

    ClusterState cut = Allocation.next(before, unreached("a", copy));

    assertThat(cut.assignment(shard).copies())
        .isEqualTo(Map.of(copy, Copy.STARTED, other, Copy.STARTING));
    ClusterState after = Allocation.next(withCopiesStarted(cut), unreached("a", copy));
    assertThat(after.assignment(shard).copies())
        .isEqualTo(Map.of(copy, Copy.LEAVING, other, Copy.STARTED));
  }

  @Test
  void anOwnerThatReachesNoCopyLosesNone() {
    ClusterState before =
        withCopiesStarted(
            next(
                cluster(member("a", Role.INDEX), member("s", Role.SEARCH))
                    .withIndex(TestCluster.index("books", 1, 1))));

    assertThat(Allocation.next(before, unreached("a", "s"))).isEqualTo(before);
  }
}
