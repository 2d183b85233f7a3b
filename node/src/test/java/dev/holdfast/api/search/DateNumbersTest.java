package dev.holdfast.api.search;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.RunningNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Numbers in queries and in place of missing dates are milliseconds, as in Elasticsearch 9.5.3.
final class DateNumbersTest {
  @RegisterExtension static final RunningNode node = RunningNode.alone();

  @Test
  void aNumberIsMillisecondsWhateverFormatTheFieldHas() throws Exception {
    node.ok(
        "PUT",
        "/dates",
        "{\"mappings\":{\"properties\":{\"s\":{\"type\":\"date\",\"format\":\"epoch_second\"},"
            + "\"y\":{\"type\":\"date\",\"format\":\"yyyy\"},\"d\":{\"type\":\"date\"},"
            + "\"n\":{\"type\":\"date_nanos\"}}}}");
    node.ok(
        "PUT",
        "/dates/_doc/1?refresh=true",
        "{\"s\":1,\"y\":\"2020\",\"d\":1,\"n\":\"1970-01-01T00:00:01.5Z\"}");

    assertThat(found("{\"term\":{\"s\":1000}}")).isEqualTo(1);
    assertThat(found("{\"terms\":{\"s\":[1000]}}")).isEqualTo(1);
    assertThat(found("{\"match\":{\"s\":1000}}")).isEqualTo(1);
    assertThat(found("{\"term\":{\"s\":1}}")).isZero();
    assertThat(found("{\"term\":{\"s\":\"1\"}}")).isEqualTo(1);
    assertThat(found("{\"range\":{\"s\":{\"gte\":1000,\"time_zone\":\"+01:00\"}}}")).isEqualTo(1);
    assertThat(found("{\"range\":{\"s\":{\"gte\":1000,\"format\":\"epoch_second\"}}}")).isZero();
    assertThat(found("{\"term\":{\"y\":2020}}")).isZero();
    assertThat(found("{\"range\":{\"y\":{\"gt\":1.5}}}")).isEqualTo(1);
    assertThat(found("{\"range\":{\"d\":{\"lte\":1000}}}")).isEqualTo(1); // not the year 1000
    assertThat(found("{\"range\":{\"d\":{\"lte\":\"1000\"}}}")).isZero();
    assertThat(found("{\"range\":{\"n\":{\"gt\":1499,\"lt\":1501}}}")).isEqualTo(1);
  }

  @Test
  void whatStandsInForAMissingDateIsToo() throws Exception {
    node.ok(
        "PUT",
        "/missing",
        "{\"mappings\":{\"properties\":{\"y\":{\"type\":\"date\",\"format\":\"yyyy\"},"
            + "\"n\":{\"type\":\"date_nanos\"}}}}");
    node.ok("PUT", "/missing/_doc/1?refresh=true", "{}");
    for (String field : new String[] {"y", "n"}) {
      JsonNode answer =
          node.ok(
              "POST",
              "/missing/_search",
              "{\"size\":0,\"aggs\":{\"a\":{\"terms\":{\"field\":\""
                  + field
                  + "\",\"missing\":1000}}}}");

      assertThat(answer.at("/aggregations/a/buckets/0/key").asLong()).as(field).isEqualTo(1000);
    }
    JsonNode late =
        node.ok(
            "POST",
            "/missing/_search",
            "{\"size\":0,\"aggs\":{\"a\":{\"max\":{\"field\":\"n\",\"missing\":1e18}}}}");
    assertThat(late.at("/aggregations/a/value").asDouble())
        .as("no nanoseconds count that far")
        .isLessThan(1e13);
  }

  private static int found(String query) throws Exception {
    return node.ok("POST", "/dates/_count", "{\"query\":" + query + "}").path("count").asInt();
  }
}
