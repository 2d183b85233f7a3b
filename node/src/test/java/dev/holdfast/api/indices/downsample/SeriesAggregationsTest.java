package dev.holdfast.api.indices.downsample;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.NodeFixture;
import dev.holdfast.world.Json;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The aggregations `time_series` and `rate`.
final class SeriesAggregationsTest {
  private static final String INDEX =
      """
      {"settings":{"index":{"mode":"time_series","routing_path":["d"],"number_of_shards":2,
        "time_series":{"start_time":"%s","end_time":"%s"}}},
       "mappings":{"properties":{"d":{"type":"keyword","time_series_dimension":true},
        "n":{"type":"long","time_series_dimension":true},
        "c":{"type":"long","time_series_metric":"counter"},
        "v":{"type":"double","time_series_metric":"gauge"}}}}\
      """;

  private static JsonNode search(NodeFixture node, String index, String aggs) throws Exception {
    return node.ok(
            "POST", "/" + index + "/_search?size=0", "{\"aggs\":" + aggs.replace('\'', '"') + "}")
        .path("aggregations");
  }

  private static void refused(NodeFixture node, String aggs, String why) throws Exception {
    HttpResponse<String> answer =
        node.call("POST", "/t*,day*/_search?size=0", "{\"aggs\":" + aggs.replace('\'', '"') + "}");
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
    assertThat(Json.parse(answer.body()).path("error").toString()).contains(why);
  }

  private static void series(NodeFixture node) throws Exception {
    node.ok("PUT", "/t1", INDEX.formatted("2024-01-01T00:00:00Z", "2024-01-02T00:00:00Z"));
    node.ok("PUT", "/t2", INDEX.formatted("2024-01-02T00:00:00Z", "2024-01-03T00:00:00Z"));
    String line =
        "{\"create\":{}}\n{\"@timestamp\":\"2024-01-0%sZ\",\"d\":\"%s\",%s\"c\":%d,\"v\":%d}\n";
    // The counter of `a` begins anew at 23:00, and again in the next index.
    String first =
        line.formatted("1T22:00:00", "a", "", 100, 1)
            + line.formatted("1T23:00:00", "a", "", 10, 2)
            + line.formatted("1T22:00:00", "b", "\"n\":5,", 7, 3);
    String second =
        line.formatted("1T22:30:00", "a", "", 150, 4)
            + line.formatted("1T23:30:00", "a", "", 40, 5)
            + line.formatted("1T23:00:00", "b", "\"n\":6,", 7, 6);
    node.ok("POST", "/t1/_bulk?refresh=true", first);
    node.ok("POST", "/t1/_bulk?refresh=true", second);
    node.ok("POST", "/t2/_bulk?refresh=true", line.formatted("2T00:00:00", "a", "", 20, 7));
    node.ok("PUT", "/days/_doc/1?refresh", "{\"@timestamp\":\"2024-01-01\",\"v\":31}");
    node.ok(
        "PUT",
        "/days/_doc/2?refresh",
        "{\"@timestamp\":\"2024-02-01\",\"v\":[29,1],\"_doc_count\":4}");
  }

  @Test
  void seriesAreBucketsInTheOrderOfTheirDimensions(@TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      series(node);

      JsonNode all =
          search(node, "t*", "{'s':{'time_series':{},'aggs':{'v':{'sum':{'field':'v'}}}}}");
      assertThat(all.at("/s/buckets").toString())
          .isEqualTo(
              "[{\"key\":{\"d\":\"a\"},\"doc_count\":5,\"v\":{\"value\":19.0}},"
                  + "{\"key\":{\"d\":\"b\",\"n\":5},\"doc_count\":1,\"v\":{\"value\":3.0}},"
                  + "{\"key\":{\"d\":\"b\",\"n\":6},\"doc_count\":1,\"v\":{\"value\":6.0}}]");
      JsonNode keyed = search(node, "t*", "{'s':{'time_series':{'keyed':true,'size':2}}}");
      assertThat(keyed.at("/s/buckets").toString())
          .isEqualTo(
              "{\"{d=a}\":{\"key\":{\"d\":\"a\"},\"doc_count\":5},"
                  + "\"{d=b, n=5}\":{\"key\":{\"d\":\"b\",\"n\":5},\"doc_count\":1}}");
      assertThat(search(node, "days", "{'s':{'time_series':{}}}").at("/s/buckets")).isEmpty();
      JsonNode hit =
          node.ok("POST", "/t2/_search", "{\"fields\":[\"_tsid\"],\"docvalue_fields\":[\"_tsid\"]}")
              .at("/hits/hits/0");
      assertThat(hit.path("_id").asText()).startsWith(hit.at("/fields/_tsid/0").asText());
      refused(node, "{'s':{'time_series':{'size':0}}}", "[size] must be greater than 0");
      refused(node, "{'s':{'time_series':{'x':0}}}", "x");
      refused(
          node,
          "{'g':{'global':{},'aggs':{'s':{'time_series':{}}}}}",
          "cannot be used inside global");
      refused(
          node,
          "{'g':{'random_sampler':{'probability':0.5},'aggs':{'f':{'filter':{'match_all':{}},'aggs':{'s':{'time_series':{}}}}}}}",
          "[random_sampler] aggregation [g] does not support sampling [time_series] aggregation [s]");
      refused(
          node,
          "{'c':{'composite':{'sources':[{'d':{'terms':{'field':'d'}}}]},'aggs':{'s':{'time_series':{}}}}}",
          "[composite] aggregation is incompatible with time series execution mode");
    }
  }

  @Test
  void aCounterGainsWhatItHadBeforeEachReset(@TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      series(node);

      String rate = "{'s':{'time_series':{},'aggs':{'r':{'rate':{'field':'c','unit':'hour'}}}}}";
      JsonNode buckets = search(node, "t*", rate).at("/s/buckets");
      // 100 to 150, anew to 10 and 40, anew to 20: 50 + 10 + 30 + 20 in two hours.
      assertThat(buckets.at("/0/r/value").asDouble()).isEqualTo(55);
      assertThat(buckets.at("/1/r/value").isNull()).isTrue();
      String hours =
          "{'s':{'time_series':{'size':1},'aggs':{'h':{'date_histogram':{'field':'@timestamp','fixed_interval':'1h'},'aggs':{'r':{'rate':{'field':'c','unit':'minute'}}}}}}}";
      assertThat(search(node, "t1", hours).at("/s/buckets/0/h/buckets").findValuesAsText("value"))
          .isEqualTo(List.of(Double.toString(50.0 / 30), "1.0"));
    }
  }

  @Test
  void bucketsOfTimeHaveRates(@TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      series(node);
      String months =
          "{'m':{'date_histogram':{'field':'@timestamp','calendar_interval':'month'},'aggs':{'r':{'rate':{%s}},'b':{'bucket_script':{'buckets_path':{'r':'r'},'script':'params.r+1'}}}}}";
      for (List<String> each :
          List.of(
              List.of("", "1.0", "4.0"),
              List.of("'unit':'year'", "12.0", "48.0"),
              List.of("'unit':'day','field':'v'", "1.0", Double.toString(30.0 / 29)),
              List.of("'field':'v','mode':'value_count'", "1.0", "2.0"),
              List.of("'unit':'quarter','field':'v','mode':'sum'", "93.0", "90.0"))) {
        JsonNode found = search(node, "days", months.formatted(each.getFirst())).at("/m/buckets");
        assertThat(List.of(found.at("/0/r/value").asText(), found.at("/1/r/value").asText()))
            .isEqualTo(each.subList(1, 3));
        assertThat(found.at("/0/b/value").asDouble())
            .isEqualTo(Double.parseDouble(each.get(1)) + 1);
      }
      String composite =
          "{'c':{'composite':{'sources':[{'m':{'date_histogram':{'field':'@timestamp','fixed_interval':'2d'}}}%s]},'aggs':{'t':{'terms':{'field':'v','order':{'r':'desc'}},'aggs':{'r':{'rate':{'unit':'day','field':'v'}}}}}}}";
      assertThat(
              search(node, "days", composite.formatted(""))
                  .at("/c/buckets/0/t/buckets/0/r/value")
                  .asDouble())
          .isEqualTo(15.5);
      refused(
          node,
          composite.formatted(
              ",{'n':{'date_histogram':{'field':'@timestamp','fixed_interval':'2d'}}}"),
          "composite aggregation with exactly one date histogram value source");
      refused(node, "{'r':{'rate':{}}}", "can only be used inside a date histogram");
      refused(
          node, months.formatted("'mode':'sum'"), "mode parameter is only supported with field");
      refused(node, months.formatted("'field':'v','mode':'max'"), "Unsupported rate mode");
      refused(node, months.formatted("'unit':'fortnight'"), "Unsupported unit fortnight");
      refused(
          node,
          "{'m':{'date_histogram':{'field':'@timestamp','calendar_interval':'day'},'aggs':{'r':{'rate':{'unit':'month'}}}}}",
          "Cannot use month-based rate unit [month]");
      node.ok("DELETE", "/days", "");
      refused(node, months.formatted("'field':'d'"), "is not supported for aggregation [rate]");
    }
  }
}
