package dev.holdfast.api.document;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.RunningNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Fields without doc values answer as Elasticsearch 9.5.3 lets them.
final class UncolumnedFieldsTest {
  private static final String NEITHER = "\"index\":false,\"doc_values\":false";

  @RegisterExtension static final RunningNode node = RunningNode.alone();

  @Test
  void aStoredFieldThatIsNotIndexedExists() throws Exception {
    StringBuilder mapping =
        new StringBuilder(
            "{\"mappings\":{\"properties\":{\"none\":{" + "\"type\":\"long\"," + NEITHER + "}");
    String[][] kinds = {
      {"long", "1"},
      {"date", "1"},
      {"boolean", "true"},
      {"ip", "\"::1\""},
      {"geo_point", "\"1,2\""},
      {"keyword", "\"a\""},
      {"integer_range", "{\"gte\":1}"}
    };
    StringBuilder document = new StringBuilder("{\"none\":1");
    for (String[] kind : kinds) {
      mapping.append(",\"" + kind[0] + "\":{\"type\":\"" + kind[0] + "\",\"store\":true,");
      mapping.append(NEITHER + "}");
      document.append(",\"" + kind[0] + "\":" + kind[1]);
    }
    mapping.append(",\"text\":{\"type\":\"text\",\"store\":true,\"index\":false,\"norms\":false}");
    document.append(",\"text\":\"a\"}");
    node.ok("PUT", "/stored", mapping + "}}}");
    node.ok("PUT", "/stored/_doc/1?refresh=true", document.toString());

    for (String[] kind : kinds) {
      assertThat(exists(kind[0])).as(kind[0]).isEqualTo(1);
    }
    assertThat(exists("text")).isEqualTo(1);
    assertThat(exists("none")).isZero();
  }

  @Test
  void aKeywordThatNothingKeepsMayBeLongerThanATerm() throws Exception {
    node.ok(
        "PUT",
        "/long",
        "{\"mappings\":{\"properties\":{\"k\":{\"type\":\"keyword\"," + NEITHER + "}}}}");
    String text = "x".repeat(40_000);
    node.ok("PUT", "/long/_doc/1", "{\"k\":\"" + text + "\"}");

    assertThat(node.json("/long/_doc/1").at("/_source/k").asText()).isEqualTo(text);
  }

  private static int exists(String field) throws Exception {
    String exists = "{\"query\":{\"exists\":{\"field\":\"" + field + "\"}}}";
    String range = "{\"query\":{\"range\":{\"" + field + "\":{}}}}";
    int found = node.ok("POST", "/stored/_count", exists).path("count").asInt();
    assertThat(node.ok("POST", "/stored/_count", range).path("count").asInt()).isEqualTo(found);
    return found;
  }

  @Test
  void fieldsShowsValuesAsTheTypeMeansThem() throws Exception {
    node.ok(
        "PUT",
        "/plain",
        "{\"mappings\":{\"properties\":{\"l\":{\"type\":\"long\",\"doc_values\":false},"
            + "\"b\":{\"type\":\"boolean\",\"doc_values\":false},"
            + "\"f\":{\"type\":\"float\",\"doc_values\":false},"
            + "\"d\":{\"type\":\"date\",\"doc_values\":false}}}}");
    node.ok(
        "PUT",
        "/plain/_doc/1?refresh=true",
        "{\"l\":[\"1\",2.7],\"b\":\"true\",\"f\":\"0.1\",\"d\":1577836800000}");
    JsonNode fields =
        node.ok(
                "POST",
                "/plain/_search",
                "{\"fields\":[\"l\",\"b\",\"f\",{\"field\":\"d\",\"format\":\"yyyy\"}]}")
            .at("/hits/hits/0/fields");

    assertThat(fields.path("l")).hasToString("[1,2]");
    assertThat(fields.path("b")).hasToString("[true]");
    assertThat(fields.path("f")).hasToString("[0.1]");
    assertThat(fields.path("d")).hasToString("[\"2020\"]");
  }
}
