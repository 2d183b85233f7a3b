package dev.holdfast.api.indices.mapping;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.TreeNode;
import com.fasterxml.jackson.core.util.JsonGeneratorDelegate;
import dev.holdfast.api.indices.GetIndexApi;
import dev.holdfast.api.indices.settings.GetSettingsApi;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexId;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.http.HeaderValues;
import dev.holdfast.http.RequestBody;
import dev.holdfast.http.Verb;
import dev.holdfast.node.FixedState;
import dev.holdfast.world.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// What answers say of thousands of indices is made and written index by index.
final class OneTreeAtATimeTest {
  private static final int INDICES = 3;

  private static Metadata metadata() {
    ClusterState state = ClusterState.empty("cluster");
    for (int i = 0; i < INDICES; i++) {
      state =
          state.withIndex(
              new IndexMetadata(
                  new IndexId("i" + i, "uuid" + i),
                  1,
                  new TreeMap<>(),
                  1,
                  Json.parseObject("{\"properties\":{\"f\":{\"type\":\"long\"}}}"),
                  1,
                  new TreeMap<>(),
                  true,
                  List.of(1L)));
    }
    return new FixedState(state);
  }

  /// Trees that an answer writes.
  private static int trees(Api api, Map<String, String> path) throws Exception {
    ApiRequest request =
        new ApiRequest(
            Verb.GET,
            "/x",
            path,
            Map.of("include_defaults", "true"),
            HeaderValues.NONE,
            RequestBody.EMPTY,
            null,
            () -> false);
    Answer answer = api.handle(request);
    AtomicInteger trees = new AtomicInteger();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JsonGenerator out =
        new JsonGeneratorDelegate(Json.MAPPER.createGenerator(bytes)) {
          @Override
          public void writeTree(TreeNode tree) throws IOException {
            trees.incrementAndGet();
            super.writeTree(tree);
          }
        }) {
      ((Answer.Content.Structured) answer.content()).writer().write(out);
    }
    assertThat(Json.parse(bytes.toByteArray())).hasSize(INDICES);
    return trees.get();
  }

  @Test
  void settingsMappingsAndWholeIndices() throws Exception {
    assertThat(trees(new GetSettingsApi(metadata()), Map.of())).isEqualTo(INDICES);
    assertThat(trees(new GetIndexApi(metadata()), Map.of("index", "_all"))).isEqualTo(INDICES);
    assertThat(trees(new GetFieldMappingApi(metadata()), Map.of("fields", "*"))).isEqualTo(INDICES);
  }
}
