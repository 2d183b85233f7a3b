package dev.holdfast.query.aggregation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Answers on small data, in the form and order of members that Elasticsearch gives them.
final class GoldenAnswersTest {
  private static final String MAPPING =
      """
      {"dynamic": false, "properties": {
        "color": {"type": "keyword"}, "n": {"type": "integer"}, "price": {"type": "double"},
        "sold": {"type": "boolean"}, "at": {"type": "date"}, "ip": {"type": "ip"},
        "size": {"type": "scaled_float", "scaling_factor": 10},
        "day": {"type": "date", "format": "yyyy-MM-dd"}, "nothing": {"type": "long"}}}
      """;

  private AggregationTestShard shard;

  @BeforeEach
  void open() throws IOException {
    shard = new AggregationTestShard(MAPPING);
    shard.segment(
        AggregationAnswer.lines(
            "{'color':'red','n':1,'price':10.5,'sold':true,'at':'2020-01-01T10:00:00Z','day':'2020-01-01','ip':'10.0.0.1','size':1.2}",
            "{'color':'red','n':2,'price':20,'sold':false,'at':'2020-01-01T11:30:00Z','day':'2020-01-01','ip':'10.0.0.2','size':1.4}",
            "{'color':'blue','n':3,'price':30,'sold':true,'at':'2020-03-05T00:00:00Z','day':'2020-03-05','ip':'::1'}"));
    shard.segment(AggregationAnswer.lines("{'color':['green','blue'],'n':10,'at':1583366400001}"));
  }

  @AfterEach
  void close() throws IOException {
    shard.close();
  }

  private void expect(String kind, String answer) throws IOException {
    assertThat(AggregationAnswer.of("{'a':{" + kind + "}}", shard).get("a").toString())
        .isEqualTo(answer.replace('\'', '"'));
  }

  @Test
  void metrics() throws IOException {
    expect("'avg':{'field':'n'}", "{'value':4.0}");
    expect("'sum':{'field':'price'}", "{'value':60.5}");
    expect("'avg':{'field':'nothing'}", "{'value':null}");
    expect("'sum':{'field':'unknown'}", "{'value':0.0}");
    expect("'min':{'field':'unknown'}", "{'value':null}");
    expect("'max':{'field':'unknown','missing':3}", "{'value':3.0}");
    expect("'min':{'field':'size'}", "{'value':1.2}");
    expect(
        "'max':{'field':'at'}",
        "{'value':1.583366400001E12,'value_as_string':'2020-03-05T00:00:00.001Z'}");
    expect("'value_count':{'field':'color'}", "{'value':5}");
    expect("'cardinality':{'field':'color'}", "{'value':3}");
    expect("'stats':{'field':'n'}", "{'count':4,'min':1.0,'max':10.0,'avg':4.0,'sum':16.0}");
    expect("'stats':{'field':'nothing'}", "{'count':0,'min':null,'max':null,'avg':null,'sum':0.0}");
    expect(
        "'extended_stats':{'field':'n'}",
        "{'count':4,'min':1.0,'max':10.0,'avg':4.0,'sum':16.0,'sum_of_squares':114.0,"
            + "'variance':12.5,'variance_population':12.5,'variance_sampling':16.666666666666668,"
            + "'std_deviation':3.5355339059327378,'std_deviation_population':3.5355339059327378,"
            + "'std_deviation_sampling':4.08248290463863,"
            + "'std_deviation_bounds':{'upper':11.071067811865476,'lower':-3.0710678118654755,"
            + "'upper_population':11.071067811865476,'lower_population':-3.0710678118654755,"
            + "'upper_sampling':12.16496580927726,'lower_sampling':-4.164965809277261}}");
    expect(
        "'percentiles':{'field':'n','percents':[25,50,99]}",
        "{'values':{'25.0':1.75,'50.0':2.5,'99.0':9.79}}");
    expect(
        "'percentile_ranks':{'field':'n','values':[2,5],'keyed':false}",
        "{'values':[{'key':2.0,'value':37.5},{'key':5.0,'value':65.625}]}");
    expect("'median_absolute_deviation':{'field':'n'}", "{'value':1.0}");
    expect(
        "'weighted_avg':{'value':{'field':'price'},'weight':{'field':'n'}}",
        "{'value':23.416666666666668}");
  }

  @Test
  void terms() throws IOException {
    expect(
        "'terms':{'field':'color'}",
        "{'doc_count_error_upper_bound':0,'sum_other_doc_count':0,'buckets':["
            + "{'key':'blue','doc_count':2},{'key':'red','doc_count':2},{'key':'green','doc_count':1}]}");
    expect(
        "'terms':{'field':'color','size':1},'aggs':{'m':{'avg':{'field':'n'}}}",
        "{'doc_count_error_upper_bound':0,'sum_other_doc_count':3,'buckets':["
            + "{'key':'blue','doc_count':2,'m':{'value':6.5}}]}");
    expect(
        "'terms':{'field':'sold'}",
        "{'doc_count_error_upper_bound':0,'sum_other_doc_count':0,'buckets':["
            + "{'key':1,'key_as_string':'true','doc_count':2},"
            + "{'key':0,'key_as_string':'false','doc_count':1}]}");
    expect(
        "'terms':{'field':'n','order':{'_key':'desc'},'size':2,'exclude':[3]}",
        "{'doc_count_error_upper_bound':0,'sum_other_doc_count':1,'buckets':["
            + "{'key':10,'doc_count':1},{'key':2,'doc_count':1}]}");
    expect(
        "'terms':{'field':'day','size':1}",
        "{'doc_count_error_upper_bound':0,'sum_other_doc_count':1,'buckets':["
            + "{'key':1577836800000,'key_as_string':'2020-01-01','doc_count':2}]}");
    expect(
        "'terms':{'field':'ip','size':1,'order':{'_key':'asc'}}",
        "{'doc_count_error_upper_bound':0,'sum_other_doc_count':2,'buckets':["
            + "{'key':'::1','doc_count':1}]}");
    expect(
        "'terms':{'field':'color','include':'r.*|g.*','min_doc_count':0,'show_term_doc_count_error':true}",
        "{'doc_count_error_upper_bound':0,'sum_other_doc_count':0,'buckets':["
            + "{'key':'red','doc_count':2,'doc_count_error_upper_bound':0},"
            + "{'key':'green','doc_count':1,'doc_count_error_upper_bound':0}]}");
    expect(
        "'terms':{'field':'unknown'}",
        "{'doc_count_error_upper_bound':0,'sum_other_doc_count':0,'buckets':[]}");
    expect(
        "'terms':{'field':'_index'}",
        "{'doc_count_error_upper_bound':0,'sum_other_doc_count':0,'buckets':["
            + "{'key':'test','doc_count':4}]}");
  }

  @Test
  void histograms() throws IOException {
    expect(
        "'date_histogram':{'field':'at','calendar_interval':'month'},'aggs':{'s':{'sum':{'field':'n'}}}",
        "{'buckets':["
            + "{'key_as_string':'2020-01-01T00:00:00.000Z','key':1577836800000,'doc_count':2,'s':{'value':3.0}},"
            + "{'key_as_string':'2020-02-01T00:00:00.000Z','key':1580515200000,'doc_count':0,'s':{'value':0.0}},"
            + "{'key_as_string':'2020-03-01T00:00:00.000Z','key':1583020800000,'doc_count':2,'s':{'value':13.0}}]}");
    expect(
        "'date_histogram':{'field':'day','fixed_interval':'1d','min_doc_count':1,'keyed':true,'time_zone':'+01:00','format':'yyyy-MM-dd"
            + " HH:mm'}",
        "{'buckets':{'2020-01-01 00:00':{'key_as_string':'2020-01-01"
            + " 00:00','key':1577833200000,'doc_count':2},'2020-03-05"
            + " 00:00':{'key_as_string':'2020-03-05 00:00','key':1583362800000,'doc_count':1}}}");
    expect(
        "'date_histogram':{'field':'day','calendar_interval':'year','extended_bounds':{'min':'2019-05-01','max':'2020-01-01'}}",
        "{'buckets':["
            + "{'key_as_string':'2019-01-01','key':1546300800000,'doc_count':0},"
            + "{'key_as_string':'2020-01-01','key':1577836800000,'doc_count':3}]}");
    expect(
        "'histogram':{'field':'n','interval':2,'min_doc_count':1}",
        "{'buckets':[{'key':0.0,'doc_count':1},{'key':2.0,'doc_count':2},{'key':10.0,'doc_count':1}]}");
    expect(
        "'histogram':{'field':'price','interval':10,'keyed':true,'hard_bounds':{'min':20,'max':60}}",
        "{'buckets':{'20.0':{'key':20.0,'doc_count':1},'30.0':{'key':30.0,'doc_count':1}}}");
  }

  @Test
  void ranges() throws IOException {
    expect(
        "'range':{'field':'n','ranges':[{'to':2},{'from':2,'to':10,'key':'mid'},{'from':10}]}",
        "{'buckets':[{'key':'*-2.0','to':2.0,'doc_count':1},"
            + "{'key':'mid','from':2.0,'to':10.0,'doc_count':2},"
            + "{'key':'10.0-*','from':10.0,'doc_count':1}]}");
    expect(
        "'date_range':{'field':'day','keyed':true,'ranges':[{'from':'2020-01-02'}]}",
        "{'buckets':{'2020-01-02-*':{'from':1.5779232E12,'from_as_string':'2020-01-02','doc_count':1}}}");
    expect(
        "'filters':{'filters':{'r':{'term':{'color':'red'}}},'other_bucket_key':'rest'}",
        "{'buckets':{'r':{'doc_count':2},'rest':{'doc_count':2}}}");
    expect(
        "'filters':{'filters':[{'term':{'color':'red'}},{'match_all':{}}]}",
        "{'buckets':[{'doc_count':2},{'doc_count':4}]}");
    expect(
        "'filter':{'term':{'color':'blue'}},'aggs':{'m':{'max':{'field':'n'}}}",
        "{'doc_count':2,'m':{'value':10.0}}");
    expect("'missing':{'field':'price'}", "{'doc_count':1}");
    expect("'global':{}", "{'doc_count':4}");
  }

  @Test
  void compositesPageThroughCombinations() throws IOException {
    String sources =
        "'sources':[{'c':{'terms':{'field':'color'}}},{'m':{'date_histogram':{'field':'at','calendar_interval':'month','format':'yyyy-MM'}}}]";
    expect(
        "'composite':{'size':2," + sources + "}",
        "{'after_key':{'c':'green','m':'2020-03'},'buckets':["
            + "{'key':{'c':'blue','m':'2020-03'},'doc_count':2},"
            + "{'key':{'c':'green','m':'2020-03'},'doc_count':1}]}");
    expect(
        "'composite':{'size':2,'after':{'c':'green','m':'2020-03'}," + sources + "}",
        "{'after_key':{'c':'red','m':'2020-01'},'buckets':["
            + "{'key':{'c':'red','m':'2020-01'},'doc_count':2}]}");
  }

  @Test
  void pipelines() throws IOException {
    String months =
        "'h':{'date_histogram':{'field':'at','calendar_interval':'month'},'aggs':{"
            + "'s':{'sum':{'field':'n'}},'c':{'cumulative_sum':{'buckets_path':'s'}},"
            + "'d':{'derivative':{'buckets_path':'_count'}}}}";
    var answer =
        AggregationAnswer.of(
            "{"
                + months
                + ",'most':{'max_bucket':{'buckets_path':'h>s'}},"
                + "'mean':{'avg_bucket':{'buckets_path':'h>_count'}},"
                + "'all':{'stats_bucket':{'buckets_path':'h>s'}}}",
            shard);
    assertThat(answer.at("/h/buckets/2").toString())
        .isEqualTo(
            "{\"key_as_string\":\"2020-03-01T00:00:00.000Z\",\"key\":1583020800000,\"doc_count\":2,"
                + "\"s\":{\"value\":13.0},\"c\":{\"value\":16.0},\"d\":{\"value\":2.0}}");
    assertThat(answer.get("most").toString())
        .isEqualTo("{\"value\":13.0,\"keys\":[\"2020-03-01T00:00:00.000Z\"]}");
    assertThat(answer.at("/mean/value").doubleValue()).isEqualTo(4 / 3.0);
    assertThat(answer.get("all").toString())
        .isEqualTo("{\"count\":2,\"min\":3.0,\"max\":13.0,\"avg\":8.0,\"sum\":16.0}");
    expect(
        "'terms':{'field':'color'},'aggs':{'m':{'max':{'field':'n'}},"
            + "'p':{'bucket_sort':{'sort':[{'m':{'order':'desc'}}],'size':1}}}",
        "{'doc_count_error_upper_bound':0,'sum_other_doc_count':0,'buckets':["
            + "{'key':'blue','doc_count':2,'m':{'value':10.0}}]}");
  }

  @Test
  void typedKeysAndMeta() throws IOException {
    var answer =
        AggregationAnswer.of(
            "{'t':{'meta':{'x':1},'terms':{'field':'color','size':1},'aggs':{'m':{'avg':{'field':'n'}}}},"
                + "'l':{'terms':{'field':'n'}},'u':{'terms':{'field':'unknown'}},'h':{'histogram':{'field':'n','interval':5}}}",
            "{'match_all':{}}",
            true,
            shard);
    assertThat(answer.fieldNames())
        .toIterable()
        .containsExactly("sterms#t", "lterms#l", "sterms#u", "histogram#h");
    assertThat(answer.get("sterms#t").toString())
        .startsWith("{\"meta\":{\"x\":1},\"doc_count_error_upper_bound\":0");
    assertThat(answer.at("/sterms#t/buckets/0/avg#m/value").doubleValue()).isEqualTo(6.5);
  }

  @Test
  void shardsWithoutTheFieldChangeNothing() throws IOException {
    try (AggregationTestShard lacking =
        new AggregationTestShard("{\"dynamic\": false, \"properties\": {}}")) {
      lacking.segment(AggregationAnswer.lines("{}"));
      String aggs =
          "{'t':{'terms':{'field':'day'}},'h':{'date_histogram':{'field':'day','calendar_interval':'month',"
              + "'extended_bounds':{'min':'2020-01-01'}}},'m':{'max':{'field':'day'}},"
              + "'r':{'range':{'field':'n','ranges':[{'from':2}]}},'p':{'percentiles':{'field':'day'}},"
              + "'c':{'composite':{'sources':[{'d':{'terms':{'field':'day'}}}]}}}";
      var alone = AggregationAnswer.of(aggs, shard);
      assertThat(AggregationAnswer.of(aggs, shard, lacking)).isEqualTo(alone);
      assertThat(AggregationAnswer.of(aggs, lacking, shard)).isEqualTo(alone);
      assertThat(
              AggregationAnswer.of("{'r':{'range':{'field':'n','ranges':[{'from':2}]}}}", lacking)
                  .toString())
          .isEqualTo("{\"r\":{\"buckets\":[{\"key\":\"2.0-*\",\"from\":2.0,\"doc_count\":0}]}}");
    }
  }

  @Test
  void deletedDocumentsAreNotCounted() throws IOException {
    shard.delete("color", "\"red\"");
    expect("'histogram':{'field':'n','interval':20}", "{'buckets':[{'key':0.0,'doc_count':2}]}");
    expect("'min':{'field':'n'}", "{'value':3.0}");
    expect("'value_count':{'field':'n'}", "{'value':2}");
    expect(
        "'terms':{'field':'color','size':1}",
        "{'doc_count_error_upper_bound':0,'sum_other_doc_count':1,'buckets':[{'key':'blue','doc_count':2}]}");
  }
}
