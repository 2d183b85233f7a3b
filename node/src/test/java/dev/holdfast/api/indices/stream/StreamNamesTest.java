package dev.holdfast.api.indices.stream;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.NodeFixture;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Names and options that streams come by.
final class StreamNamesTest {
  @Test
  void aNameThatIsTakenIsNotThatOfTheNextIndex(@TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      node.ok("PUT", "/_index_template/app", "{\"index_patterns\":[\"app\"],\"data_stream\":{}}");
      node.ok("PUT", "/_data_stream/app", "");
      String first =
          node.ok("GET", "/_data_stream/app", "")
              .at("/data_streams/0/indices/0/index_name")
              .asText();
      String taken = first.replace("000001", "000002");
      node.ok("PUT", "/" + taken, "");

      JsonNode dry = node.ok("POST", "/app/_rollover?dry_run", "");
      JsonNode done = node.ok("POST", "/app/_rollover", "");

      assertThat(dry.path("new_index").asText()).isEqualTo(first.replace("000001", "000003"));
      assertThat(done.path("new_index").asText()).isEqualTo(first.replace("000001", "000003"));
      JsonNode stream = node.ok("GET", "/_data_stream/app", "").at("/data_streams/0");
      assertThat(stream.path("generation").asInt()).isEqualTo(3);
      assertThat(stream.path("indices")).hasSize(2);
    }
  }

  @Test
  void optionsOfTemplatesAreMergedMemberByMember(@TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      node.ok(
          "PUT",
          "/_component_template/kept",
          "{\"template\":{\"data_stream_options\":{\"failure_store\":{\"enabled\":true}}}}");
      node.ok(
          "PUT",
          "/_index_template/app",
          """
          {"index_patterns": ["app"], "data_stream": {}, "composed_of": ["kept"], "template":
           {"data_stream_options": {"failure_store": {"lifecycle": {"data_retention": "5d"}}}}}
          """);
      node.ok("PUT", "/_data_stream/app", "");

      JsonNode store =
          node.ok("GET", "/_data_stream/app/_options", "")
              .at("/data_streams/0/options/failure_store");

      assertThat(store.path("enabled").asBoolean()).isTrue();
      assertThat(store.at("/lifecycle/data_retention").asText()).isEqualTo("5d");
    }
  }

  /// What an index has of its past is not the policy's.
  @Test
  void withoutAPolicyAnIndexKeepsItsDate(@TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      node.ok(
          "PUT",
          "/old",
          """
          {"settings": {"index.lifecycle": {"name": "days", "rollover_alias": "a", "skip": true,
            "origination_date": 5, "prefer_ilm": false, "indexing_complete": true}}}
          """);

      node.ok("POST", "/old/_ilm/remove", "");

      assertThat(
              node.ok("GET", "/old/_settings", "").at("/old/settings/index/lifecycle").toString())
          .isEqualTo(
              "{\"indexing_complete\":\"true\",\"origination_date\":\"5\",\"prefer_ilm\":\"false\"}");
    }
  }
}
