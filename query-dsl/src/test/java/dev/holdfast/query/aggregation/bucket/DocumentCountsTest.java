package dev.holdfast.query.aggregation.bucket;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.query.aggregation.AggregationAnswer;
import dev.holdfast.query.aggregation.AggregationTestShard;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// `_doc_count`: a document that stands for several is counted by buckets like so many documents.
final class DocumentCountsTest {
  private static final String MAPPING =
      """
      {"properties":{"k":{"type":"keyword"},"n":{"type":"long"},"d":{"type":"double"},
        "t":{"type":"date"},"a":{"type":"ip"},"p":{"type":"geo_point"},
        "o":{"type":"nested","properties":{"v":{"type":"keyword"}}}}}\
      """;
  private static final long SEED = 20_261_125;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'terms':{'field':'k'}",
        "'terms':{'field':'k','size':2,'order':{'_count':'asc'}}",
        "'terms':{'field':'k','min_doc_count':0,'order':{'_key':'asc'}}",
        "'terms':{'field':'n','min_doc_count':40}",
        "'terms':{'field':'d'}",
        "'terms':{'field':'a'}",
        "'terms':{'field':'_index'}",
        "'rare_terms':{'field':'k','max_doc_count':100}",
        "'multi_terms':{'terms':[{'field':'k'},{'field':'n'}]}",
        "'histogram':{'field':'n','interval':2}",
        "'histogram':{'field':'d','interval':0.001,'min_doc_count':1}",
        "'date_histogram':{'field':'t','fixed_interval':'1d'}",
        "'date_histogram':{'field':'t','calendar_interval':'month'}",
        "'date_histogram':{'field':'t','fixed_interval':'2d'},'aggs':{'r':{'rate':{'unit':'day'}}}",
        "'auto_date_histogram':{'field':'t','buckets':4}",
        "'range':{'field':'n','ranges':[{'to':4},{'from':2,'to':8},{'from':3}]}",
        "'date_range':{'field':'t','ranges':[{'to':'2024-01-09'},{'from':'2024-01-05'}]}",
        "'ip_range':{'field':'a','ranges':[{'to':'10.0.0.3'},{'from':'10.0.0.2'}]}",
        "'ip_prefix':{'field':'a','prefix_length':31}",
        "'geo_distance':{'field':'p','origin':'1,1','unit':'km','ranges':[{'to':200},{'from':100}]}",
        "'geohash_grid':{'field':'p','precision':4}",
        "'geotile_grid':{'field':'p','precision':8}",
        "'filter':{'term':{'k':'b'}}",
        "'filters':{'filters':[{'term':{'k':'a'}},{'term':{'n':3}}],'other_bucket':true}",
        "'adjacency_matrix':{'filters':{'x':{'term':{'k':'a'}},'y':{'term':{'n':3}}}}",
        "'missing':{'field':'n'}",
        "'global':{}",
        "'random_sampler':{'probability':1},'aggs':{'k':{'terms':{'field':'k'}}}",
        "'composite':{'sources':[{'k':{'terms':{'field':'k','order':'desc'}}},{'n':{'histogram':{'field':'n','interval':3}}}]}",
        "'composite':{'size':3,'sources':[{'n':{'terms':{'field':'n','order':'desc'}}}]}",
        "'composite':{'sources':[{'k':{'terms':{'field':'k','missing_bucket':true}}}],'after':{'k':'a'}}",
        "'nested':{'path':'o'},'aggs':{'r':{'reverse_nested':{},'aggs':{'k':{'terms':{'field':'k'}}}}}",
        "'filter':{'term':{'k':'b'}},'aggs':{'n':{'terms':{'field':'n'},'aggs':{'h':{'histogram':{'field':'d','interval':50}}}}}",
        "'terms':{'field':'k'},'aggs':{'k':{'terms':{'field':'k'},'aggs':{'n':{'range':{'field':'n','ranges':[{'from':3}]}}}}}"
      })
  void aDocumentCountsAsManyTimesAsItSays(String aggregation) throws Exception {
    // given: documents that say how many they are, and as many documents
    Random random = new Random(SEED);
    boolean hasObjects = aggregation.startsWith("'nested'");
    List<String> counted = new ArrayList<>();
    List<String> repeated = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      String rest = document(random, hasObjects);
      int times = random.nextInt(4) == 0 ? 1 : 1 + random.nextInt(9);
      counted.add(times == 1 ? "{" + rest : "{\"_doc_count\":" + times + "," + rest);
      for (int j = 0; j < times; j++) {
        repeated.add("{" + rest);
      }
    }
    List<String> single = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      single.add("{" + document(random, hasObjects));
    }
    try (AggregationTestShard few =
            new AggregationTestShard(MAPPING).segment(single).segment(counted);
        AggregationTestShard many =
            new AggregationTestShard(MAPPING).segment(single).segment(repeated)) {
      // when
      String aggs = "{'x':{" + aggregation + "}}";
      // then: `nested` counts objects, of which there are as many as there are
      String query = hasObjects ? "{'term':{'k':'b'}}" : "{'match_all':{}}";
      String nested = hasObjects ? "\"doc_count\":\\d+,\"r\"" : "$^";
      assertThat(
              AggregationAnswer.of(aggs, query, false, few).toString().replaceAll(nested, "\"r\""))
          .isEqualTo(
              AggregationAnswer.of(aggs, query, false, many)
                  .toString()
                  .replaceAll(nested, "\"r\""));
    }
  }

  private static String document(Random random, boolean hasObjects) {
    StringBuilder document = new StringBuilder();
    if (random.nextInt(8) > 0) {
      document.append("\"n\":").append(random.nextInt(10)).append(',');
    }
    char first = (char) ('a' + random.nextInt(4));
    document.append("\"k\":[\"").append(first).append("\",\"b\"],");
    document.append("\"d\":").append(random.nextInt(200)).append(',');
    document.append("\"t\":\"2024-01-%02d\",".formatted(1 + random.nextInt(20)));
    document.append("\"a\":\"10.0.0.").append(random.nextInt(6)).append("\",");
    document.append("\"p\":\"").append(random.nextInt(3)).append(",1\",");
    document.append(hasObjects ? "\"o\":[{\"v\":\"x\"},{\"v\":\"y\"}]}" : "\"z\":null}");
    return document.toString();
  }
}
