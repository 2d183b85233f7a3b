package dev.holdfast.clusterstate.allocation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.clusterstate.Build;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexId;
import dev.holdfast.clusterstate.Member;
import dev.holdfast.clusterstate.MovingTiers;
import dev.holdfast.clusterstate.Role;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.clusterstate.TestCluster;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Laws of allocation when it is known how busy and how large shards are.
final class BalanceByLoadTest {
  private static final long GIB = 1L << 30;

  private static Member member(String id, long heapBytes, Role... roles) {
    return new Member(
        id,
        id,
        id + ":9200",
        new TreeSet<>(List.of(roles)),
        heapBytes,
        0,
        false,
        Build.here("test"));
  }

  private static ClusterState cluster(int shards, Member... members) {
    ClusterState state = ClusterState.empty("cluster").at(1, 1);
    for (Member member : members) {
      state = state.withMember(member);
    }
    return state.withIndex(TestCluster.index("books", shards, 1));
  }

  private static AllocationInputs figures(ClusterState state, Function<Integer, ShardLoad> loads) {
    TreeMap<String, ShardLoad> shards = new TreeMap<>();
    for (ShardId shard : Allocation.shards(state)) {
      shards.put(LoadReport.key(shard), loads.apply(shard.number()));
    }
    return new AllocationInputs(shards, null, new TreeMap<>());
  }

  /// What the tiers of all members do.
  private static ClusterState tiers(ClusterState state) {
    ClusterState moved = state;
    for (String member : state.members().keySet()) {
      moved = MovingTiers.step(moved, member);
    }
    return moved;
  }

  /// How many rounds it took to settle, and where.
  private record Settled(ClusterState state, int rounds) {
    static Settled of(ClusterState state, AllocationInputs figures) {
      ClusterState now = state;
      for (int rounds = 0; rounds < 1000; rounds++) {
        ClusterState after = tiers(Allocation.next(now, figures));
        if (after.equals(now)) {
          return new Settled(now, rounds);
        }
        now = after;
      }
      throw new AssertionError("does not settle");
    }
  }

  private static Map<String, List<Integer>> owned(ClusterState state) {
    Map<String, List<Integer>> owned = new TreeMap<>();
    for (ShardId shard : Allocation.shards(state)) {
      owned
          .computeIfAbsent(state.assignment(shard).owner(), _ -> new ArrayList<>())
          .add(shard.number());
    }
    return owned;
  }

  @Test
  void hotShardsSpreadOverTheMembersAndTheColdOnesFillUp() {
    // given: by number alone all hot shards are on one member
    ClusterState balanced =
        Settled.of(
                cluster(
                    32,
                    member("a", GIB, Role.INDEX),
                    member("b", GIB, Role.INDEX),
                    member("s", GIB, Role.SEARCH)),
                AllocationInputs.NONE)
            .state();
    List<Integer> hot = owned(balanced).get("a");
    AllocationInputs figures =
        figures(balanced, number -> new ShardLoad(hot.contains(number) ? 1 : 0, 0));
    // when
    ClusterState after = Settled.of(balanced, figures).state();
    // then
    assertThat(owned(after).values())
        .allSatisfy(shards -> assertThat(shards).filteredOn(hot::contains).hasSize(8))
        .allSatisfy(shards -> assertThat(shards).hasSize(16));
  }

  @Test
  void otherWritersMakeRoomForAVeryHotShard() {
    ClusterState state = cluster(12, member("a", GIB, Role.INDEX), member("b", GIB, Role.INDEX));
    AllocationInputs figures = figures(state, number -> new ShardLoad(number == 0 ? 4 : 0.5, 0));

    Map<String, List<Integer>> owned = owned(Settled.of(state, figures).state());

    assertThat(owned.values())
        .filteredOn(shards -> shards.contains(0))
        .singleElement()
        .satisfies(shards -> assertThat(shards).hasSizeLessThanOrEqualTo(4));
  }

  @Test
  void aMemberWithThreeTimesTheHeapHoldsThreeTimesAsMuch() {
    ClusterState state =
        cluster(40, member("a", GIB, Role.values()), member("b", 3 * GIB, Role.values()));

    Map<String, List<Integer>> owned = owned(Settled.of(state, AllocationInputs.NONE).state());

    assertThat(owned.get("a")).hasSize(10);
    assertThat(owned.get("b")).hasSize(30);
  }

  @Test
  void largeSearchCopiesSpread() {
    ClusterState state =
        Settled.of(
                cluster(
                    8,
                    member("i", GIB, Role.INDEX),
                    member("s", GIB, Role.SEARCH),
                    member("t", GIB, Role.SEARCH)),
                AllocationInputs.NONE)
            .state();
    List<ShardId> large =
        Allocation.shards(state).stream()
            .filter(shard -> state.assignment(shard).copies().containsKey("s"))
            .toList();
    AllocationInputs figures =
        figures(
            state,
            number ->
                new ShardLoad(
                    0, large.stream().anyMatch(s -> s.number() == number) ? 20 * GIB : 0));

    ClusterState after = Settled.of(state, figures).state();

    assertThat(large)
        .filteredOn(shard -> after.assignment(shard).copies().containsKey("t"))
        .hasSize(2);
  }

  @Test
  void aDrainingMemberEndsUpEmptyHoweverBusyItsShardsAre() {
    ClusterState state =
        cluster(
            10,
            member("a", GIB, Role.values()),
            member("b", GIB, Role.values()),
            member("c", GIB, Role.values()));
    AllocationInputs figures = figures(state, number -> new ShardLoad(number, number * GIB));
    ClusterState settled = Settled.of(state, figures).state();

    ClusterState drained = Settled.of(Draining.begin(settled, "a"), figures).state();

    assertThat(owned(drained)).containsOnlyKeys("b", "c");
    assertThat(Allocation.shards(drained))
        .allSatisfy(shard -> assertThat(drained.assignment(shard).copies()).doesNotContainKey("a"));
  }

  @Test
  void aLeaderThatHasNotHeardOfAllLoadsMovesNothingForBalanceButGivesOwners() {
    ClusterState settled =
        Settled.of(cluster(6, member("a", GIB, Role.values())), AllocationInputs.NONE).state();
    ClusterState joined =
        settled
            .withMember(member("b", GIB, Role.values()))
            .withIndex(TestCluster.index("new", 1, 1));
    AllocationInputs some =
        new AllocationInputs(new TreeMap<>(), new TreeSet<>(List.of("a")), new TreeMap<>());
    AllocationInputs all =
        new AllocationInputs(new TreeMap<>(), new TreeSet<>(List.of("a", "b")), new TreeMap<>());

    ClusterState early = Allocation.next(joined, some);
    assertThat(Allocation.shards(early))
        .allSatisfy(shard -> assertThat(early.assignment(shard).target()).isEmpty())
        .allSatisfy(shard -> assertThat(early.assignment(shard).owner()).isNotEmpty());
    assertThat(Allocation.next(early, all)).isNotEqualTo(early);
  }

  /// Any loads and any heaps: it settles, stays settled, and small changes of loads move little.
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
  void whateverTheLoadsItSettlesStaysAndIsEven(long seed) {
    Random random = new Random(seed);
    List<Member> members = new ArrayList<>();
    for (int i = 2 + random.nextInt(6); i > 0; i--) {
      members.add(member("m-" + i, (1 + random.nextInt(4)) * GIB, Role.values()));
    }
    int shards = 20 + random.nextInt(80);
    ClusterState state = cluster(shards, members.toArray(Member[]::new));
    AllocationInputs first = figures(state, _ -> random(random));
    AllocationInputs then = figures(state, _ -> random(random));

    ClusterState settled = Settled.of(state, first).state();
    Settled again = Settled.of(settled, then);

    assertThat(again.rounds()).isLessThanOrEqualTo(2 * shards);
    assertThat(Allocation.next(again.state(), then)).isEqualTo(again.state());
    assertEven(again.state(), members, then);
  }

  private static ShardLoad random(Random random) {
    double writes = random.nextInt(4) == 0 ? random.nextDouble() : 0;
    return new ShardLoad(writes, random.nextLong(4 * GIB));
  }

  /// No member takes many more writes than its heap is worth.
  private static void assertEven(
      ClusterState state, List<Member> members, AllocationInputs figures) {
    double heap = members.stream().mapToLong(Member::heapBytes).sum();
    List<ShardId> shards = Allocation.shards(state);
    double all = shards.stream().mapToDouble(shard -> figures.of(shard).writes()).sum();
    double heaviest =
        shards.stream().mapToDouble(shard -> figures.of(shard).writes()).max().orElse(0);
    for (Member member : members) {
      double held =
          shards.stream()
              .filter(shard -> state.assignment(shard).owner().equals(member.id()))
              .mapToDouble(shard -> figures.of(shard).writes())
              .sum();
      assertThat(held).isLessThan(all * member.heapBytes() / heap + heaviest);
    }
  }

  @Test
  void aReportCarriesTheHeaviestShardsAndNoMoreThanFit() {
    IndexId index = new IndexId("many", "abcdefghijklmnopqrstuv");
    Map<ShardId, ShardLoad> loads = new HashMap<>();
    for (int number = 0; number < 10_000; number++) {
      loads.put(new ShardId(index, number), new ShardLoad(number / 10_000.0, number << 10));
    }

    LoadReport report = LoadReport.of(loads);

    assertThat(report.shards()).hasSize(LoadReport.SHARDS_MAX).containsKey(index.uuid() + "/9999");
    assertThat(report.json().toString()).hasSizeLessThan(6_000);
    assertThat(LoadReport.of(report.json()).shards().keySet()).isEqualTo(report.shards().keySet());
    assertThat(LoadReport.of(Map.of(new ShardId(index, 0), new ShardLoad(0.001, 1000))))
        .isEqualTo(LoadReport.EMPTY);
  }
}
