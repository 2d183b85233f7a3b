package dev.holdfast.document;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.clusterstate.ShardLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RoutingTest {
  /// As Elasticsearch 9.5.3 answers `_search_shards?routing=…`.
  @ParameterizedTest
  @CsvSource({
    "a,4,2",
    "b,2,7",
    "c,0,1",
    "hello,1,1",
    "world,3,1",
    "doc-1,2,2",
    "doc-2,0,4",
    "zürich,3,5",
    "12345,4,1"
  })
  void shardsAreThoseOfElasticsearch(String id, int ofFive, int ofEight) {
    assertThat(Routing.shard(id, null, 5)).isEqualTo(ofFive);
    assertThat(Routing.shard(id, null, 8)).isEqualTo(ofEight);
    assertThat(Routing.shard("other", id, 8)).isEqualTo(ofEight);
  }

  @Test
  void aShardSplitsIntoShardsEqualToItModuloTheNumberBefore() {
    for (int i = 0; i < 1_000; i++) {
      String id = "document-" + i;
      assertThat(Routing.shard(id, null, 14) % 7).isEqualTo(Routing.shard(id, null, 7));
    }
  }

  @ParameterizedTest
  @CsvSource({"2,4,1", "2,6,1", "3,12,1", "2,4,2", "2,6,3"})
  void aStepOfASplitMovesDocumentsOfOneShardToTheNewOne(int from, int to, int partition) {
    for (int shards = from; shards < to; shards++) {
      ShardLayout before = new ShardLayout(shards, from, to);
      ShardLayout after = new ShardLayout(shards + 1, from, to);
      for (int i = 0; i < 1_000; i++) {
        String id = "document-" + i;
        String routing = i % 3 == 0 ? null : "user-" + i % 50;
        int was = Routing.shard(id, routing, before, partition);
        int is = Routing.shard(id, routing, after, partition);
        assertThat(is).isIn(was, shards);
        if (is == shards) {
          assertThat(was).isEqualTo(shards % from);
        }
        if (routing != null) {
          assertThat(Routing.shards(routing, before, partition)).contains(was);
          assertThat(Routing.shards(routing, after, partition)).contains(is);
        }
      }
    }
  }
}
