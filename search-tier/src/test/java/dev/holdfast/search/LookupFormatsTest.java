package dev.holdfast.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.IntNode;
import dev.holdfast.clusterstate.Formats;
import dev.holdfast.query.parse.SearchParser;
import dev.holdfast.query.request.SearchSource;
import dev.holdfast.search.node.QueryAnswer;
import dev.holdfast.search.node.QueryRequest;
import dev.holdfast.search.node.ShardTarget;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// `lookup` fields of a request while a cluster is upgraded.
final class LookupFormatsTest extends SearchTierFixture {
  private static final String LOOKUP =
      """
      {"runtime_mappings":{"l":{"type":"lookup","target_index":"books","input_field":"n",
        "target_field":"n","fetch_fields":["k"]}},"fields":["l"]}\
      """;

  @BeforeEach
  void write() throws Exception {
    zero.add("1", "{\"n\":1,\"k\":\"a\"}");
    one.add("2", "{\"n\":2}");
    tier.commit(zero.upload());
    tier.commit(one.upload());
  }

  private void speak(int version) {
    metadata.state = metadata.state.withCustom("minimum_version", IntNode.valueOf(version));
  }

  @Test
  void membersThatCannotReadThemAreNotAsked() {
    speak(Formats.INDEX_MODES - 1);

    assertThatThrownBy(() -> search(LOOKUP))
        .isInstanceOf(Refusal.class)
        .hasMessageStartingWith("lookup fields need a cluster that speaks version 3");
  }

  @Test
  void membersThatCannotReadThemAreNotAnswered() throws Exception {
    speak(Formats.INDEX_MODES - 1);
    SearchSource source = SearchParser.parse(Json.parseObject(LOOKUP));
    QueryRequest request =
        new QueryRequest(
            "search-1",
            List.of(new QueryRequest.OfShard(ShardTarget.of(zero.id), 0)),
            1,
            source,
            0,
            0,
            null,
            false);

    QueryAnswer answer = tier.query(request, () -> false);

    Refusal failure = Objects.requireNonNull(answer.shards().getFirst().failure());
    assertThat(failure.reason()).startsWith("lookup fields need a cluster");
  }

  @Test
  void whenAllReadThemTheyAreFound() throws Exception {
    speak(Formats.INDEX_MODES);

    assertThat(search(LOOKUP).at("/hits/hits").toString()).contains("\"l\":[{\"k\":[\"a\"]}]");
  }
}
