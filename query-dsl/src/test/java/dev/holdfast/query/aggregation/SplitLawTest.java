package dev.holdfast.query.aggregation;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.StringJoiner;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The law of `Aggregation`: any split of the documents over segments and shards, and any way the
/// documents are fed, gives the same answer.
final class SplitLawTest {
  private static final String MAPPING =
      """
      {"dynamic": false, "properties": {
        "key": {"type": "keyword"}, "all": {"type": "keyword"}, "tag": {"type": "keyword"},
        "n": {"type": "integer"}, "many": {"type": "long"}, "price": {"type": "double"},
        "ratio": {"type": "float"}, "flag": {"type": "boolean"}, "at": {"type": "date"},
        "ns": {"type": "date_nanos"}, "ip": {"type": "ip"}, "spot": {"type": "geo_point"}}}
      """;
  private static final int DOCUMENTS = 2000;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'avg':{'field':'price'}",
        "'sum':{'field':'many'}",
        "'min':{'field':'n'}",
        "'max':{'field':'at'}",
        "'stats':{'field':'ratio'}",
        "'stats':{'field':'n','missing':7}",
        "'extended_stats':{'field':'n'}",
        "'value_count':{'field':'many'}",
        "'value_count':{'field':'tag'}",
        "'cardinality':{'field':'n'}",
        "'cardinality':{'field':'n','precision_threshold':10}",
        "'cardinality':{'field':'tag'}",
        "'weighted_avg':{'value':{'field':'price'},'weight':{'field':'n'}}",
        "'percentiles':{'field':'n','tdigest':{'compression':1000}}",
        "'percentile_ranks':{'field':'n','values':[10,500],'tdigest':{'compression':1000}}",
        "'median_absolute_deviation':{'field':'price'}",
        "'terms':{'field':'key','size':100}",
        "'terms':{'field':'tag','size':100},'aggs':{'m':{'avg':{'field':'price'}}}",
        "'terms':{'field':'tag','size':100,'missing':'none','order':{'m':'desc'}},'aggs':{'m':{'max':{'field':'n'}}}",
        "'terms':{'field':'many','size':5000}",
        "'terms':{'field':'n','size':5000,'order':{'_key':'desc'}},'aggs':{'c':{'cardinality':{'field':'tag'}}}",
        "'terms':{'field':'flag'}",
        "'terms':{'field':'ip','size':500}",
        "'terms':{'field':'price','size':5000}",
        "'terms':{'field':'key','size':100},'aggs':{'h':{'date_histogram':{'field':'at','calendar_interval':'month'},'aggs':{'s':{'sum':{'field':'many'}}}}}",
        "'terms':{'field':'key','size':3,'shard_size':100,'min_doc_count':0,'include':'k[0-4]'}",
        "'date_histogram':{'field':'at','fixed_interval':'1h'}",
        "'date_histogram':{'field':'at','calendar_interval':'day','time_zone':'Europe/Berlin'},'aggs':{'t':{'terms':{'field':'tag','size':50}}}",
        "'date_histogram':{'field':'at','calendar_interval':'year','offset':'+36h'},'aggs':{'s':{'stats':{'field':'n'}}}",
        "'date_histogram':{'field':'ns','calendar_interval':'week','min_doc_count':1}",
        "'date_histogram':{'field':'at','fixed_interval':'1s','min_doc_count':2}",
        "'date_histogram':{'field':'at','calendar_interval':'month'},'aggs':{'d':{'rate':{'unit':'day'}},'v':{'rate':{'field':'many','mode':'value_count'}},'k':{'terms':{'field':'key','size':100},'aggs':{'s':{'rate':{'field':'n','unit':'year'}}}}}",
        "'time_series':{},'aggs':{'m':{'max':{'field':'n'}}}",
        "'histogram':{'field':'n','interval':50}",
        "'histogram':{'field':'price','interval':0.75,'offset':0.25},'aggs':{'s':{'avg':{'field':'n'}}}",
        "'histogram':{'field':'many','interval':1}",
        "'histogram':{'field':'ratio','interval':0.5,'hard_bounds':{'min':1,'max':30}}",
        "'range':{'field':'n','ranges':[{'to':100},{'from':50,'to':700.5},{'from':700}]}",
        "'range':{'field':'price','keyed':true,'ranges':[{'to':10},{'from':5}]},'aggs':{'s':{'stats':{'field':'many'}}}",
        "'range':{'field':'many','ranges':[{'from':3,'to':9}]}",
        "'date_range':{'field':'at','ranges':[{'to':'2020-06-01'},{'from':'2020-03-01||/M','to':'now'}]}",
        "'filter':{'term':{'key':'k3'}},'aggs':{'m':{'max':{'field':'n'}}}",
        "'filters':{'filters':{'a':{'term':{'key':'k3'}},'b':{'term':{'flag':true}}},'other_bucket':true},'aggs':{'m':{'sum':{'field':'n'}},'t':{'terms':{'field':'tag'}}}",
        "'missing':{'field':'tag'},'aggs':{'m':{'avg':{'field':'n'}}}",
        "'global':{},'aggs':{'m':{'stats':{'field':'n'}}}",
        "'adjacency_matrix':{'filters':{'a':{'term':{'key':'k3'}},'b':{'term':{'flag':true}},'c':{'term':{'tag':'t1'}}}},'aggs':{'m':{'sum':{'field':'n'}}}",
        "'auto_date_histogram':{'field':'at','buckets':7},'aggs':{'m':{'max':{'field':'n'}}}",
        "'terms':{'field':'key','size':100},'aggs':{'h':{'auto_date_histogram':{'field':'at','buckets':20}}}",
        "'variable_width_histogram':{'field':'many','buckets':4},'aggs':{'m':{'max':{'field':'n'}}}",
        "'rare_terms':{'field':'n','max_doc_count':2},'aggs':{'m':{'max':{'field':'many'}}}",
        "'rare_terms':{'field':'ip','max_doc_count':9}",
        "'multi_terms':{'terms':[{'field':'key'},{'field':'flag'},{'field':'tag'}],'size':1000,'order':{'_key':'asc'}},'aggs':{'m':{'max':{'field':'n'}}}",
        "'ip_range':{'field':'ip','ranges':[{'to':'10.0.0.50'},{'mask':'10.0.0.0/25'},{'from':'10.0.0.100','key':'x'}]},'aggs':{'m':{'max':{'field':'n'}}}",
        "'ip_prefix':{'field':'ip','prefix_length':27},'aggs':{'m':{'max':{'field':'n'}}}",
        "'geohash_grid':{'field':'spot','precision':2},'aggs':{'m':{'max':{'field':'n'}}}",
        "'geotile_grid':{'field':'spot','precision':4,'bounds':{'top_left':[-90,45],'bottom_right':[90,-45]}}",
        "'geo_distance':{'field':'spot','origin':'10,10','unit':'km','ranges':[{'to':2000},{'from':1000,'to':5000},{'from':5000}]},'aggs':{'m':{'max':{'field':'n'}}}",
        "'geo_bounds':{'field':'spot'}",
        "'boxplot':{'field':'n','compression':1000}",
        "'percentiles':{'field':'n','hdr':{}}",
        "'percentile_ranks':{'field':'price','values':[10,20],'hdr':{'number_of_significant_value_digits':2}}",
        "'string_stats':{'field':'tag','show_distribution':true}",
        "'terms':{'field':'key'},'aggs':{'b':{'top_hits':{'size':4,'sort':[{'at':'desc'}],'_source':['n','at'],'stored_fields':'_none_'}}}",
        "'terms':{'field':'key'},'aggs':{'b':{'top_metrics':{'metrics':[{'field':'n'},{'field':'key'}],'sort':{'at':'asc'}}}}",
        "'date_histogram':{'field':'at','calendar_interval':'month'},'aggs':{'s':{'sum':{'field':'n'}},'f':{'moving_fn':{'buckets_path':'s','window':3,'script':'MovingFunctions.unweightedAvg(values)'}},'d':{'serial_diff':{'buckets_path':'s','lag':2}}}",
        "'scripted_metric':{'map_script':'state.n = (state.n ?: 0) +"
            + " doc.n.value','combine_script':'state.n ?: 0','reduce_script':'long n = 0; for (s in"
            + " states) { n += s } return n'}",
        "'terms':{'field':'key'},'aggs':{'m':{'scripted_metric':{'params':{'by':2},'init_script':'state.n"
            + " = 0','map_script':'state.n +="
            + " params.by','combine_script':'state','reduce_script':'long n = 0; for (s in states)"
            + " { n += s.n } return n'}}}",
        "'random_sampler':{'probability':0.1},'aggs':{'m':{'sum':{'field':'n'}}}",
        "'significant_terms':{'field':'tag','size':100,'min_doc_count':1}",
        "'composite':{'size':40,'sources':[{'k':{'terms':{'field':'tag','missing_bucket':true}}},{'d':{'date_histogram':{'field':'at','calendar_interval':'month'}}}]},'aggs':{'m':{'max':{'field':'n'}}}",
        "'composite':{'size':1000,'sources':[{'n':{'histogram':{'field':'n','interval':100,'order':'desc'}}},{'f':{'terms':{'field':'flag'}}}],'after':{'n':800,'f':false}}",
      })
  void splitsAndPathsAgree(String kind) throws Exception {
    String aggs = "{'a':{" + kind + "}}";
    long seed = kind.hashCode();
    Random random = new Random(seed);
    List<String> documents = documents(random);
    try (AggregationTestShard one = new AggregationTestShard(MAPPING).segment(documents)) {
      // given the answer over one segment
      JsonNode whole = AggregationAnswer.of(aggs, one);
      // then documents fed in blocks rather than as a range say the same
      assertThat(AggregationAnswer.of(aggs, "{'term':{'all':'x'}}", false, one))
          .as("blocks, seed " + seed)
          .isEqualTo(whole);
      // and so does any split
      int shards = 1 + random.nextInt(3);
      List<AggregationTestShard> split = split(documents, shards, random);
      try {
        assertThat(AggregationAnswer.of(aggs, split.toArray(AggregationTestShard[]::new)))
            .as("split, seed " + seed)
            .isEqualTo(whole);
      } finally {
        for (AggregationTestShard shard : split) {
          shard.close();
        }
      }
    }
  }

  private static List<AggregationTestShard> split(List<String> documents, int shards, Random random)
      throws Exception {
    List<AggregationTestShard> split = new ArrayList<>();
    int from = 0;
    for (int i = 0; i < shards; i++) {
      AggregationTestShard shard = new AggregationTestShard(MAPPING);
      int end = i == shards - 1 ? documents.size() : documents.size() * (i + 1) / shards;
      while (from < end) {
        int to = Math.min(end, from + 1 + random.nextInt(1500));
        shard.segment(documents.subList(from, to));
        from = to;
      }
      split.add(shard);
    }
    return split;
  }

  /// Numbers are multiples of a quarter, so that sums are exact.
  private static List<String> documents(Random random) {
    List<String> documents = new ArrayList<>();
    long at = 1_577_836_800_000L;
    for (int i = 0; i < DOCUMENTS; i++) {
      at += random.nextInt(20_000_000);
      StringJoiner fields = new StringJoiner(",", "{", "}");
      fields.add("\"all\":\"x\"");
      fields.add("\"key\":\"k" + random.nextInt(8) + "\"");
      fields.add("\"n\":" + random.nextInt(1000));
      fields.add("\"at\":" + at);
      fields.add("\"ns\":\"" + java.time.Instant.ofEpochMilli(at) + "\"");
      fields.add("\"flag\":" + random.nextBoolean());
      fields.add(
          "\"spot\":["
              + (random.nextInt(3600) / 10.0 - 180)
              + ","
              + (random.nextInt(1800) / 10.0 - 90)
              + "]");
      if (random.nextInt(4) > 0) {
        fields.add("\"price\":" + random.nextInt(100) / 4.0);
        fields.add("\"ip\":\"10.0.0." + random.nextInt(200) + "\"");
      }
      if (random.nextInt(3) > 0) {
        fields.add("\"ratio\":" + random.nextInt(200) / 4.0);
        fields.add(
            "\"many\":["
                + random.nextInt(12)
                + ","
                + random.nextInt(12)
                + ","
                + random.nextInt(12)
                + "]");
        fields.add("\"tag\":[\"t" + random.nextInt(20) + "\",\"t" + random.nextInt(20) + "\"]");
      }
      documents.add(fields.toString());
    }
    return documents;
  }
}
