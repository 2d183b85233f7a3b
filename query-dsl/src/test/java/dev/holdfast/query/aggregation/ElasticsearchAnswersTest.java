package dev.holdfast.query.aggregation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;

/// What Elasticsearch 9.5.3 answered to these requests over four documents, `typed_keys` on: the
/// same members in the same order, the same refusals (positions left out). One request a line, a
/// tab, its answer, or `! type | reason | reason of the cause`.
final class ElasticsearchAnswersTest {
  private static final String MAPPING =
      """
      {"dynamic": false, "properties": {
        "color": {"type": "keyword"}, "n": {"type": "integer"}, "price": {"type": "double"},
        "sold": {"type": "boolean"}, "at": {"type": "date"}, "ip": {"type": "ip"},
        "t": {"type": "text"}, "day": {"type": "date", "format": "yyyy-MM-dd"},
        "nothing": {"type": "long"}}}
      """;

  @Test
  void answersAsElasticsearch() throws IOException {
    SoftAssertions all = new SoftAssertions();
    try (AggregationTestShard shard = new AggregationTestShard(MAPPING)) {
      shard.segment(
          AggregationAnswer.lines(
              "{'color':'red','n':1,'price':10.5,'sold':true,'at':'2020-01-01T10:00:00Z','day':'2020-01-01','ip':'10.0.0.1'}",
              "{'color':'red','n':2,'price':20,'sold':false,'at':'2020-01-01T11:30:00Z','day':'2020-01-01','ip':'10.0.0.2'}"));
      shard.segment(
          AggregationAnswer.lines(
              "{'color':'blue','n':3,'price':30,'sold':true,'at':'2020-03-05T00:00:00Z','day':'2020-03-05','ip':'::1'}",
              "{'color':['green','blue'],'n':10,'at':1583366400001}"));
      String[] lines = lines();
      assertThat(lines).hasSizeGreaterThan(100);
      for (String line : lines) {
        String[] parts = line.split("\t", 2);
        String expected =
            parts[1].startsWith("!") ? parts[1].strip() : Json.parse(parts[1]).toString();
        all.assertThat(answer("{" + parts[0] + "}", shard)).as(parts[0]).isEqualTo(expected);
      }
    }
    all.assertAll();
  }

  private static String answer(String aggs, AggregationTestShard shard) throws IOException {
    try {
      return AggregationAnswer.of(aggs, "{'match_all':{}}", true, shard).toString();
    } catch (Refusal e) {
      String cause =
          e.getCause() instanceof Refusal inner && !e.reason().contains("composite")
              ? inner.reason()
              : "";
      return ("! " + e.type().type() + " | " + e.reason() + " | " + cause).strip();
    }
  }

  private static String[] lines() throws IOException {
    try (InputStream in =
        ElasticsearchAnswersTest.class.getResourceAsStream("elasticsearch-answers.txt")) {
      byte[] bytes = Objects.requireNonNull(in).readAllBytes();
      return new String(bytes, StandardCharsets.UTF_8).split("\n");
    }
  }
}
