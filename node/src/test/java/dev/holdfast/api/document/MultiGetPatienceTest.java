package dev.holdfast.api.document;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.TestCluster;
import dev.holdfast.http.Answer;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.http.HeaderValues;
import dev.holdfast.http.RequestBody;
import dev.holdfast.http.Verb;
import dev.holdfast.indexing.call.IndexingShards;
import dev.holdfast.node.FixedState;
import dev.holdfast.search.Searches;
import dev.holdfast.world.Clock;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.World;
import dev.holdfast.world.real.RealWorld;
import java.io.StringWriter;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// How long `_mget` waits for shards that do not answer.
final class MultiGetPatienceTest {
  private static final int DOCUMENTS = 300;

  /// Threads that share them.
  private static final int READS_MAX = 32;

  private final AtomicLong nanos = new AtomicLong();
  private final AtomicInteger asked = new AtomicInteger();
  private final World real = RealWorld.create();
  private final World world =
      new World(
          new Clock() {
            @Override
            public long nanoTime() {
              return nanos.get();
            }

            @Override
            public long epochMillis() {
              return 0;
            }
          },
          real.sleeper(),
          real.ids(),
          real.chance(),
          real.tasks());

  /// Each waits in vain for a minute.
  private Searches silent() {
    return (Searches)
        Proxy.newProxyInstance(
            Searches.class.getClassLoader(),
            new Class<?>[] {Searches.class},
            (_, _, _) -> {
              asked.incrementAndGet();
              nanos.addAndGet(Duration.ofSeconds(61).toNanos());
              throw new Refusal(ErrorType.UNAVAILABLE_SHARDS, "primary shard is not active");
            });
  }

  private static IndexingShards nobody() {
    return (IndexingShards)
        Proxy.newProxyInstance(
            IndexingShards.class.getClassLoader(),
            new Class<?>[] {IndexingShards.class},
            (_, method, _) -> {
              throw new AssertionError(method.getName());
            });
  }

  @AfterEach
  void endTasks() {
    real.tasks().close();
  }

  @Test
  void itWaitsForManyNoLongerThanForOne() throws Exception {
    ClusterState state = ClusterState.empty("c").withIndex(TestCluster.index("books", 1, 1));
    MultiGetApi api =
        new MultiGetApi(world, new DocumentReads(new FixedState(state), silent(), nobody()));
    ObjectNode body = Json.object();
    ArrayNode ids = body.putArray("ids");
    for (int i = 0; i < DOCUMENTS; i++) {
      ids.add(Integer.toString(i));
    }

    Answer answer =
        api.handle(
            new ApiRequest(
                Verb.POST,
                "/books/_mget",
                Map.of("index", "books"),
                Map.of(),
                HeaderValues.NONE,
                RequestBody.of(Json.bytes(body)),
                null,
                () -> false));

    StringWriter text = new StringWriter();
    try (JsonGenerator out = Json.MAPPER.createGenerator(text)) {
      ((Answer.Content.Structured) answer.content()).writer().write(out);
    }
    JsonNode docs = Json.parse(text.toString()).path("docs");
    assertThat(docs).hasSize(DOCUMENTS);
    docs.forEach(doc ->
        assertThat(doc.at("/error/type").asText()).isEqualTo("unavailable_shards_exception"));
    assertThat(asked.get()).isLessThanOrEqualTo(READS_MAX);
  }
}
