package dev.holdfast.api.search;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.RunningNode;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Features of searches beside each other, as Elasticsearch 9.5.3 answers them.
final class ComposedSearchesTest {
  @RegisterExtension static final RunningNode node = RunningNode.alone();

  @BeforeAll
  static void write() throws Exception {
    node.ok(
        "PUT",
        "/c",
        """
        {"mappings":{"properties":{"t":{"type":"text"},"u":{"type":"text"},
          "k":{"type":"keyword"},"n":{"type":"integer"},"h":{"type":"half_float"},
          "o":{"type":"nested","properties":{"x":{"type":"keyword"}}}}}}\
        """);
    node.ok(
        "POST",
        "/c/_bulk?refresh=true",
        """
        {"index":{"_id":"1"}}
        {"t":"quick brown fox","u":"winter","k":"a","n":1,"h":1.21}
        {"index":{"_id":"2"}}
        {"t":"quick quick quick","u":"quick","k":"a","n":2,"h":2.5}
        {"index":{"_id":"3"}}
        {"t":"a quicker lazy dog","u":"summer","k":"b","n":3}
        """);
  }

  private static JsonNode search(String body) throws Exception {
    return node.ok("POST", "/c/_search", body);
  }

  private static String refused(String body) throws Exception {
    JsonNode cause = node.refused(400, "POST", "/c/_search", body).at("/error/root_cause/0");
    return cause.path("type").asText() + ": " + cause.path("reason").asText();
  }

  @Test
  void theGreatestScoreIsThatOfWhatMatches() throws Exception {
    JsonNode none =
        search(
            "{\"query\":{\"exists\":{\"field\":\"n\"}},\"sort\":[\"n\"],\"track_scores\":true,\"min_score\":2}");
    JsonNode groups =
        search(
            "{\"query\":{\"match\":{\"t\":\"quick\"}},\"sort\":[\"n\"],\"track_scores\":true,"
                + "\"collapse\":{\"field\":\"k\"}}");
    JsonNode all = search("{\"query\":{\"match\":{\"t\":\"quick\"}}}");

    assertThat(none.at("/hits/total/value").asInt()).isZero();
    assertThat(none.at("/hits/max_score").isNull()).isTrue();
    assertThat(groups.at("/hits/hits/0/_id").asText()).isEqualTo("1");
    assertThat(groups.at("/hits/max_score").asDouble())
        .isEqualTo(all.at("/hits/max_score").asDouble())
        .isGreaterThan(groups.at("/hits/hits/0/_score").asDouble());
  }

  @Test
  void whoeverHighlightsShowsIds() throws Exception {
    String hidden = "{\"stored_fields\":\"_none_\",\"query\":{\"match\":{\"t\":\"fox\"}}%s}";

    assertThat(search(hidden.formatted("")).at("/hits/hits/0").has("_id")).isFalse();
    assertThat(search("{\"stored_fields\":[\"_none_\"]}").at("/hits/hits/0").has("_id")).isFalse();
    assertThat(
            search(hidden.formatted(",\"highlight\":{\"fields\":{\"u\":{}}}"))
                .at("/hits/hits/0/_id")
                .asText())
        .isEqualTo("1");
    assertThat(
            search(hidden.formatted(",\"highlight\":{\"fields\":{\"none\":{}}}"))
                .at("/hits/hits/0")
                .has("_id"))
        .isFalse();
  }

  @Test
  void pagesOfBucketsStandInNothingThatMakesBuckets() throws Exception {
    String pages =
        "\"aggs\":{\"c\":{\"composite\":{\"sources\":[{\"k\":{\"terms\":{\"field\":\"k\"}}}]}}}";
    String filter = "\"aggs\":{\"f\":{\"filter\":{\"match_all\":{}}," + pages + "}}";

    for (String around :
        List.of(
            "\"filters\":{\"filters\":[{\"match_all\":{}}]}",
            "\"global\":{}",
            "\"date_histogram\":{\"field\":\"n\",\"calendar_interval\":\"day\"}")) {
      assertThat(refused("{\"aggs\":{\"a\":{" + around + "," + filter + "}}}"))
          .contains("cannot be used with a parent aggregation of type");
    }
    assertThat(
            refused(
                "{\"aggs\":{\"a\":{\"date_histogram\":{\"field\":\"n\",\"fixed_interval\":\"1d\"},"
                    + pages
                    + "}}}"))
        .endsWith("[DateHistogramAggregatorFactory]");
    JsonNode found =
        search("{\"aggs\":{\"a\":{\"filter\":{\"term\":{\"k\":\"a\"}}," + filter + "}}}");
    assertThat(found.at("/aggregations/a/f/c/buckets/0/doc_count").asInt()).isEqualTo(2);
  }

  @Test
  void wordsThatNobodyAskedForAreNotMarked() throws Exception {
    String like =
        """
        {"query":{"bool":{"should":[{"more_like_this":{"fields":["t"],"like":"quick",
          "min_term_freq":1,"min_doc_freq":%d}},{"match":{"t":"fox"}}]}},
         "highlight":{"fields":{"t":{}}}}\
        """;
    JsonNode often = search(like.formatted(2));
    JsonNode once = search(like.formatted(1));
    JsonNode begun =
        search(
            """
            {"query":{"match_phrase_prefix":{"t":"a qui"}},
             "highlight":{"require_field_match":false,"fields":{"t":{}}}}\
            """);

    // In one document no word is in two.
    assertThat(often.at("/hits/hits").findValuesAsText("_id")).containsExactly("1", "2");
    assertThat(often.at("/hits/hits/0/highlight/t/0").asText())
        .isEqualTo("quick brown <em>fox</em>");
    assertThat(often.at("/hits/hits/1").has("highlight")).isFalse();
    assertThat(once.at("/hits/hits/0/highlight/t/0").asText())
        .isEqualTo("<em>quick</em> brown <em>fox</em>");
    assertThat(begun.at("/hits/hits/0/highlight/t/0").asText())
        .isEqualTo("<em>a</em> <em>quicker</em> lazy dog");
  }

  @Test
  void whatIsUnlikeIsLookedForInTheFirstField() throws Exception {
    String like =
        "{\"query\":{\"more_like_this\":{\"fields\":[%s],\"like\":\"quick\",\"unlike\":\"quick\","
            + "\"min_term_freq\":1,\"min_doc_freq\":1}}}";

    // In t the word is in more documents, so that it is looked for there, wherever it is unwanted.
    assertThat(search(like.formatted("\"u\",\"t\"")).at("/hits/total/value").asInt()).isEqualTo(2);
    assertThat(search(like.formatted("\"t\",\"u\"")).at("/hits/total/value").asInt()).isZero();
  }

  @Test
  void documentsLikedAreThoseOfThePointInTime() throws Exception {
    String id = node.ok("POST", "/c/_pit?keep_alive=1m", "").at("/id").asText();
    JsonNode found =
        node.ok(
            "POST",
            "/_search",
            "{\"pit\":{\"id\":\""
                + id
                + "\"},\"query\":{\"more_like_this\":{\"fields\":[\"t\"],\"like\":{\"_id\":\"1\"},"
                + "\"min_term_freq\":1,\"min_doc_freq\":1}}}");

    assertThat(found.at("/hits/hits").findValuesAsText("_id")).containsExactly("2");
  }

  @Test
  void smallNumbersAreShownAsSortValuesAsTheyAre() throws Exception {
    JsonNode found = search("{\"sort\":[{\"h\":\"asc\"}]}");

    assertThat(found.at("/hits/hits/0/sort/0").toString()).isEqualTo("1.2099609");
  }

  @Test
  void theRequestIsCheckedBeforeItsSort() throws Exception {
    assertThat(
            refused(
                "{\"stored_fields\":\"_none_\",\"fields\":[\"n\"],\"sort\":[\"n\"],"
                    + "\"rescore\":{\"query\":{\"rescore_query\":{\"match_all\":{}}}}}"))
        .startsWith("action_request_validation_exception: Validation Failed: 1: [stored_fields]");
  }

  @Test
  void valuesAreOfTheKindThatTheirMembersHave() throws Exception {
    for (String query :
        List.of(
            "{\"term\":{\"k\":{\"value\":\"a\",\"_name\":null}}}",
            "{\"match\":{\"t\":{\"query\":\"fox\",\"operator\":null}}}",
            "{\"fuzzy\":{\"k\":{\"value\":\"a\",\"boost\":null}}}",
            "{\"bool\":{\"_name\":1.5}}",
            "{\"knn\":{\"field\":5,\"query_vector\":[1]}}",
            "{\"bool\":{\"adjust_pure_negative\":null}}",
            "{\"ids\":{\"values\":[null]}}",
            "{\"match_all\":{\"_name\":5}}",
            "{\"query_string\":{\"query\":\"fox\",\"fields\":\"t\"}}",
            "{\"query_string\":{\"query\":[]}}",
            "{\"more_like_this\":{\"fields\":\"t\",\"like\":\"fox\"}}",
            "{\"more_like_this\":{\"fields\":[\"t\"],\"like\":\"fox\",\"stop_words\":\"a\"}}",
            "{\"intervals\":{\"t\":{\"match\":{\"query\":\"fox\"}},\"boost\":2}}",
            "{\"function_score\":{\"min_score\":\"x\"}}",
            "{\"ids\":{\"values\":{}}}",
            "{\"query_string\":{\"query\":\"fox\",\"tie_breaker\":[null]}}",
            "{\"function_score\":{\"functions\":\"\"}}",
            "{\"function_score\":{\"min_score\":[null]}}")) {
      assertThat(refused("{\"query\":" + query + "}")).as(query).contains("exception: ");
    }
    for (String aggregation :
        List.of(
            "{\"terms\":{\"field\":\"k\",\"size\":null}}",
            "{\"terms\":{\"field\":\"k\",\"execution_hint\":\"x\"}}",
            "{\"terms\":{\"field\":\"k\",\"execution_hint\":5}}",
            "{\"terms\":{\"field\":\"k\",\"collect_mode\":\"x\"}}",
            "{\"cardinality\":{\"field\":\"k\",\"execution_hint\":\"x\"}}",
            "{\"significant_terms\":{\"field\":\"k\",\"execution_hint\":\"x\"}}",
            "{\"terms\":{\"field\":\"k\",\"include\":[null]}}",
            "{\"missing\":{\"field\":5}}",
            "{\"terms\":{\"field\":\"k\",\"missing\":[5]}}",
            "{\"date_histogram\":{\"field\":\"n\",\"fixed_interval\":\"1d\",\"time_zone\":99999999999}}",
            "{\"nested\":{\"path\":5}}",
            "{\"histogram\":{\"field\":\"n\",\"interval\":5,\"format\":true}}")) {
      assertThat(refused("{\"aggs\":{\"a\":" + aggregation + "}}"))
          .as(aggregation)
          .contains("exception: ");
    }
    for (String search :
        List.of(
            "{\"_source\":[null]}",
            "{\"stored_fields\":[null]}",
            "{\"size\":[5]}",
            "{\"min_score\":{}}",
            "{\"stats\":{}}",
            "{\"stats\":[5]}",
            "{\"stored_fields\":{}}",
            "{\"indices_boost\":[5]}",
            "{\"include_named_queries_score\":true}")) {
      assertThat(refused(search)).as(search).contains("exception: ");
    }
    // Null says nothing in these, and an empty text is false.
    for (String query :
        List.of(
            "{\"bool\":{\"must\":null,\"minimum_should_match\":null}}",
            "{\"range\":{\"n\":{\"gte\":1,\"lt\":null}}}",
            "{\"prefix\":{\"k\":{\"value\":\"a\",\"rewrite\":null}}}",
            "{\"nested\":{\"path\":\"o\",\"query\":{\"match_all\":{}},\"score_mode\":null}}",
            "{\"nested\":{\"path\":\"o\",\"query\":{\"match_all\":{}},\"ignore_unmapped\":\"\"}}",
            "{\"match\":{\"t\":{\"query\":\"fox\",\"lenient\":\"\"}}}")) {
      assertThat(search("{\"track_scores\":\"\",\"query\":" + query + "}").has("hits")).isTrue();
    }
  }
}
