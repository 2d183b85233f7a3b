package dev.holdfast.clusterstate.json;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexId;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.world.Json;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

final class IndexCustomsTest {
  private static final IndexMetadata PLAIN =
      new IndexMetadata(
          new IndexId("books", "u"),
          1,
          new TreeMap<>(),
          1,
          Json.object(),
          1,
          new TreeMap<>(),
          true,
          List.of(1L));

  private static ObjectNode told() {
    return Json.object().put("phase", "hot");
  }

  @Test
  void theyAreKeptWholeAndInDifferences() {
    ClusterState before = ClusterState.empty("c").withIndex(PLAIN);
    ClusterState now = before.withIndex(PLAIN.withCustom("lifecycle", told())).at(1, 1);

    ClusterState whole = StateJson.full(Json.parse(Json.bytes(StateJson.full(now))));
    ClusterState changed = StateJson.apply(before, StateJson.delta(before, now));
    ClusterState back = StateJson.apply(now, StateJson.delta(now, before));

    for (ClusterState state : List.of(whole, changed)) {
      assertThat(state.indices().get("books").customs().toString())
          .isEqualTo("{\"lifecycle\":{\"phase\":\"hot\"}}");
    }
    assertThat(back.indices().get("books").customs()).isEmpty();
  }

  @Test
  void anIndexWithoutAnyIsWrittenAsBefore() {
    assertThat(StateJson.index(PLAIN).toString())
        .isEqualTo(
            "{\"uuid\":\"u\",\"shards\":1,\"open\":true,\"settings\":{},\"settings_version\":1,"
                + "\"mapping\":{},\"mapping_version\":1,\"aliases\":{},\"primary_terms\":[1]}");
    assertThat(StateJson.index(PLAIN.withCustom("lifecycle", told()).withCustom("lifecycle", null)))
        .isEqualTo(StateJson.index(PLAIN));
  }
}
