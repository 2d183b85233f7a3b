package dev.holdfast.api.ilm;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.api.ilm.action.LifecycleState;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.TestCluster;
import dev.holdfast.http.Answer;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.http.HeaderValues;
import dev.holdfast.http.RequestBody;
import dev.holdfast.http.Verb;
import dev.holdfast.node.FixedState;
import dev.holdfast.world.Json;
import dev.holdfast.world.real.RealWorld;
import java.io.ByteArrayOutputStream;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

final class ExplainLifecycleTest {
  private static IndexMetadata index(String name, String setting) {
    IndexMetadata index = TestCluster.index(name, 1, 0);
    SortedMap<String, Object> settings = new TreeMap<>(index.settings());
    settings.put("index.lifecycle.name", "days");
    settings.put(setting, "true");
    IndexMetadata managed = index.withSettings(settings);
    return managed.withCustom(LifecycleState.CUSTOM, LifecycleState.begun(managed, 1).json());
  }

  private static JsonNode explained(Map<String, String> parameters) throws Exception {
    ClusterState state =
        StoredPolicies.with(
                ClusterState.empty("cluster"),
                "days",
                LifecyclePolicy.read(
                    Json.parseObject("{\"policy\":{\"phases\":{\"hot\":{\"actions\":{}}}}}")),
                1)
            .withIndex(index("a-undated", "index.lifecycle.parse_origination_date"))
            .withIndex(index("b-dated", "index.lifecycle.indexing_complete"));
    Answer answer =
        new ExplainLifecycleApi(new FixedState(state), RealWorld.create().clock())
            .handle(
                new ApiRequest(
                    Verb.GET,
                    "/*/_ilm/explain",
                    Map.of("index", "*"),
                    parameters,
                    HeaderValues.NONE,
                    RequestBody.EMPTY,
                    null,
                    () -> false));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    if (answer.content() instanceof Answer.Content.Structured structured) {
      try (JsonGenerator out = Json.MAPPER.createGenerator(bytes)) {
        structured.writer().write(out);
      }
    }
    return Json.parse(bytes.toByteArray()).path("indices");
  }

  @Test
  void anIndexOfUnknownAgeIsExplainedAndSoAreOthers() throws Exception {
    JsonNode indices = explained(Map.of());

    assertThat(indices.path("b-dated").has("age")).isTrue();
    assertThat(indices.path("a-undated").has("age")).isFalse();
    assertThat(indices.path("a-undated").path("phase").asText()).isEqualTo("new");
    assertThat(indices.path("a-undated").at("/step_info/reason").asText())
        .contains("a-undated")
        .contains("does not match pattern");
  }

  @Test
  void itIsAmongThoseWithErrors() throws Exception {
    JsonNode indices = explained(Map.of("only_errors", "true"));

    assertThat(indices.has("a-undated")).isTrue();
    assertThat(indices.has("b-dated")).isFalse();
  }
}
