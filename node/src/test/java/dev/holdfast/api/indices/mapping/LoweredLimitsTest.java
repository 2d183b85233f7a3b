package dev.holdfast.api.indices.mapping;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.RunningNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Limits of a mapping are for what comes, not for what is there.
final class LoweredLimitsTest {
  @RegisterExtension static final RunningNode node = RunningNode.alone();

  @Test
  void anIndexAboveALoweredLimitIsReadAndWritten() throws Exception {
    JsonNode _ = node.ok("PUT", "/wide/_doc/1?refresh=true", "{\"a\":1,\"b\":2,\"c\":3}");

    JsonNode _ = node.ok("PUT", "/wide/_settings", "{\"index.mapping.total_fields.limit\":1}");
    JsonNode _ = node.ok("PUT", "/wide/_doc/2?refresh=true", "{\"a\":4}");
    JsonNode found =
        node.ok("POST", "/wide/_search", "{\"query\":{\"range\":{\"a\":{\"gte\":1}}}}");
    JsonNode refused = node.refused(400, "PUT", "/wide/_doc/3", "{\"d\":1}");

    assertThat(found.at("/hits/total/value").asInt()).isEqualTo(2);
    assertThat(refused.toString()).contains("Limit of total fields [1] has been exceeded");
  }

  @Test
  void whatIsMadeIsAskedFor() throws Exception {
    String mapping =
        "{\"settings\":{\"index.mapping.total_fields.limit\":1},\"mappings\":{\"properties\":{"
            + "\"a\":{\"type\":\"long\"},\"b\":{\"type\":\"long\"}}}}";

    JsonNode index = node.refused(400, "PUT", "/narrow", mapping);
    JsonNode template =
        node.refused(
            400,
            "PUT",
            "/_index_template/narrow",
            "{\"index_patterns\":[\"narrow*\"],\"template\":" + mapping + "}");

    assertThat(index.toString()).contains("Limit of total fields [1] has been exceeded");
    assertThat(template.toString()).contains("Limit of total fields [1] has been exceeded");
  }

  @Test
  void aDateThatItsFormatCannotWriteIsNoFault() throws Exception {
    JsonNode _ = node.ok("PUT", "/dated/_doc/1?refresh=true", "{\"d\":\"2020-12-12\"}");

    JsonNode refused =
        node.refused(
            400,
            "POST",
            "/dated/_search",
            "{\"docvalue_fields\":[{\"field\":\"d\",\"format\":\"pages\"}]}");

    assertThat(refused.toString()).contains("cannot be written in the format");
  }
}
