package dev.holdfast.query.sort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.query.SearchTestIndex;
import dev.holdfast.query.aggregation.AggregationAnswer;
import dev.holdfast.query.aggregation.AggregationTestShard;
import dev.holdfast.query.result.Hit;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What doc values of `binary` fields are for: the order of hits, buckets, and `docvalue_fields`.
/// They are shown as they were sent, and compared as bytes.
final class BinaryFieldsTest {
  private static SearchTestIndex filled() throws IOException {
    return new SearchTestIndex("{\"b\":{\"type\":\"binary\",\"doc_values\":true}}")
        .add("1", "{\"b\":\"/w==\"}", "2", "{}", "3", "{\"b\":\"AAE=\"}")
        .add("4", "{\"b\":\"AA==\"}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"sort":["b"]}                                              | 4 3 1 2
          {"sort":[{"b":"desc"}]}                                     | 1 3 4 2
          {"sort":[{"b":{"order":"desc","missing":"_first"}}]}        | 2 1 3 4
          {"sort":[{"b":{"missing":"_first"}}]}                       | 2 4 3 1
          {"sort":["b"],"search_after":["AAE="]}                      | 1 2
          {"sort":[{"b":"desc"}],"search_after":["AAE="],"size":1}    | 4
          """)
  void hitsAreInTheOrderOfBytes(String body, String ids) throws IOException {
    try (SearchTestIndex index = filled()) {
      assertThat(String.join(" ", index.ids(body))).isEqualTo(ids);
    }
  }

  @Test
  void valuesAreShownAsTheyWereSent() throws IOException {
    try (SearchTestIndex index = filled()) {
      List<Hit> hits = index.hits("{\"sort\":[\"b\"],\"docvalue_fields\":[\"b\"]}");

      assertThat(hits.get(1).sort()).containsExactly("AAE=");
      assertThat(hits.get(1).fields().get("b")).isEqualTo(List.of("AAE="));
      assertThat(hits.get(3).fields()).doesNotContainKey("b");
      assertThatThrownBy(() -> index.hits("{\"sort\":[{\"b\":{\"missing\":\"AA==\"}}]}"))
          .hasMessageContaining("takes [_last] and [_first]");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          'field':'b'                                                 | AA== 3 /w== 1
          'field':'b','order':{'_key':'desc'}                         | /w== 1 AA== 3
          'field':'b','size':1                                        | AA== 3
          'field':'b','missing':'/w=='                                | AA== 3 /w== 2
          'field':'b','include':['/w==']                              | /w== 1
          'field':'b','min_doc_count':0,'exclude':['AA==']            | /w== 1
          """)
  void bucketsAreOfWholeValues(String terms, String buckets) throws IOException {
    try (AggregationTestShard shard =
        new AggregationTestShard(
            "{\"properties\":{\"b\":{\"type\":\"binary\",\"doc_values\":true},"
                + "\"n\":{\"type\":\"long\"}}}")) {
      shard.segment(AggregationAnswer.lines("{'b':'AA==','n':1}", "{'b':'/w==','n':2}", "{'n':8}"));
      shard.segment(AggregationAnswer.lines("{'b':'AA==','n':4}", "{'b':'AA=='}"));

      JsonNode answer =
          AggregationAnswer.of(
              "{'a':{'terms':{" + terms + "},'aggs':{'s':{'sum':{'field':'n'}}}}}", shard);

      StringBuilder found = new StringBuilder();
      for (JsonNode bucket : answer.at("/a/buckets")) {
        found.append(bucket.path("key").asText()).append(' ');
        found.append(bucket.path("doc_count").asInt()).append(' ');
        boolean isZero = bucket.path("key").asText().equals("AA==");
        assertThat(bucket.at("/s/value").asDouble())
            .isEqualTo(isZero ? 5.0 : bucket.path("doc_count").asInt() == 2 ? 10.0 : 2.0);
      }
      assertThat(found.toString().strip()).isEqualTo(buckets);
    }
  }

  @Test
  void valuesOfOtherDocumentsAreBucketsThatAreEmpty() throws IOException {
    try (AggregationTestShard shard =
        new AggregationTestShard(
            "{\"properties\":{\"b\":{\"type\":\"binary\",\"doc_values\":true},"
                + "\"n\":{\"type\":\"long\"}}}")) {
      shard.segment(AggregationAnswer.lines("{'b':'AA==','n':1}", "{'b':'/w==','n':2}"));

      JsonNode answer =
          AggregationAnswer.of(
              "{'a':{'terms':{'field':'b','min_doc_count':0}}}", "{'term':{'n':1}}", false, shard);

      assertThat(answer.at("/a/buckets"))
          .hasToString("[{\"key\":\"AA==\",\"doc_count\":1},{\"key\":\"/w==\",\"doc_count\":0}]");
    }
  }
}
