package dev.holdfast.api.document;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.RunningNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Vectors that clients send as texts, which are Base64 or hexadecimal: they are shown as numbers.
final class PackedVectorsTest {
  @RegisterExtension static final RunningNode node = RunningNode.alone();

  @Test
  void vectorsThatAreTextsAreShownAsNumbers() throws Exception {
    node.ok(
        "PUT",
        "/packed",
        """
        {"mappings":{"properties":{"f":{"type":"dense_vector"},
          "b":{"type":"dense_vector","element_type":"byte"},
          "o":{"properties":{"t":{"type":"dense_vector","element_type":"bit"}}}}}}
        """);
    String document =
        "{\"name\":\"P4AAAD+ZmZpAEzMz\",\"f\":\"P4AAAD+ZmZpAEzMz\",\"b\":\"0c17fa\",\"o\":{\"t\":\"12d590\"}}";
    String numbers =
        """
        {"name":"P4AAAD+ZmZpAEzMz","f":[1.0,1.2,2.3],"b":[12,23,-6],"o":{"t":[18,-43,-112]}}\
        """;
    node.ok("PUT", "/packed/_doc/1?refresh=true", document);

    JsonNode shown =
        node.ok("POST", "/packed/_search", "{\"_source\":{\"exclude_vectors\":false}}");
    JsonNode named = node.ok("POST", "/packed/_search", "{\"_source\":[\"o.*\"]}");
    JsonNode fields =
        node.ok("POST", "/packed/_search", "{\"fields\":[\"f\",\"b\",\"o.t\"],\"_source\":false}");
    JsonNode got = node.ok("GET", "/packed/_doc/1?_source_exclude_vectors=false", "");
    JsonNode hidden = node.ok("GET", "/packed/_doc/1", "");

    assertThat(shown.at("/hits/hits/0/_source")).hasToString(numbers);
    assertThat(got.path("_source")).hasToString(numbers);
    assertThat(named.at("/hits/hits/0/_source")).hasToString("{\"o\":{\"t\":[18,-43,-112]}}");
    assertThat(fields.at("/hits/hits/0/fields"))
        .hasToString("{\"f\":[1.0,1.2,2.3],\"b\":[12,23,-6],\"o.t\":[18,-43,-112]}");
    assertThat(hidden.path("_source").has("f")).isFalse();
    String columns = "{\"docvalue_fields\":[\"f\",\"b\"],\"_source\":false}";
    assertThat(node.ok("POST", "/packed/_search", columns).at("/hits/hits/0/fields"))
        .hasToString("{\"f\":[[1.0,1.2,2.3]],\"b\":[[12,23,-6]]}");
  }

  @Test
  void aTextThatMayBeEitherHasTheLengthOfItsField() throws Exception {
    node.ok(
        "PUT",
        "/either",
        """
        {"mappings":{"properties":{"b":{"type":"dense_vector","element_type":"byte","dims":3}}}}
        """);
    node.ok("PUT", "/either/_doc/1?refresh=true", "{\"b\":\"DBf6\"}");

    JsonNode found =
        node.ok("POST", "/either/_search", "{\"_source\":{\"exclude_vectors\":false}}");

    assertThat(found.at("/hits/hits/0/_source")).hasToString("{\"b\":[12,23,-6]}");
    node.refused(400, "PUT", "/either/_doc/2", "{\"b\":\"0c1700ff\"}");
  }
}
