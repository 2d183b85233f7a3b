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

/// Details of searches that random requests showed, as Elasticsearch 9.5.3 answers them.
final class SearchDetailsTest {
  @RegisterExtension static final RunningNode node = RunningNode.alone();

  @BeforeAll
  static void write() throws Exception {
    node.ok(
        "PUT",
        "/d",
        """
        {"mappings":{"properties":{"t":{"type":"text","copy_to":"c"},"u":{"type":"text"},
          "c":{"type":"text"},"k":{"type":"keyword"},"n":{"type":"integer"},
          "secret":{"type":"keyword","index":false},"f":{"type":"flattened"},
          "s":{"type":"keyword","normalizer":"lowercase","store":true,"null_value":"None",
            "fields":{"raw":{"type":"keyword","store":true}}}}}}\
        """);
    node.ok(
        "POST",
        "/d/_bulk?refresh=true",
        """
        {"index":{"_id":"1","routing":"r"}}
        {"t":" the dog runs ","u":"the cat","k":"drama","n":1,"secret":"dog","f":{"a":"Black"},"s":"A1"}
        {"index":{"_id":"2"}}
        {"t":"the the fox","k":"drama","n":3,"s":null}
        {"index":{"_id":"3"}}
        {"t":"the bird","k":"essay","n":7}
        """);
  }

  private static JsonNode search(String query) throws Exception {
    return node.ok("POST", "/d/_search", "{\"query\":" + query + "}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"wildcard\":{\"k\":{\"value\":\"D*\",\"case_insensitive\":true,\"rewrite\":\"top_terms_1\"}}}",
        "{\"prefix\":{\"k\":{\"value\":\"D\",\"case_insensitive\":true,\"rewrite\":\"top_terms_1\"}}}"
      })
  void theRewriteCountsWhateverTheCase(String query) throws Exception {
    JsonNode found = search(query);

    assertThat(found.at("/hits/total/value").asInt()).isEqualTo(2);
    // scored as the term that it was rewritten to
    assertThat(found.at("/hits/max_score").asDouble())
        .isEqualTo(search("{\"term\":{\"k\":\"drama\"}}").at("/hits/max_score").asDouble())
        .isNotEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"term", "prefix"})
  void keysOfAFlattenedFieldMatchInAnyCase(String kind) throws Exception {
    String exact = "{\"%s\":{\"f.a\":{\"value\":\"BLACK\",\"case_insensitive\":%s}}}";

    assertThat(search(exact.formatted(kind, true)).at("/hits/total/value").asInt()).isEqualTo(1);
    assertThat(search(exact.formatted(kind, false)).at("/hits/total/value").asInt()).isZero();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "must     | [{'term':{'n':'x'}},{'term':{'none':1}}]",
        "filter   | [{'match_none':{}},{'term':{'n':'x'}}]",
      })
  void aClauseIsNotAskedWhereAnotherLeavesNothing(String member, String clauses) throws Exception {
    String bool = "{'bool':{'" + member + "':" + clauses + "}}";

    assertThat(search(bool.replace('\'', '"')).at("/hits/total/value").asInt()).isZero();
  }

  @Test
  void aClauseThatLeavesSomethingDoesNotHideAFault() throws Exception {
    node.refused(
        400,
        "POST",
        "/d/_search",
        "{\"query\":{\"bool\":{\"must\":[{\"term\":{\"n\":\"x\"}}],\"should\":[{\"match_none\":{}}]}}}");
    node.refused(
        400,
        "POST",
        "/d/_search",
        "{\"query\":{\"bool\":{\"must\":[{\"term\":{\"n\":\"x\"}}],\"filter\":[{\"match_all\":{}}]}}}");
    assertThat(
            search(
                    "{\"bool\":{\"must\":[{\"term\":{\"n\":\"x\"}}],\"must_not\":[{\"match_all\":{}}]}}")
                .at("/hits/total/value")
                .asInt())
        .isZero();
  }

  @Test
  void aWordOfManyFieldsNeverCountsAgainstTheRareOne() throws Exception {
    // "the" is in three documents of t, and only one document has u
    JsonNode found =
        node.ok(
            "POST",
            "/d/_search",
            "{\"explain\":true,\"query\":{\"multi_match\":{\"query\":\"the\",\"fields\":[\"t\",\"u\"],\"type\":\"cross_fields\"}}}");

    assertThat(found.toString()).contains("weight(u:the").doesNotContain("\"value\":-");
  }

  @Test
  void wholeValuesOfEveryTextAreHighlightedAsTheyAre() throws Exception {
    String request =
        "{\"query\":{\"match\":{\"t\":\"dog\"}},\"highlight\":{\"fields\":{\"*\":{}},"
            + "\"require_field_match\":false%s}}";
    JsonNode whole =
        node.ok("POST", "/d/_search", request.formatted(",\"number_of_fragments\":0"))
            .at("/hits/hits/0/highlight");
    JsonNode cut =
        node.ok("POST", "/d/_search", request.formatted("")).at("/hits/hits/0/highlight");

    assertThat(whole.at("/t/0").asText()).isEqualTo(" the <em>dog</em> runs ");
    assertThat(cut.at("/t/0").asText()).isEqualTo("the <em>dog</em> runs");
    assertThat(cut.at("/c/0").asText()).isEqualTo("the <em>dog</em> runs"); // copied to it
    assertThat(cut.at("/secret/0").asText()).isEqualTo("<em>dog</em>"); // not searchable
    assertThat(cut.has("n")).isFalse();
  }

  @Test
  void metadataIsShownByName() throws Exception {
    JsonNode fields =
        node.ok(
                "POST",
                "/d/_search",
                "{\"query\":{\"ids\":{\"values\":[\"1\"]}},\"fields\":[\"_version\",\"_id\",\"_routing\"]}")
            .at("/hits/hits/0/fields");

    assertThat(fields.toString()).isEqualTo("{\"_version\":[1],\"_id\":[\"1\"]}");
  }

  @Test
  void storedFieldsOfADocumentAreTheFieldsValues() throws Exception {
    JsonNode one = node.ok("GET", "/d/_doc/1?routing=r&stored_fields=s,s.raw,k", "");
    JsonNode two = node.ok("GET", "/d/_doc/2?stored_fields=s,s.raw", "");

    assertThat(one.path("fields").toString()).isEqualTo("{\"s\":[\"a1\"],\"s.raw\":[\"A1\"]}");
    assertThat(two.path("fields").toString()).isEqualTo("{\"s\":[\"none\"]}");
  }

  @Test
  void aSearchGoesOnAfterTheWholePartOfANumber() throws Exception {
    String after = "{\"sort\":[\"n\"],\"search_after\":[%s]}";

    assertThat(
            node.ok("POST", "/d/_search", after.formatted("2.9"))
                .at("/hits/hits")
                .findValuesAsText("_id"))
        .containsExactly("2", "3");
    assertThat(
            node.refused(400, "POST", "/d/_search", after.formatted("\"2.9\""))
                .at("/error/root_cause/0/reason")
                .asText())
        .isEqualTo("Failed to parse search_after value for field [n].");
  }

  @Test
  void explanationsShowStoredFields() throws Exception {
    node.ok(
        "PUT",
        "/kept",
        "{\"mappings\":{\"properties\":{\"t\":{\"type\":\"keyword\",\"store\":true},\"u\":{\"type\":\"keyword\"}}}}");
    node.ok("PUT", "/kept/_doc/1?refresh=true", "{\"t\":\"a\",\"u\":\"b\"}");
    String explained = "/kept/_explain/1?q=*&stored_fields=";

    JsonNode alone = node.ok("GET", explained + "t,u", "").path("get");
    JsonNode both = node.ok("GET", explained + "t,_source", "").path("get");

    assertThat(alone.path("fields")).hasToString("{\"t\":[\"a\"]}");
    assertThat(alone.has("_source")).isFalse();
    assertThat(both.has("fields") && both.has("_source")).isTrue();
  }

  @Test
  void searchesAreCountedByTheGroupsOfTheirUrl() throws Exception {
    JsonNode _ = node.ok("GET", "/d/_search?stats=shop,blog", "");

    JsonNode groups =
        node.ok("GET", "/d/_stats/search?groups=shop,blog", "").at("/_all/total/search/groups");
    assertThat(groups.at("/shop/query_total").asInt()).isPositive();
    assertThat(groups.at("/blog/query_total").asInt()).isPositive();
  }

  @Test
  void wordsOfKeywordsAreAsLongAsThoseOfTexts() throws Exception {
    String like =
        "{\"more_like_this\":{\"fields\":[\"k\"],\"like\":[{\"_id\":\"2\"}],\"min_term_freq\":1,"
            + "\"min_doc_freq\":1,\"min_word_length\":%s}}";

    assertThat(search(like.formatted(5)).at("/hits/total/value").asInt()).isEqualTo(1);
    assertThat(search(like.formatted(6)).at("/hits/total/value").asInt()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"integer", "boolean", "ip"})
  void anObjectIsNoMalformedValue(String type) throws Exception {
    String index = "/m-" + type;
    node.ok(
        "PUT",
        index,
        "{\"mappings\":{\"properties\":{\"v\":{\"type\":\"%s\",\"ignore_malformed\":true}}}}"
            .formatted(type));

    node.refused(400, "PUT", index + "/_doc/1", "{\"v\":{\"a\":1}}");
    assertThat(node.ok("PUT", index + "/_doc/1", "{\"v\":\"pear\"}").path("result").asText())
        .isEqualTo("created");
  }

  @ParameterizedTest
  @CsvSource({"fox, 1", "the fox, 2", "the the fox, 3"})
  void matchesOfMatchOnlyTextAreWorthTheirBoost(String words, double score) throws Exception {
    node.ok(
        "PUT", "/only", "{\"mappings\":{\"properties\":{\"v\":{\"type\":\"match_only_text\"}}}}");
    try {
      node.ok("PUT", "/only/_doc/1?refresh=true", "{\"v\":\"the fox and the hound\"}");
      node.ok("PUT", "/only/_doc/2?refresh=true", "{\"v\":\"the hare\"}");
      JsonNode found =
          node.ok("POST", "/only/_search", "{\"query\":{\"match\":{\"v\":\"" + words + "\"}}}");
      JsonNode phrase =
          node.ok(
              "POST",
              "/only/_search",
              "{\"query\":{\"match_phrase\":{\"v\":{\"query\":\"the fox\",\"boost\":3}}}}");

      assertThat(found.at("/hits/max_score").asDouble()).isEqualTo(score);
      assertThat(phrase.at("/hits/max_score").asDouble()).isEqualTo(3);
    } finally {
      node.ok("DELETE", "/only", "");
    }
  }

  @Test
  void aPointOnTheEdgeOfABoxIsInside() throws Exception {
    node.ok("PUT", "/edge", "{\"mappings\":{\"properties\":{\"g\":{\"type\":\"geo_point\"}}}}");
    try {
      // 47 and 6.736 are rounded to what is a little less
      node.ok("PUT", "/edge/_doc/1?refresh=true", "{\"g\":{\"lat\":47.0,\"lon\":6.736}}");
      for (String query :
          new String[] {
            "{\"geo_bounding_box\":{\"g\":{\"top\":50,\"left\":6.736,\"bottom\":47,\"right\":12}}}",
            "{\"geo_shape\":{\"g\":{\"shape\":{\"type\":\"envelope\",\"coordinates\":[[6.736,50],[12,47]]}}}}"
          }) {
        JsonNode found = node.ok("POST", "/edge/_search", "{\"query\":" + query + "}");
        assertThat(found.at("/hits/total/value").asInt()).as(query).isEqualTo(1);
      }
    } finally {
      node.ok("DELETE", "/edge", "");
    }
  }
}
