package dev.holdfast.query.aggregation.bucket.composite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.query.aggregation.AggregationAnswer;
import dev.holdfast.query.aggregation.AggregationTestShard;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// `geotile_grid` sources of `composite`, over the museums of Elasticsearch's documentation.
final class CompositeTilesTest {
  private static AggregationTestShard shard;

  @BeforeAll
  static void open() throws IOException {
    shard =
        new AggregationTestShard(
            """
            {"properties":{"at":{"type":"geo_point"},"city":{"type":"keyword"}}}\
            """);
    shard.segment(
        AggregationAnswer.lines(
            "{'at':'52.374081,4.912350','city':'Amsterdam'}",
            "{'at':'52.369219,4.901618','city':'Amsterdam'}",
            "{'at':['52.371667,4.914722','48.861111,2.336389','52.371668,4.914722']}"));
    shard.segment(
        AggregationAnswer.lines(
            "{'at':'51.222900,4.405200','city':'Antwerp'}", "{'at':'48.86,2.327'}", "{}"));
  }

  @AfterAll
  static void close() throws IOException {
    shard.close();
  }

  @Test
  void eachDocumentCountsOnceInATile() throws IOException {
    assertThat(buckets("'precision':8", "").toString())
        .isEqualTo(
            """
            [{"key":{"tile":"8/129/88"},"doc_count":2},{"key":{"tile":"8/131/84"},"doc_count":3},\
            {"key":{"tile":"8/131/85"},"doc_count":1}]\
            """);
  }

  @Test
  void goesOnAfterATile() throws IOException {
    assertThat(buckets("'precision':8", ",'after':{'tile':'8/131/84'}").toString())
        .isEqualTo("[{\"key\":{\"tile\":\"8/131/85\"},\"doc_count\":1}]");
  }

  @Test
  void keepsToBounds() throws IOException {
    assertThat(
            buckets(
                    "'precision':8,'bounds':{'top_left':'50,2','bottom_right':'48,3'},"
                        + "'order':'desc','missing_bucket':true",
                    "")
                .toString())
        .isEqualTo(
            """
            [{"key":{"tile":"8/129/88"},"doc_count":2},{"key":{"tile":null},"doc_count":1}]\
            """);
  }

  @Test
  void refusesWhatIsNoTileAndWhatIsNoPlace() {
    assertThatThrownBy(() -> buckets("'precision':8", ",'after':{'tile':'8/131'}"))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("Invalid geotile_grid hash string of [8/131]");
    assertThatThrownBy(() -> buckets("'precision':30", "")).isInstanceOf(Refusal.class);
    assertThatThrownBy(() ->
            AggregationAnswer.of(
                "{'c':{'composite':{'sources':[{'t':{'geotile_grid':{'field':'city'}}}]}}}",
                "{'match_all':{}}",
                false,
                shard))
        .isInstanceOf(Refusal.class);
  }

  private static JsonNode buckets(String options, String after) throws IOException {
    return AggregationAnswer.of(
            "{'c':{'composite':{'sources':[{'tile':{'geotile_grid':{'field':'at',"
                + options
                + "}}}]"
                + after
                + "}}}",
            "{'match_all':{}}",
            false,
            shard)
        .path("c")
        .path("buckets");
  }
}
