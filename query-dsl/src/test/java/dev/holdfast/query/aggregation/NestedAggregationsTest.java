package dev.holdfast.query.aggregation;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// `nested` and `reverse_nested` move between documents and the objects in them.
final class NestedAggregationsTest {
  private static final String MAPPING =
      """
      {"properties": {"tag": {"type": "keyword"}, "lines": {"type": "nested", "properties": {
        "item": {"type": "keyword"}, "price": {"type": "long"},
        "taxes": {"type": "nested", "properties": {"rate": {"type": "long"}}}}}}}
      """;

  @Test
  void movesToObjectsAndBack() throws Exception {
    // given orders with lines with taxes, more than a block of them
    List<String> orders = new ArrayList<>();
    for (int i = 0; i < 1500; i++) {
      orders.add(
          "{\"tag\":[\"a\",\"t"
              + i % 2
              + "\"],\"lines\":["
              + "{\"item\":\"pen\",\"price\":1,\"taxes\":[{\"rate\":7},{\"rate\":19}]},"
              + "{\"item\":\"pen\",\"price\":2},"
              + "{\"item\":\"ink\",\"price\":10,\"taxes\":{\"rate\":19}}]}");
    }
    try (AggregationTestShard shard = new AggregationTestShard(MAPPING).segment(orders)) {
      // when aggregated by tag, then by line, then back
      JsonNode answer =
          AggregationAnswer.of(
              """
              {'tags':{'terms':{'field':'tag'},'aggs':{'lines':{'nested':{'path':'lines'},'aggs':{
                'items':{'terms':{'field':'lines.item'},'aggs':{
                  'orders':{'reverse_nested':{}},
                  'sum':{'sum':{'field':'lines.price'}},
                  'taxes':{'nested':{'path':'lines.taxes'},'aggs':{'rates':{'sum':{'field':'lines.taxes.rate'}}}}}}}}}}}
              """,
              "{'term':{'tag':'a'}}",
              false,
              shard);
      // then each level counts its own documents
      JsonNode all = answer.at("/tags/buckets/0");
      assertThat(all.path("doc_count").asLong()).isEqualTo(1500);
      assertThat(all.at("/lines/doc_count").asLong()).isEqualTo(4500);
      JsonNode pens = all.at("/lines/items/buckets/0");
      assertThat(pens.path("doc_count").asLong()).isEqualTo(3000);
      assertThat(pens.at("/orders/doc_count").asLong()).isEqualTo(1500);
      assertThat(pens.at("/sum/value").asDouble()).isEqualTo(4500);
      assertThat(pens.at("/taxes/doc_count").asLong()).isEqualTo(3000);
      assertThat(pens.at("/taxes/rates/value").asDouble()).isEqualTo(1500 * 26);
      JsonNode half = answer.at("/tags/buckets/1/lines");
      assertThat(half.path("doc_count").asLong()).isEqualTo(2250);
      assertThat(half.at("/items/buckets/1/sum/value").asDouble()).isEqualTo(7500);
    }
  }
}
