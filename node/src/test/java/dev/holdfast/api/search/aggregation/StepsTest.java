package dev.holdfast.api.search.aggregation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.node.NodeFixture;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Steps, bounds and sizes that a request gives, at the ends of what numbers there are: each has an
/// answer soon, and none is a fault of the node.
final class StepsTest {
  private static final long MILLIS_MAX = 10_000;

  private static final List<String> NUMBERS =
      List.of(
          "0",
          "-1",
          "-0.0",
          "1e-320",
          "1e-7",
          "1e300",
          "-1e300",
          "1e400",
          "-1e400",
          "\"NaN\"",
          "\"Infinity\"",
          "9223372036854775807",
          "-9223372036854775808",
          "2147483647",
          "-2147483648",
          "99999999999999999999",
          "null",
          "\"\"",
          "[]",
          "{}",
          "true");

  /// `?` is each of [#NUMBERS].
  private static final List<String> AGGREGATIONS =
      List.of(
          "{'histogram':{'field':'n','interval':?,'min_doc_count':1}}",
          "{'histogram':{'field':'n','interval':5,'min_doc_count':1,'offset':?}}",
          "{'histogram':{'field':'r','interval':5,'min_doc_count':1,'offset':?}}",
          "{'histogram':{'field':'r','interval':?}}",
          "{'histogram':{'field':'n','interval':5,'extended_bounds':{'min':0,'max':?}}}",
          "{'histogram':{'field':'r','interval':5,'hard_bounds':{'min':?,'max':9}}}",
          "{'variable_width_histogram':{'field':'n','buckets':?}}",
          "{'variable_width_histogram':{'field':'n','shard_size':?}}",
          "{'auto_date_histogram':{'field':'far','buckets':?}}",
          "{'auto_date_histogram':{'field':'when','buckets':?}}",
          "{'date_histogram':{'field':'far','fixed_interval':'1h','min_doc_count':1,'offset':?}}",
          "{'date_histogram':{'field':'d','fixed_interval':'400d','offset':?}}",
          "{'percentiles':{'field':'n','tdigest':{'compression':?}}}",
          "{'boxplot':{'field':'n','compression':?}}",
          "{'median_absolute_deviation':{'field':'n','compression':?}}",
          "{'percentile_ranks':{'field':'when','values':[?],'hdr':{}}}",
          "{'geotile_grid':{'field':'s','precision':?}}",
          "{'geohash_grid':{'field':'s','precision':3,'shard_size':?}}",
          "{'composite':{'sources':[{'a':{'histogram':{'field':'n','interval':?}}}]}}",
          "{'terms':{'field':'n','include':{'partition':0,'num_partitions':?}}}",
          "{'sampler':{'shard_size':?},'aggs':{'b':{'max':{'field':'n'}}}}");

  private static List<String> dates() {
    List<String> all = new ArrayList<>();
    for (String field : List.of("far", "when", "d", "nanos", "number")) {
      for (String zone : List.of("UTC", "Europe/Berlin", "-18:00")) {
        for (String interval :
            List.of(
                "'fixed_interval':'1ms'",
                "'fixed_interval':'1h'",
                "'fixed_interval':'400d'",
                "'fixed_interval':'1000000d'",
                "'fixed_interval':'106751991167d'",
                "'calendar_interval':'hour'",
                "'calendar_interval':'day'",
                "'calendar_interval':'month'",
                "'calendar_interval':'year'")) {
          for (String more :
              List.of(
                  "'min_doc_count':1",
                  "'min_doc_count':0",
                  "'min_doc_count':1,'offset':'+106751991167d'",
                  "'min_doc_count':1,'offset':'-106751991167d'")) {
            all.add(
                "{'date_histogram':{'field':'%s','time_zone':'%s',%s,%s}}"
                    .formatted(field, zone, interval, more));
          }
        }
        all.add("{'auto_date_histogram':{'field':'%s','time_zone':'%s'}}".formatted(field, zone));
      }
    }
    return all;
  }

  private static List<String> grids() {
    List<String> all = new ArrayList<>();
    for (String bounds :
        List.of(
            "{'top':90,'left':-180,'bottom':-90,'right':180}",
            "{'top':90,'left':179.9999999,'bottom':-90,'right':-179.9999999}",
            "{'top':80,'left':10,'bottom':-80,'right':10.0000001}",
            "{'top':1e400,'left':-1e400,'bottom':-1e400,'right':1e400}",
            "{'top':0.1,'left':170,'bottom':-0.1,'right':-170}")) {
      for (String grid :
          List.of("geotile_grid':{'precision':29", "geohash_grid':{'precision':12")) {
        all.add("{'" + grid + ",'field':'s','bounds':" + bounds + "}}");
      }
    }
    return all;
  }

  private static final String MAPPING =
      "{'mappings':{'properties':{'n':{'type':'double'},'r':{'type':'integer_range'},"
          + "'far':{'type':'date'},'number':{'type':'long'},'when':{'type':'date'},'nanos':{'type':'date_nanos'},"
          + "'d':{'type':'date_range'},'s':{'type':'geo_shape'}}}}";

  private static final List<String> DOCUMENTS =
      List.of(
          "{'n':1.7976931348623157e308}",
          "{'n':-1.7976931348623157e308}",
          "{'n':4.9e-324}",
          "{'n':0}",
          "{'r':{'gte':1,'lte':12}}",
          "{'r':{}}",
          "{'far':-999999999999999999}",
          "{'far':999999999999999999}",
          "{'far':0}",
          "{'number':-9223372036854775808}",
          "{'number':9223372036854775807}",
          "{'number':2400000000000000000}",
          "{'number':0}",
          "{'when':0}",
          "{'when':86400000}",
          "{'nanos':'1970-01-01T00:00:00.000000001Z'}",
          "{'nanos':'2262-04-11T00:00:00Z'}",
          "{'d':{'gte':'1970','lte':'9999'}}",
          "{'d':{'gte':-999999999999999999,'lte':999999999999999999}}",
          "{'d':{}}",
          "{'s':{'type':'linestring','coordinates':[[-180,-90],[180,90]]}}",
          "{'s':{'type':'linestring','coordinates':[[0,-90],[0,90]]}}",
          "{'s':{'type':'envelope','coordinates':[[-180,90],[180,-90]]}}");

  @Test
  @Timeout(value = 300, unit = TimeUnit.SECONDS)
  void everyStepAndEveryBoundHasAnAnswerSoon(@TempDir Path folder) throws Exception {
    List<String> asked = new ArrayList<>(dates());
    asked.addAll(grids());
    for (String aggregation : AGGREGATIONS) {
      NUMBERS.forEach(number -> asked.add(aggregation.replace("?", number)));
    }
    List<String> wrong = new ArrayList<>();
    try (NodeFixture node = new NodeFixture(folder)) {
      node.ok("PUT", "/a", json(MAPPING));
      for (String document : DOCUMENTS) {
        node.ok("POST", "/a/_doc", json(document));
      }
      node.ok("POST", "/a/_refresh", "");
      for (String aggregation : asked) {
        long start = System.nanoTime();
        HttpResponse<String> answer =
            node.call("POST", "/a/_search", json("{'size':0,'aggs':{'a':" + aggregation + "}}"));
        long millis = (System.nanoTime() - start) / 1_000_000;
        if (answer.statusCode() >= 500 || millis > MILLIS_MAX) {
          wrong.add(aggregation + " " + millis + " ms " + answer.body());
        }
      }
    }
    assertThat(wrong).isEmpty();
  }

  private static String json(String text) {
    return text.replace('\'', '"');
  }
}
