package dev.holdfast.api.indices.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.TestCluster;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.World;
import dev.holdfast.world.real.RealWorld;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What is done on all shards of some indices.
@Timeout(60)
final class ShardOperationsTest {
  private final World world = RealWorld.create();
  private final ShardOperations operations =
      new ShardOperations(world, ShardOperations.SIDE_BY_SIDE);
  private final List<IndexMetadata> indices =
      List.of(TestCluster.index("books", 2, 1), TestCluster.index("films", 1, 0));

  @AfterEach
  void close() {
    world.tasks().close();
  }

  @Test
  void aShardThatFailsKeepsNoOtherFromIt() throws Exception {
    JsonNode shards =
        operations
            .done(
                indices,
                shard -> {
                  if (shard.number() == 1) {
                    throw new IOException("No space left on device");
                  }
                  if (shard.index().name().equals("films")) {
                    throw new Refusal(ErrorType.UNAVAILABLE_SHARDS, "nobody has it");
                  }
                })
            .path("_shards");

    assertThat(shards.path("total").asInt()).isEqualTo(5);
    assertThat(shards.path("successful").asInt()).isEqualTo(1);
    assertThat(shards.path("failed").asInt()).isEqualTo(2);
    assertThat(shards.path("failures").toString())
        .isEqualTo(
            "[{\"shard\":1,\"index\":\"books\",\"status\":\"INTERNAL_SERVER_ERROR\",\"reason\":"
                + "{\"type\":\"i_o_exception\",\"reason\":\"No space left on device\"}},"
                + "{\"shard\":0,\"index\":\"films\",\"status\":\"SERVICE_UNAVAILABLE\",\"reason\":"
                + "{\"type\":\"unavailable_shards_exception\",\"reason\":\"nobody has it\"}}]");
  }

  @Test
  void whatIsDeletedOrClosedMeanwhileHasNotFailed() throws Exception {
    JsonNode shards =
        operations
            .done(
                indices,
                shard -> {
                  throw shard.index().name().equals("films")
                      ? new Refusal(ErrorType.INDEX_CLOSED, "closed")
                      : new Refusal(ErrorType.SHARD_NOT_FOUND, "no such shard");
                })
            .path("_shards");

    assertThat(shards).hasToString("{\"total\":5,\"successful\":0,\"failed\":0}");
  }

  @Test
  void whatFailsEverywhereIsAnError() {
    assertThatThrownBy(() ->
            operations.done(
                indices,
                shard -> {
                  throw new IOException("No space left on device");
                }))
        .isInstanceOfSatisfying(
            Refusal.class, refusal -> assertThat(refusal.type()).isEqualTo(ErrorType.IO));
  }

  /// One that is not open is waited for: the others need not wait for it.
  @Test
  void shardsWaitSideBySide() throws Exception {
    CountDownLatch all = new CountDownLatch(3);

    JsonNode answer =
        operations.done(
            indices,
            shard -> {
              all.countDown();
              all.await();
            });

    assertThat(answer.at("/_shards/failed").asInt(-1)).isZero();
  }
}
