package dev.holdfast.search.figures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexId;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.search.figures.SearchCounters.Phase;
import dev.holdfast.world.Clock;
import dev.holdfast.world.Json;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// What is counted of searches while they run, when they end, and when they fail.
final class SearchCountersTest {
  private static final ShardId SHARD = new ShardId(new IndexId("books", "uuid"), 0);

  private final Hand clock = new Hand();
  private final SearchCounters counters = new SearchCounters(clock);

  private static final class Hand implements Clock {
    private long nanos;

    @Override
    public long nanoTime() {
      return nanos;
    }

    @Override
    public long epochMillis() {
      return nanos / 1_000_000;
    }

    void pass(Duration time) {
      nanos += time.toNanos();
    }
  }

  private SearchFigures figures() {
    return counters.figures(Map.of(), Map.of()).getOrDefault(SHARD, SearchFigures.NONE);
  }

  private void query(Duration time, String... groups) {
    boolean _ =
        counters.<Boolean, RuntimeException>during(
            Phase.QUERY,
            SHARD,
            List.of(groups),
            () -> {
              clock.pass(time);
              return true;
            });
  }

  @Test
  void whatRunsIsCurrentAndWhatHasEndedIsCounted() {
    boolean _ =
        counters.<Boolean, RuntimeException>during(
            Phase.QUERY,
            SHARD,
            List.of(),
            () -> {
              clock.pass(Duration.ofMillis(7));
              assertThat(figures().query()).isEqualTo(new PhaseFigures(0, 0, 1, 0));
              return true;
            });

    assertThat(figures().query()).isEqualTo(new PhaseFigures(1, 7, 0, 0));
    assertThat(figures().fetch()).isEqualTo(PhaseFigures.NONE);
  }

  @Test
  void whatFailsIsAFailureAlone() {
    assertThatThrownBy(() ->
            counters.<Boolean, IOException>during(
                Phase.FETCH,
                SHARD,
                List.of(),
                () -> {
                  throw new IOException("no");
                }))
        .isInstanceOf(IOException.class);

    assertThat(figures().fetch()).isEqualTo(new PhaseFigures(0, 0, 0, 1));
  }

  @Test
  void groupsAreCountedBeside() {
    query(Duration.ofMillis(1), "a", "b", "a");
    query(Duration.ofMillis(2), "b");

    assertThat(figures().query().total()).isEqualTo(2);
    assertThat(figures().groups().get("a").query()).isEqualTo(new PhaseFigures(1, 1, 0, 0));
    assertThat(figures().groups().get("b").query()).isEqualTo(new PhaseFigures(2, 3, 0, 0));
  }

  @Test
  void aThousandGroupsAreKept() {
    for (int i = 0; i < 1_100; i++) {
      query(Duration.ZERO, "g" + i);
    }

    assertThat(figures().query().total()).isEqualTo(1_100);
    assertThat(figures().groups()).hasSize(1_000);
  }

  @Test
  void groupsOfManyShardsAreBoundedTogether() {
    for (int shard = 0; shard < 20; shard++) {
      ShardId of = new ShardId(SHARD.index(), shard);
      for (int i = 0; i < 600; i++) {
        String group = "g" + i;
        boolean _ =
            counters.<Boolean, RuntimeException>during(
                Phase.QUERY, of, List.of(group, "long".repeat(100)), () -> true);
      }
    }

    Map<ShardId, SearchFigures> all = counters.figures(Map.of(), Map.of());
    assertThat(all.values().stream().mapToInt(one -> one.groups().size()).sum()).isEqualTo(2_000);
    assertThat(figures().groups()).doesNotContainKey("long".repeat(100));
    assertThat(SearchFigures.sum(all.values()).query().total()).isEqualTo(20 * 600);
    // and: those of deleted indices make room
    counters.keepOnly(ClusterState.empty("cluster"));
    query(Duration.ZERO, "new");
    assertThat(figures().groups()).containsOnlyKeys("new");
  }

  @Test
  void theLoadForgets() {
    query(Duration.ofMinutes(1));
    assertThat(figures().load()).isEqualTo(1, within(0.1));

    clock.pass(Duration.ofMinutes(1));
    assertThat(figures().load()).isEqualTo(0.5, within(0.02));
    clock.pass(Duration.ofHours(2));
    assertThat(figures().load()).isEqualTo(0, within(0.001));
  }

  @Test
  void figuresOfNodesAreAddedUp() {
    query(Duration.ofMillis(5), "a");
    counters.scrolled(SHARD, Duration.ofSeconds(3).toNanos());
    var told = SearchFigures.json(counters.figures(Map.of(SHARD, 4), Map.of(SHARD, 1)));

    Map<ShardId, SearchFigures> all = new HashMap<>();
    SearchFigures.addTo(all, Json.parseObject(told.toString()));
    SearchFigures.addTo(all, told);
    SearchFigures.addTo(all, Json.parseObject("{\"shards\":[{\"index\":\"x\"}]}")); // told nothing

    SearchFigures both = all.getOrDefault(SHARD, SearchFigures.NONE);
    assertThat(both.query()).isEqualTo(new PhaseFigures(2, 10, 0, 0));
    assertThat(both.scroll()).isEqualTo(new PhaseFigures(2, 6_000, 2, 0));
    assertThat(both.openContexts()).isEqualTo(8);
    assertThat(both.groups().get("a").query().total()).isEqualTo(2);
  }
}
