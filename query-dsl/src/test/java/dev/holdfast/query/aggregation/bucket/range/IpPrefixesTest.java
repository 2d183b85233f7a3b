package dev.holdfast.query.aggregation.bucket.range;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.query.aggregation.AggregationAnswer;
import dev.holdfast.query.aggregation.AggregationTestShard;
import java.io.IOException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class IpPrefixesTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          'prefix_length':64,'is_ipv6':true                               | 2001:db8:a4f8:112a:: 2
          'prefix_length':64,'is_ipv6':true,'append_prefix_length':true   | 2001:db8:a4f8:112a::/64 2
          'prefix_length':128,'is_ipv6':true                              | 2001:db8:a4f8:112a::1 1 2001:db8:a4f8:112a:6001:0:12:7f10 1
          'prefix_length':0,'is_ipv6':true                                | :: 2
          'prefix_length':8                                               | 10.0.0.0 1
          'prefix_length':8,'missing':'10.9.9.9'                          | 10.0.0.0 2
          'prefix_length':8,'missing':'::5'                               | 10.0.0.0 1
          'prefix_length':112,'is_ipv6':true,'missing':'::5'              | :: 1 2001:db8:a4f8:112a:: 1 2001:db8:a4f8:112a:6001:0:12:0 1
          """)
  void networksAreWrittenAsAddressesAre(String options, String buckets) throws IOException {
    try (AggregationTestShard shard =
        new AggregationTestShard("{\"properties\":{\"a\":{\"type\":\"ip\"}}}")) {
      shard.segment(
          AggregationAnswer.lines(
              "{'a':'2001:db8:a4f8:112a:6001:0:12:7f10'}",
              "{'a':'2001:db8:a4f8:112a::1'}",
              "{'a':'10.1.2.3'}",
              "{}"));

      JsonNode answer =
          AggregationAnswer.of("{'n':{'ip_prefix':{'field':'a'," + options + "}}}", shard);

      StringBuilder found = new StringBuilder();
      for (JsonNode bucket : answer.at("/n/buckets")) {
        found.append(bucket.path("key").asText()).append(' ');
        found.append(bucket.path("doc_count").asInt()).append(' ');
      }
      assertThat(found.toString().strip()).isEqualTo(buckets);
    }
  }
}
