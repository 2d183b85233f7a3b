package dev.holdfast.api.search;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.RunningNode;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Options of the parts of a search that had been taken and ignored: they are obeyed or refused.
final class IgnoredOptionsTest {
  @RegisterExtension static final RunningNode node = RunningNode.alone();

  @BeforeAll
  static void fill() throws Exception {
    JsonNode _ =
        node.ok(
            "PUT",
            "/books",
            """
            {"mappings": {"properties": {"c": {"type": "completion"}, "t": {"type": "text"},
              "k": {"type": "keyword"}, "n": {"type": "integer"},
              "cc": {"type": "completion", "contexts": [{"name": "kind", "type": "category"},
                {"name": "place", "type": "geo"}]},
              "v": {"type": "dense_vector", "dims": 2}}}}
            """);
    JsonNode _ =
        node.ok(
            "POST",
            "/books/_bulk?refresh=true",
            """
            {"index":{"_id":"1"}}
            {"c":"nevermind","t":"a book","k":"x","n":1,"v":[1,2]}
            {"index":{"_id":"2"}}
            {"c":"neverland","t":"another","n":2,"v":[2,1]}
            """);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"suggest":{"s":{"prefix":"nev","completion":{"field":"c","fuzzy":1}}}}                       | fuzzy doesn't support values of type: VALUE_NUMBER
          {"suggest":{"s":{"prefix":"nev","completion":{"field":"c","fuzzy":"true"}}}}                  | fuzzy doesn't support values of type: VALUE_STRING
          {"suggest":{"s":{"prefix":"nev","completion":{"field":"c","fuzzy":{"prefix_length":-1}}}}}    | fuzzyPrefixLength must not be negative
          {"suggest":{"s":{"regex":"n.*","completion":{"field":"c","regex":"x"}}}}                      | regex doesn't support values of type: VALUE_STRING
          {"suggest":{"s":{"regex":"n.*","completion":{"field":"c","regex":{"flags":"NOPE"}}}}}         | Unknown regexp flag [NOPE]
          {"suggest":{"s":{"regex":"n.*","completion":{"field":"c","regex":{"nope":1}}}}}               | unknown field [nope]
          {"suggest":{"s":{"regex":"n.*","completion":{"field":"c","regex":{"max_determinized_states":-1}}}}} | maxDeterminizedStates must not be negative
          {"suggest":{"s":{"prefix":"nev","completion":{"field":"c","analyzer":"nope"}}}}               | analyzer [nope] doesn't exists
          {"highlight":{"tags_schema":"nope","fields":{"t":{}}}}                                        | Unknown tag schema [nope]
          {"highlight":{"fragment_offset":1,"fields":{"t":{}}}}                                         | unknown field [fragment_offset]
          {"highlight":{"matched_fields":["t"],"fields":{"t":{}}}}                                      | unknown field [matched_fields]
          {"highlight":{"max_analyzed_offset":"-5","fields":{"t":{}}}}                                  | [max_analyzed_offset] must be a positive integer
          {"highlight":{"boundary_scanner":"nope","fields":{"t":{}}}}                                   | Invalid boundary scanner type: nope
          {"highlight":{"fields":[{"t":{},"k":{}}]}}                                                    | If highlighter fields is an array
          {"query":{"match_none":{}},"collapse":{"field":"k","inner_hits":{"name":"i","nope":1}}}                  | [inner_hits] unknown field [nope]
          {"query":{"match_none":{}},"collapse":{"field":"k","inner_hits":{"name":"i","query":{"match_all":{}}}}}  | [inner_hits] unknown field [query]
          {"query":{"match_none":{}},"collapse":{"field":"k","inner_hits":{"name":"i","sort":[{"n":{"x":1}}]}}}    | unknown field [x]
          {"sort":[{"_score":{"order":"asc","missing":1}}]}                                             | [_score] unknown field [missing]
          {"sort":[{"zz":{"unmapped_type":"nope"}}]}                                                    | No mapper found for type [nope]
          {"fields":{"field":"k"}}                                                                      | Unknown key for a START_OBJECT in [fields]
          {"docvalue_fields":{"field":"k"}}                                                             | Unknown key for a START_OBJECT in [docvalue_fields]
          {"script_fields":{"a":{"script":"1","ignore_failure":null}}}                                  | ignore_failure
          {"knn":{"field":"v","query_vector":[1,2],"k":1,"num_candidates":2,"rescore_vector":{}}}       | Required [oversample]
          {"aggs":{"a":{"filter":{"match_all":{}},"aggs":{},"aggregations":{}}}}                        | Found two sub aggregation definitions under [a]
          {"aggs":{"a":{"max":{"field":"n"}}},"aggregations":{"b":{"max":{"field":"n"}}}}               | Found two definitions of aggregations
          {"suggest":{"s":{"prefix":"nev","completion":{"field":"cc","contexts":[]}}}}                  | contexts doesn't support values of type: START_ARRAY
          {"suggest":{"s":{"prefix":"nev","completion":{"field":"cc","contexts":{"nope":["a"]}}}}}      | Unknown context name [nope]
          {"suggest":{"s":{"prefix":"nev","completion":{"field":"cc","contexts":{"kind":[{"context":"a","nope":1}]}}}}} | unknown field [nope]
          {"suggest":{"s":{"prefix":"nev","completion":{"field":"cc","contexts":{"kind":[{"context":"a","boost":0}]}}}}} | boost must be greater than 0
          {"suggest":{"s":{"prefix":"nev","completion":{"field":"cc","contexts":{"place":[{"lat":1,"lon":2,"neighbours":"x"}]}}}}} | For input string
          {"suggest":{"s":{"text":"bok","phrase":{"field":"t","collate":5}}}}                           | doesn't support field [collate]
          {"suggest":{"s":{"text":"bok","phrase":{"field":"t","collate":{"query":{"source":{}},"nope":1}}}}} | [phrase][collate] doesn't support field [nope]
          {"suggest":{"s":{"prefix":"nev","completion":{"field":"cc","contexts":{"kind":[1,null]}}}}}   | category context must be
          {"suggest":{"s":{"prefix":"nev","completion":{"field":"c","fuzzy":{"fuzziness":9}}}}}         | Valid edit distances are [0, 1, 2] but was [9]
          {"suggest":{"s":{"prefix":"nev","completion":{"field":"c","fuzzy":{"min_length":null}}}}}     | [fuzzy] min_length doesn't support values of type: VALUE_NULL
          {"suggest":{"s":{"text":"bok","term":{"field":"t","shard_size":0}}}}                          | ShardSize must be positive but was: 0
          {"suggest":{"s":{"text":"bok","term":{"field":"t","accuracy":2}}}}                            | accuracy must be between 0 and 1
          {"suggest":{"s":{"text":"bok","term":{"field":"t","max_inspections":-1}}}}                    | maxInspections must be positive
          {"suggest":{"s":{"text":"bok","term":{"field":"t","max_term_freq":-1}}}}                      | maxTermFreq must be positive
          {"suggest":{"s":{"text":"bok","term":{"field":"t","prefix_length":-1}}}}                      | prefixLength must be positive
          {"suggest":{"s":{"text":"bok","term":{"field":"t","min_word_length":0}}}}                     | minWordLength must be greater or equal to 1
          {"suggest":{"s":{"text":"bok","term":{"field":"t","min_doc_freq":1.5}}}}                      | if minDocFreq is greater than 1, it must not be a fraction
          {"suggest":{"s":{"text":"bok","phrase":{"field":"t","size":-1}}}}                             | size must be positive
          {"suggest":{"s":{"text":"bok","phrase":{"field":"t","shard_size":-1}}}}                       | ShardSize must be positive but was: -1
          {"suggest":{"s":{"text":"bok","phrase":{"field":"t","gram_size":0}}}}                         | gramSize must be >= 1
          {"suggest":{"s":{"text":"bok","phrase":{"field":"t","token_limit":0}}}}                       | token_limit must be >= 1
          {"suggest":{"s":{"text":"bok","phrase":{"field":"t","max_errors":0}}}}                        | max_error must be > 0.0
          {"suggest":{"s":{"text":"bok","phrase":{"field":"t","real_word_error_likelihood":0}}}}        | real_word_error_likelihood must be > 0.0
          {"suggest":{"s":{"text":"bok","phrase":{"field":"t","direct_generator":[{}]}}}}               | Required [field]
          {"suggest":{"s":{"text":"bok","phrase":{"field":"t","direct_generator":[{"field":"t","size":0}]}}}} | Size must be positive
          {"query":{"terms":{"k":{"index":"books","id":["1"],"path":"k"}}}}                             | [terms_lookup] id doesn't support values of type: START_ARRAY
          {"query":{"terms":{"k":{"index":"books","id":"1","path":5}}}}                                 | [terms_lookup] path doesn't support values of type: VALUE_NUMBER
          {"query":{"terms":{"k":{"index":"books","id":"1","path":"k","routing":null}}}}                | [terms_lookup] routing doesn't support values of type: VALUE_NULL
          {"query":{"terms":{"k":{"index":"books","id":"","path":"k"}}}}                                | id is missing
          {"query":{"terms":{"k":{"index":"books","id":"1"}}}}                                          | Required [path]
          {"query":{"multi_match":{"query":"a","fields":["t"],"slop":-1}}}                              | No negative slop allowed.
          {"query":{"multi_match":{"query":"a","fields":["t"],"slop":"x"}}}                             | [slop]
          {"query":{"simple_query_string":{"query":"a","flags":5000000000}}}                            | out of range of int
          {"query":{"term":{"":"a"}}}                                                                   | field name is null or empty
          {"query":{"terms":{"":["a"]}}}                                                                | field name cannot be null.
          {"query":{"range":{"":{"gte":1}}}}                                                            | field name is null or empty
          {"query":{"exists":{"field":""}}}                                                             | field name is null or empty
          {"query":{"prefix":{"":"a"}}}                                                                 | field name is null or empty
          {"query":{"wildcard":{"":"a"}}}                                                               | field name is null or empty
          {"query":{"regexp":{"":"a"}}}                                                                 | field name is null or empty
          {"query":{"fuzzy":{"":"a"}}}                                                                  | field name cannot be null or empty
          {"query":{"span_term":{"":"a"}}}                                                              | field name is null or empty
          {"query":{"match_phrase":{"":"a"}}}                                                           | [match_phrase] requires fieldName
          {"query":{"match_bool_prefix":{"":"a"}}}                                                      | [match_bool_prefix] requires fieldName
          {"query":{"geo_distance":{"distance":"1km","":[1,2]}}}                                        | fieldName must not be null or empty
          {"query":{"ids":{"values":["1",""]}}}                                                         | Ids can't be empty
          {"query":{"intervals":{"t":{"range":{"gte":5,"lt":"b"}}}}}                                    | [range] gte doesn't support values of type: VALUE_NUMBER
          {"query":{"span_near":{"clauses":[{"span_term":{"t":{"value":"a","boost":2}}}],"slop":1}}}    | span_near [clauses] as a nested span clause can't have non-default boost value [2.0]
          {"query":{"span_first":{"match":{"span_term":{"t":"a"}},"end":-1}}}                           | parameter [end] needs to be positive.
          {"query":{"function_score":{"linear":{"n":{"origin":1,"scale":2,"offset":null}}}}}            | VALUE_NULL
          {"query":{"function_score":{"linear":{"n":{"origin":1,"scale":2},"multi_value_mode":null}}}}  | VALUE_NULL
          {"query":{"more_like_this":{"fields":["t"],"like":[{"_id":"1","_index":["books"]}]}}}         | [_index] expected text but found START_ARRAY
          {"query":{"more_like_this":{"fields":["t"],"like":[{"_id":"","_index":"books"}]}}}            | Ids can't be empty
          {"query":{"knn":{"field":"v","query_vector":[1,2],"similarity":null}}}                        | [knn] similarity doesn't support values of type: VALUE_NULL
          {"highlight":{"number_of_fragments":-1,"fields":{"t":{}}}}                                    | [number_of_fragments] must be between [0] and [10000]
          {"highlight":{"fields":{"t":{"number_of_fragments":10001}}}}                                  | [number_of_fragments] must be between [0] and [10000]
          {"collapse":{"field":"k","inner_hits":{"size":1}}}                                            | inner_hits must have a [name]
          {"aggs":{"a":{"terms":{"field":"k","shard_min_doc_count":-1}}}}                               | [shardMinDocCount] must be greater than or equal to 0. Found [-1] in [a]
          {"aggs":{"a":{"terms":{"field":"k","value_type":"nope"}}}}                                    | Unknown value type [nope]
          {"aggs":{"a":{"significant_terms":{"field":"k","shard_size":0}}}}                             | [shardSize] must be greater than  0. Found [0] in [a]
          {"aggs":{"a":{"significant_text":{"field":"t","min_doc_count":-1}}}}                          | [minDocCount] must be greater than or equal to 0. Found [-1] in [a]
          {"aggs":{"a":{"date_histogram":{"field":"n","calendar_interval":"month","time_zone":"3"}}}}   | Invalid time zone [3]
          {"aggs":{"a":{"date_histogram":{"field":"n","calendar_interval":"month","hard_bounds":{"min":1.5}}}}} | 1.5 cannot be converted to Long without data loss
          {"aggs":{"a":{"histogram":{"field":"n","interval":1,"hard_bounds":{"min":5,"max":3}}}}}       | must be greater than min bound
          {"aggs":{"a":{"filters":{"filters":{"a":{"match_all":{}}},"keyed":"false"}}}}                 | [keyed]
          {"aggs":{"a":{"composite":{"sources":[{"a":{"terms":{"field":"k","missing_bucket":true,"missing_order":"nope"}}}]}}}} | [missing_order] must be one of [first, last, default], found [nope]
          {"aggs":{"a":{"composite":{"sources":[{"a":{"terms":{"field":"k","missing_order":"first"}}}]}}}} | missingOrder can only be set if missingBucket is true
          {"aggs":{"a":{"random_sampler":{"probability":0.5}}}}                                         | must have sub-aggregations
          {"aggs":{"a":{"weighted_avg":{"value":{"field":""},"weight":{"field":"n"}}}}}                 | [field, script]
          {"aggs":{"h":{"histogram":{"field":"n","interval":1}},"p":{"percentiles_bucket":{"buckets_path":"h>_count","percents":"3"}}}} | Unexpected token VALUE_STRING [percents] in [p]
          {"query":{"pinned":{"organic":{"match_all":{}},"docs":5}}}                                    | [docs] must be a list
          {"query":{"rank_feature":{"field":{}}}}                                                       | [field]
          {"aggs":{"a":{"boxplot":{"field":"n","execution_hint":"nope"}}}}                              | Invalid execution_hint [nope]
          {"aggs":{"a":{"percentiles":{"field":"n","tdigest":{"execution_hint":"nope"}}}}}              | Invalid execution_hint [nope]
          {"aggs":{"a":{"median_absolute_deviation":{"field":"n","execution_hint":"nope"}}}}            | Invalid execution_hint [nope]
          {"aggs":{"a":{"diversified_sampler":{"field":"n","execution_hint":"nope"}}}}                  | [execution_hint]
          {"aggs":{"a":{"multi_terms":{"terms":[{"field":"n"},{"field":"k"}],"collect_mode":"nope"}}}}  | [collect_mode]
          {"aggs":{"a":{"multi_terms":{"terms":[{"field":"n"},{"field":"k"}],"shard_size":-1}}}}        | [shardSize] must be greater than 0
          {"aggs":{"a":{"top_metrics":{"metrics":{"field":"n","missing":1},"sort":"n"}}}}               | unknown field [missing]
          {"aggs":{"a":{"terms":{"field":"k","include":{"partition":0,"num_partitions":2,"nope":1}}}}}  | unknown field [nope]
          {"aggs":{"a":{"terms":{"field":"k"},"aggs":{"b":{"bucket_sort":{"sort":[{"_key":"up"}]}}}}}}  | No sort order named [up]
          {"aggs":{"a":{"terms":{"field":"k"},"aggs":{"b":{"bucket_sort":{"sort":[{"_key":{"nope":1}}]}}}}}} | unknown field [nope]
          {"aggs":{"a":{"terms":{"field":"k"},"aggs":{"b":{"bucket_script":{"buckets_path":{"a":1},"script":"1"}}}}}} | [buckets_path] must hold texts
          """)
  void isRefused(String body, String why) throws Exception {
    JsonNode refused = node.refused(400, "POST", "/books/_search", body);

    assertThat(refused.path("error").toString()).contains(why);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'aggs':{'a':{'max':{'field':'n'}}},'aggregations':{}}",
        "{'timeout':0}",
        "{'docvalue_fields':[{'field':'n','format':null}]}",
        "{'aggs':{'a':{'max':{'field':'n','value_type':'long'}}}}",
        "{'aggs':{'a':{'date_histogram':{'field':'d','calendar_interval':'month','time_zone':3}}}}",
        "{'suggest':{'s':{'prefix':'nev','completion':{'field':'cc','contexts':{'place':{'context':"
            + "{'lat':1,'lon':2},'precision':'1km','neighbours':['3',4]}}}}}}"
      })
  void isTaken(String body) throws Exception {
    JsonNode answer = node.ok("POST", "/books/_search", body.replace('\'', '"'));

    assertThat(answer.at("/_shards/failed").asInt(-1)).isZero();
  }

  @Test
  void bucketsAreSortedByEachMemberOfASort() throws Exception {
    String body =
        """
        {"size":0,"aggs":{"a":{"terms":{"field":"n"},"aggs":{
          "b":{"bucket_sort":{"sort":[{"_count":"desc","_key":"desc"}]}}}}}}
        """;

    JsonNode buckets = node.ok("POST", "/books/_search", body).at("/aggregations/a/buckets");

    assertThat(buckets.findValuesAsText("key")).containsExactly("2", "1");
  }

  @Test
  void termsAreLookedForAsLongAsTheRequestSays() throws Exception {
    String asked = "{\"field\":\"k\",\"timeout\":\"%s\"}";

    JsonNode whole = node.ok("POST", "/books/_terms_enum", asked.formatted("1m"));
    JsonNode nothing = node.ok("POST", "/books/_terms_enum", asked.formatted("0ms"));
    JsonNode refused = node.refused(400, "POST", "/books/_terms_enum", asked.formatted("soon"));

    assertThat(whole.path("terms").size()).isEqualTo(1);
    assertThat(whole.path("complete").asBoolean()).isTrue();
    assertThat(nothing.path("complete").asBoolean(true)).isFalse();
    assertThat(refused.at("/error/reason").asText()).contains("[timeout]");
  }

  @Test
  void theFlagsOfAnExpressionSayWhichOperatorsItHas() throws Exception {
    String asked =
        """
        {"suggest":{"s":{"regex":"never@","completion":{"field":"c","regex":{"flags":"%s"}}}}}
        """;

    JsonNode all = node.ok("POST", "/books/_search", asked.formatted("ALL"));
    JsonNode none = node.ok("POST", "/books/_search", asked.formatted("NONE"));

    assertThat(all.at("/suggest/s/0/options").size()).isEqualTo(2);
    assertThat(none.at("/suggest/s/0/options")).isEmpty();
  }
}
