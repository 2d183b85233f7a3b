package dev.holdfast.api.search.template;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.RunningNode;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// `_rank_eval` refuses as a whole what cannot be evaluated, and what would be ignored.
final class RankEvalRequestsTest {
  @RegisterExtension static final RunningNode node = RunningNode.alone();

  private static final String RATED = "[{'_index':'books','_id':'1','rating':1}]";
  private static final String PRECISION = "{'precision':{}}";

  @BeforeAll
  static void fill() throws Exception {
    node.fill("books", 3);
  }

  private static String body(String requests, String metric, String more) {
    return ("{'requests':" + requests + ",'metric':" + metric + more + "}").replace('\'', '"');
  }

  private static String refused(String body) throws Exception {
    return node.refused(400, "POST", "/books/_rank_eval", body).path("error").toString();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      textBlock =
          """
          []                                                   | if no search requests with rated results are provided
          [{'request':{},'ratings':[]}]                        | Required [id]
          [{'id':'a','request':{}}]                            | Required [ratings]
          [{'id':'a','request':{},'ratings':null}]             | [ratings] doesn't support values of type: VALUE_NULL
          [{'id':'a','ratings':[]}]                            | Need to set at least test request or test request template parameters.
          [{'id':'a','template_id':'t','ratings':[]}]          | Need to set at least test request
          [{'id':'a','params':{'a':1},'ratings':[]}]           | need to set id of template to apply them to
          [{'id':'a','request':{},'params':{'a':1},'ratings':[]}] | Ambiguous rated request
          [{'id':'a','request':{},'template_id':'t','ratings':[]}] | Ambiguous rated request
          [{'id':'a','template_id':'t','params':{'a':1},'ratings':[]}] | there is no template of the id [t]
          [{'id':'a','request':{'aggs':{}},'ratings':[]}]      | should not contain aggregations.
          [{'id':'a','request':{'suggest':{}},'ratings':[]}]   | should not contain a suggest section.
          [{'id':'a','request':{'highlight':{}},'ratings':[]}] | should not contain a highlighter section.
          [{'id':'a','request':{'explain':true},'ratings':[]}] | should not use explain.
          [{'id':'a','request':{'profile':true},'ratings':[]}] | should not use profile.
          [{'id':'a','request':{'nope':1},'ratings':[]}]       | [nope]
          [{'id':'a','request':{'query':{'nope':{}}},'ratings':[]}] | [nope]
          [{'id':'a','request':{},'summary_fields':[{}],'ratings':[]}] | [summary_fields] doesn't support
          """)
  void isNoRequest(String requests, String why) throws Exception {
    assertThat(refused(body(requests, PRECISION, ""))).contains(why);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      textBlock =
          """
          {'nope':{}}                                       | unknown field [nope]
          {'precision':{'k':0}}                             | Window size k must be positive.
          {'recall':{'k':-1}}                               | Window size k must be positive.
          {'precision':{'k':null}}                          | VALUE_NULL
          {'precision':{'k':'x'}}                           | [k]
          {'precision':{'relevant_rating_threshold':-1}}    | Relevant rating threshold for precision must be positive integer.
          {'precision':{'normalize':true}}                  | unknown field [normalize]
          {'recall':{'ignore_unlabeled':true}}              | unknown field [ignore_unlabeled]
          {'mean_reciprocal_rank':{'unknown_doc_rating':1}} | unknown field [unknown_doc_rating]
          {'dcg':{'relevant_rating_threshold':1}}           | unknown field [relevant_rating_threshold]
          {'dcg':{'unknown_doc_rating':'x'}}                | [unknown_doc_rating]
          {'expected_reciprocal_rank':{}}                   | Required [maximum_relevance]
          {'expected_reciprocal_rank':{'maximum_relevance':2,'normalize':true}} | unknown field [normalize]
          """)
  void isNoMetric(String metric, String why) throws Exception {
    String requests = "[{'id':'a','request':{},'ratings':[]}]";

    assertThat(refused(body(requests, metric, ""))).contains(why);
  }

  @Test
  void isNoTemplate() throws Exception {
    String requests = "[{'id':'a','template_id':'t','params':{'n':1},'ratings':[]}]";
    String[][] refused = {
      {"{}", "templates doesn't support values of type: START_OBJECT"},
      {"[{'template':{'source':{}}}]", "Required [id]"},
      {"[{'id':'t'}]", "Required [template]"},
      {"[{'id':'t','template':'x'}]", "template doesn't support values of type: VALUE_STRING"},
      {"[{'id':'t','template':{'source':{}},'x':1}]", "unknown field [x]"}
    };
    for (String[] one : refused) {
      assertThat(refused(body(requests, PRECISION, ",'templates':" + one[0])))
          .as(one[0])
          .contains(one[1]);
    }
    assertThat(refused(body(requests, PRECISION, ",'max_concurrent_searches':0")))
        .contains("there is no template");
    assertThat(
            refused(
                body(
                    "[{'id':'a','request':{},'ratings':[]}]",
                    PRECISION,
                    ",'max_concurrent_searches':0")))
        .contains("must be positive");
  }

  @Test
  void aDocumentIsRatedOnce() throws Exception {
    String twice = RATED.replace("]", ",") + RATED.substring(1);
    String requests = "[{'id':'a','request':{},'ratings':" + twice + "}]";

    JsonNode refused =
        node.refused(400, "POST", "/books/_rank_eval", body(requests, PRECISION, ""));

    assertThat(refused.at("/error/caused_by/reason").asText())
        .isEqualTo(
            "Found duplicate rated document key [{\"_index\":\"books\",\"_id\":\"1\"}] in"
                + " evaluation request [a]");
  }

  @Test
  void theLastRequestOfAnIdCounts() throws Exception {
    String none = "{'id':'a','request':{'query':{'match_none':{}}},'ratings':" + RATED + "}";
    String one = "{'id':'a','request':{'query':{'ids':{'values':['1']}}},'ratings':" + RATED + "}";

    JsonNode answer =
        node.ok("POST", "/books/_rank_eval", body("[" + none + "," + one + "]", PRECISION, ""));

    assertThat(answer.path("metric_score").asDouble()).isEqualTo(1);
    assertThat(answer.path("details").size()).isEqualTo(1);
  }

  @Test
  void whatFailsOnShardsIsOneFailure() throws Exception {
    String failing =
        "[{'id':'a','request':{'query':{'range':{'n':{'gte':'x'}}}},'ratings':" + RATED + "}]";

    JsonNode answer = node.ok("POST", "/books/_rank_eval", body(failing, PRECISION, ""));

    assertThat(answer.path("failures").has("a")).isTrue();
  }
}
