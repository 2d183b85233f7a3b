package dev.holdfast.clusterstate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.world.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class IndexChangesTest {
  private static IndexMetadata index(String name, String uuid) {
    return new IndexMetadata(
        new IndexId(name, uuid),
        1,
        new TreeMap<>(),
        1,
        Json.object(),
        1,
        new TreeMap<>(),
        true,
        List.of(1L));
  }

  @Test
  void everythingHasChangedForWhoeverSawNothing() {
    ClusterState now = ClusterState.empty("c").withIndex(index("a", "1"));
    assertThat(IndexChanges.between(null, now).changed())
        .extracting(i -> i.id().name())
        .containsExactly("a");
  }

  /// Random changes, compared with a look at every index.
  @Test
  void findsWhatALookAtEveryIndexFinds() {
    for (int seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      ClusterState before = ClusterState.empty("c");
      for (int i = 0; i < 12; i++) {
        before = before.withIndex(index("i" + random.nextInt(20), "u" + seed + "-" + i));
      }
      ClusterState now = before;
      for (int step = random.nextInt(6); step > 0; step--) {
        String name = "i" + random.nextInt(20);
        IndexMetadata known = now.indices().get(name);
        now =
            switch (random.nextInt(5)) {
              case 0 -> now.withoutIndex(name);
              case 1 -> now.withIndex(index(name, "new" + step));
              case 2 -> known == null ? now : now.withIndex(known.withOpen(!known.isOpen()));
              case 3 ->
                  known == null
                      ? now
                      : now.withAssignment(
                          new ShardId(known.id(), 0), ShardAssignment.NONE.withOwner("n" + step));
              default -> now.withCustom("k", Json.object().put("step", step));
            };
      }
      assertThat(IndexChanges.between(before, now))
          .as("seed " + seed)
          .isEqualTo(slowly(before, now));
    }
  }

  @SuppressWarnings("ReferenceEquality") // as in what is tested
  private static IndexChanges slowly(ClusterState before, ClusterState now) {
    List<IndexMetadata> changed = new ArrayList<>();
    for (IndexMetadata index : now.indices().values()) {
      if (before.indices().get(index.id().name()) != index
          || before.assignments().get(index.id().uuid())
              != now.assignments().get(index.id().uuid())) {
        changed.add(index);
      }
    }
    List<IndexMetadata> gone = new ArrayList<>();
    for (IndexMetadata index : before.indices().values()) {
      IndexMetadata same = now.indices().get(index.id().name());
      if (same == null || !same.id().equals(index.id())) {
        gone.add(index);
      }
    }
    return new IndexChanges(changed, gone);
  }
}
