package dev.holdfast.api.search.async;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.api.search.AsyncSearchApi;
import dev.holdfast.api.search.AsyncSearches;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.http.Header;
import dev.holdfast.http.HeaderValues;
import dev.holdfast.http.RequestBody;
import dev.holdfast.http.Verb;
import dev.holdfast.node.FixedState;
import dev.holdfast.node.RunningNode;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.World;
import dev.holdfast.world.real.RealWorld;
import java.io.ByteArrayOutputStream;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// What clients of async searches read of one that runs, has failed, or is done.
final class AsyncSearchAnswersTest {
  @RegisterExtension static final RunningNode node = RunningNode.alone();

  private final World world = RealWorld.create();

  @AfterEach
  void stop() {
    world.tasks().close();
  }

  private AsyncSearchApi api(Api search) {
    Metadata metadata = new FixedState(ClusterState.empty("cluster"));
    return new AsyncSearchApi(metadata, new AsyncSearches(world, metadata, "self"), search);
  }

  private static ApiRequest request(Map<String, String> path, Map<String, String> parameters) {
    return new ApiRequest(
        Verb.POST,
        "/_async_search",
        path,
        parameters,
        HeaderValues.NONE,
        RequestBody.EMPTY,
        null,
        () -> false);
  }

  private static JsonNode body(Answer answer) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    if (answer.content() instanceof Answer.Content.Structured structured) {
      try (JsonGenerator out = Json.MAPPER.createGenerator(bytes)) {
        structured.writer().write(out);
      }
    }
    return Json.parse(bytes.toByteArray());
  }

  @Test
  void oneThatRunsHasAnAnswerWithoutHits() throws Exception {
    CountDownLatch mayEnd = new CountDownLatch(1);
    AsyncSearchApi api =
        api(_ -> {
          mayEnd.await();
          return Answer.of(200, Json.object().put("took", 1));
        });

    Answer begun =
        api.submit().handle(request(Map.of(), Map.of("wait_for_completion_timeout", "1ms")));
    JsonNode running = body(begun);
    Map<String, String> id = Map.of("id", running.path("id").asText());
    JsonNode status = body(api.status().handle(request(id, Map.of())));
    mayEnd.countDown();
    Answer done = api.get().handle(request(id, Map.of("wait_for_completion_timeout", "5m")));

    assertThat(running.path("is_running").asBoolean()).isTrue();
    assertThat(running.at("/response/took").isNumber()).isTrue();
    assertThat(running.at("/response/timed_out").isBoolean()).isTrue();
    assertThat(running.at("/response/_shards"))
        .isEqualTo(Json.parse("{\"total\":0,\"successful\":0,\"skipped\":0,\"failed\":0}"));
    assertThat(running.at("/response/hits"))
        .isEqualTo(
            Json.parse(
                "{\"total\":{\"value\":0,\"relation\":\"gte\"},\"max_score\":null,\"hits\":[]}"));
    assertThat(begun.headers())
        .contains(
            new Header("X-Elasticsearch-Async-Is-Running", "?1"),
            new Header("X-Elasticsearch-Async-Id", running.path("id").asText()));
    assertThat(status.path("_shards").isObject()).isTrue();
    assertThat(status.has("response")).isFalse();
    assertThat(body(done).path("response").toString()).isEqualTo("{\"took\":1}");
    assertThat(done.headers()).contains(new Header("X-Elasticsearch-Async-Is-Running", "?0"));
  }

  @Test
  void oneWhoseShardsFailedHasBothAnAnswerAndAnError() throws Exception {
    AsyncSearchApi api =
        api(_ -> {
          throw new Refusal(ErrorType.SEARCH_PHASE_EXECUTION, "all shards failed");
        });

    Answer failed =
        api.submit().handle(request(Map.of(), Map.of("wait_for_completion_timeout", "5m")));

    assertThat(failed.status()).isEqualTo(400);
    assertThat(body(failed).path("is_partial").asBoolean()).isTrue();
    assertThat(body(failed).at("/response/hits/hits")).isEmpty();
    assertThat(body(failed).at("/error/reason").asText()).isEqualTo("all shards failed");
  }

  @Test
  void theStatusCountsShards() throws Exception {
    node.ok("PUT", "/three", "{\"settings\":{\"number_of_shards\":3}}");
    HttpResponse<String> kept =
        node.call(
            "POST",
            "/three/_async_search?keep_on_completion=true&wait_for_completion_timeout=5m",
            "{}");
    String id = Json.parse(kept.body()).path("id").asText();

    JsonNode status = node.ok("GET", "/_async_search/status/" + id, "");
    JsonNode forPeople = node.ok("GET", "/_async_search/status/" + id + "?human", "");

    assertThat(kept.headers().firstValue("X-Elasticsearch-Async-Id")).hasValue(id);
    assertThat(status.path("completion_status").asInt()).isEqualTo(200);
    assertThat(status.has("start_time")).isFalse();
    assertThat(forPeople.path("start_time").asText()).endsWith("Z");
    assertThat(forPeople.path("completion_time").asText()).endsWith("Z");
    assertThat(status.path("_shards"))
        .isEqualTo(Json.parse("{\"total\":3,\"successful\":3,\"skipped\":0,\"failed\":0}"));
  }

  @Test
  void toKeepOneThatRunsIsNoVainWish() throws Exception {
    node.ok("PUT", "/one", "");

    HttpResponse<String> kept =
        node.call(
            "POST",
            "/one/_async_search?keep_on_completion=true&wait_for_completion_timeout=0ms",
            "{}");

    assertThat(kept.statusCode()).isEqualTo(200);
    assertThat(kept.headers().allValues("Warning")).isEmpty();
  }
}
