package dev.holdfast.indexing.recovery;

import static dev.holdfast.indexing.TestIndexingNode.index;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.indexing.IndexingTierFixture;
import dev.holdfast.indexing.TestIndexingNode;
import dev.holdfast.world.Json;
import java.util.Objects;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What was acknowledged is there after a recovery, whatever the mapping has become meanwhile.
@Timeout(120)
final class StricterMappingTest extends IndexingTierFixture {
  private void map(String json) throws InterruptedException {
    node.cluster.update(
        "mapping",
        state -> {
          IndexMetadata index = Objects.requireNonNull(state.indices().get("books"));
          return state.withIndex(index.withMapping(Json.parseObject(json)));
        });
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        // what is unknown was ignored, and is refused or mapped now
        "{\"dynamic\":\"false\"} | {\"dynamic\":\"strict\"} | {\"n\":\"x\"}",
        "{\"dynamic\":\"false\"} | {\"dynamic\":\"true\","
            + "\"properties\":{\"n\":{\"type\":\"long\"}}} | {\"n\":\"x\"}",
        // what is malformed was ignored
        "{\"properties\":{\"n\":{\"type\":\"long\",\"ignore_malformed\":true}}}"
            + " | {\"properties\":{\"n\":{\"type\":\"long\",\"ignore_malformed\":false}}}"
            + " | {\"n\":\"x\"}",
        "{\"properties\":{\"o\":{\"properties\":{\"n\":"
            + "{\"type\":\"long\",\"coerce\":true}}}}}"
            + " | {\"properties\":{\"o\":{\"properties\":{\"n\":"
            + "{\"type\":\"long\",\"coerce\":false}}}}}"
            + " | {\"o\":{\"n\":\"7\"}}",
        // what fields refuse that can't be told to ignore it
        "{\"dynamic\":\"false\"} | {\"properties\":{\"n\":{\"type\":\"integer_range\"}}}"
            + " | {\"n\":{\"lte\":3000000000}}",
        "{\"dynamic\":\"false\"} | {\"properties\":{\"n\":{\"type\":\"geo_shape\"}}}"
            + " | {\"n\":\"POLYGON ((0 0, 9 9, 9 0, 0 9, 0 0))\"}"
      })
  void whatWasIndexedOnceIsIndexedAgain(String before, String after, String document)
      throws Exception {
    ShardId shard = node.create("books");
    map(before);
    node.done(shard, index("odd", document));
    node.done(shard, index("plain", "{}"));
    map(after);
    node.crash();

    node = new TestIndexingNode(store, folder, TestIndexingNode.config());
    node.awaitShards();

    assertThat(node.source(shard, "odd")).isEqualTo(document);
    assertThat(node.source(shard, "plain")).isEqualTo("{}");
    assertThat(
            node.tier.sights().stream()
                .map(sight -> Objects.requireNonNull(sight.open()).opened().replayed()))
        .containsExactly(2L);
  }
}
