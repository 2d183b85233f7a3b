package dev.holdfast.api.indices.mapping;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.NodeFixture;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Field mappings with `include_defaults`.
final class FieldDefaultsTest {
  @Test
  void fieldsShowWhatTheyAreByDefault(@TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      node.ok(
          "PUT",
          "/a",
          """
          {"settings":{"index.mapping.coerce":false},"mappings":{"properties":{
            "n":{"type":"long","store":true},
            "d":{"type":"date"},
            "s":{"type":"text","search_analyzer":"stop","analyzer":"simple"},
            "t":{"type":"text","analyzer":"simple","fields":{"k":{"type":"keyword"}}}}}}
          """);

      JsonNode shown = node.json("/a/_mapping/field/*?include_defaults=true").at("/a/mappings");

      assertThat(shown.at("/n/mapping/n"))
          .hasToString(
              """
              {"type":"long","store":true,"index":true,"doc_values":true,\
              "ignore_malformed":false,"coerce":false,"null_value":null,"meta":{},\
              "script":null,"on_script_error":"fail","time_series_dimension":false,\
              "time_series_metric":null}\
              """);
      assertThat(shown.at("/d/mapping/d/format").asText())
          .isEqualTo("strict_date_optional_time||epoch_millis");
      assertThat(shown.at("/t/mapping/t/search_analyzer").asText()).isEqualTo("simple");
      assertThat(shown.at("/s/mapping/s/search_quote_analyzer").asText()).isEqualTo("stop");
      assertThat(shown.at("/d/mapping/d").has("time_series_dimension")).isFalse();
      assertThat(shown.at("/t/mapping/t/norms")).hasToString("true");
      assertThat(shown.at("/t/mapping/t/fields/k/doc_values")).hasToString("true");
      assertThat(shown.at("/t.k/mapping/k/ignore_above").asLong()).isEqualTo(Integer.MAX_VALUE);
      assertThat(node.json("/a/_mapping/field/n").at("/a/mappings/n/mapping/n"))
          .hasToString("{\"type\":\"long\",\"store\":true}");
    }
  }
}
