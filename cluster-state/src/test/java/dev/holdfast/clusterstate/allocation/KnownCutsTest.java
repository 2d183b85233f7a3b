package dev.holdfast.clusterstate.allocation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.clusterstate.Build;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.Member;
import dev.holdfast.clusterstate.Role;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

final class KnownCutsTest {
  private final UnreachablePeers known = new UnreachablePeers();
  private final ClusterState state =
      ClusterState.empty("cluster").withMember(member("a")).withMember(member("b"));

  private static Member member(String id) {
    return new Member(
        id,
        id,
        id + ":9200",
        new TreeSet<>(List.of(Role.values())),
        1,
        0,
        false,
        Build.here("test"));
  }

  @Test
  void aCutIsBetweenTwoMembersThatTheLeaderHears() {
    known.heard("a", new TreeSet<>(List.of("b", "gone")));
    known.heard("gone", new TreeSet<>(List.of("b")));

    assertThat(known.of(state, _ -> true)).isEqualTo(Map.of("a", new TreeSet<>(List.of("b"))));
    assertThat(known.of(state, id -> !id.equals("b"))).isEmpty();
  }

  @Test
  void aCutEndsWhenItsMemberReportsItNoMore() {
    known.heard("a", new TreeSet<>(List.of("b")));
    known.heard("a", new TreeSet<>());

    assertThat(known.of(state, _ -> true)).isEmpty();
  }
}
