package dev.holdfast.clientstest;

import static org.assertj.core.api.Assertions.assertThat;

import co.elastic.clients.elasticsearch.ElasticsearchClient;
import co.elastic.clients.elasticsearch._types.HealthStatus;
import co.elastic.clients.elasticsearch._types.Refresh;
import co.elastic.clients.elasticsearch.indices.shard_stores.ShardStoreStatus;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Answers about the cluster as the Java client reads them: it has types for all of them, and fails
/// where a member that they must have is missing.
class TypedAnswersTest {
  @SuppressWarnings("NullAway.Init")
  private static TestedNode node;

  @SuppressWarnings("NullAway.Init")
  private static ElasticsearchClient client;

  @BeforeAll
  static void start(@TempDir Path folder) throws Exception {
    node = TestedNode.start(folder);
    client = ElasticsearchClient.of(made -> made.host(node.url()));
    var _ =
        client.index(
            book -> book.index("books").id("1").document(Map.of("n", 1)).refresh(Refresh.True));
  }

  @AfterAll
  static void stop() throws Exception {
    client.close();
    node.close();
  }

  @Test
  void theClusterInSums() throws Exception {
    assertThat(client.cluster().stats().indices().versions().getFirst().indexCount()).isEqualTo(1);
    assertThat(client.healthReport().status()).isNotNull();
    assertThat(client.nodes().info().nodes()).hasSize(1);
    assertThat(client.nodes().stats().nodes()).hasSize(1);
    assertThat(client.xpack().usage().ilm().policyCount()).isPositive();
    assertThat(client.migration().getFeatureUpgradeStatus().features()).isEmpty();
  }

  @Test
  void shards() throws Exception {
    assertThat(client.searchShards(asked -> asked.index("books")).nodes()).hasSize(1);
    assertThat(client.indices().segments(asked -> asked.index("books")).indices()).hasSize(1);
    assertThat(
            client
                .indices()
                .shardStores(asked -> asked.index("books").status(ShardStoreStatus.All))
                .indices())
        .hasSize(1);
    assertThat(
            client
                .cluster()
                .allocationExplain(
                    asked -> asked.index("books").shard(0).primary(true).includeDiskInfo(true))
                .currentNode())
        .isNotNull();
    assertThat(client.cluster().health().status()).isNotEqualTo(HealthStatus.Red);
  }

  @Test
  void aProfile() throws Exception {
    var answer =
        client.search(
            asked ->
                asked
                    .index("books")
                    .profile(true)
                    .query(query -> query.term(term -> term.field("n").value(1))),
            Map.class);

    assertThat(answer.profile().shards().getFirst().searches().getFirst().query()).isNotEmpty();
  }
}
