package dev.holdfast.query.clause.term;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.query.SearchTestIndex;
import dev.holdfast.query.suggest.Suggester;
import dev.holdfast.world.Json;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A field of type `alias` is found by whatever finds the field that it stands for.
final class AliasedFieldsTest {
  private static final String PROPERTIES =
      """
      {"word":{"type":"keyword"},"text":{"type":"text"},"place":{"type":"geo_point"},\
      "shape":{"type":"geo_shape"},"date":{"type":"date"},\
      "vector":{"type":"dense_vector","dims":2,"similarity":"l2_norm"},\
      "rank":{"type":"rank_feature"},"sparse":{"type":"sparse_vector"},\
      "wild":{"type":"wildcard"},\
      "a":{"properties":{"word":{"type":"alias","path":"word"},\
      "text":{"type":"alias","path":"text"},\
      "place":{"type":"alias","path":"place"},"shape":{"type":"alias","path":"shape"},\
      "date":{"type":"alias","path":"date"},"vector":{"type":"alias","path":"vector"},\
      "rank":{"type":"alias","path":"rank"},"sparse":{"type":"alias","path":"sparse"},\
      "wild":{"type":"alias","path":"wild"}}}}\
      """;

  private static final String FIRST =
      """
      {"word":"apple","text":"a quick fox","place":"1,1","shape":"POINT(1 1)","date":"2020-01-01",\
      "vector":[1,1],"rank":3,"sparse":{"token":2},"wild":"apple"}\
      """;

  private static final String SECOND =
      """
      {"word":"pear","text":"lazy dogs","place":"40,40","shape":"POINT(40 40)",\
      "wild":"pear"}\
      """;

  private static SearchTestIndex filled() throws IOException {
    return new SearchTestIndex(PROPERTIES).add("1", FIRST, "2", SECOND);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'prefix':{'@word':'app'}}",
        "{'prefix':{'@word':{'value':'APP','case_insensitive':true}}}",
        "{'prefix':{'@text':'qui'}}",
        "{'term':{'@word':{'value':'APPLE','case_insensitive':true}}}",
        "{'wildcard':{'@word':'a*e'}}",
        "{'wildcard':{'@word':{'value':'A*E','case_insensitive':true}}}",
        "{'wildcard':{'@wild':'a*e'}}",
        "{'prefix':{'@wild':'app'}}",
        "{'regexp':{'@word':'a.*e'}}",
        "{'fuzzy':{'@word':'aple'}}",
        "{'span_term':{'@text':'quick'}}",
        "{'span_near':{'clauses':[{'span_term':{'@text':'quick'}},{'span_term':{'text':'fox'}}]}}",
        "{'span_multi':{'match':{'prefix':{'@text':'qui'}}}}",
        "{'field_masking_span':{'query':{'span_term':{'text':'quick'}},'field':'@word'}}",
        "{'intervals':{'@text':{'match':{'query':'quick fox'}}}}",
        "{'intervals':{'text':{'match':{'query':'quick','use_field':'@text'}}}}",
        "{'query_string':{'query':'@text:quick'}}",
        "{'query_string':{'query':'qui*','fields':['@text']}}",
        "{'query_string':{'query':'@word:/a.*e/'}}",
        "{'simple_query_string':{'query':'quick','fields':['@text']}}",
        "{'simple_query_string':{'query':'qui*','fields':['@text']}}",
        "{'multi_match':{'query':'quick','fields':['@text']}}",
        "{'multi_match':{'query':'quick','fields':['@text','@word'],'type':'cross_fields'}}",
        "{'combined_fields':{'query':'quick','fields':['@text']}}",
        "{'more_like_this':{'fields':['@text'],'like':'quick','min_term_freq':1,'min_doc_freq':1}}",
        "{'geo_distance':{'distance':'10km','@place':'1,1'}}",
        "{'geo_distance':{'distance':'10km','@shape':'1,1'}}",
        "{'geo_bounding_box':{'@place':{'top_left':'2,0','bottom_right':'0,2'}}}",
        "{'geo_bounding_box':{'@shape':{'top_left':'2,0','bottom_right':'0,2'}}}",
        "{'geo_shape':{'@place':{'shape':'POLYGON((0 0,2 0,2 2,0 2,0 0))'}}}",
        "{'geo_shape':{'@shape':{'shape':'POLYGON((0 0,2 0,2 2,0 2,0 0))'}}}",
        "{'geo_polygon':{'@place':{'points':['0,0','0,2','2,2','2,0']}}}",
        "{'knn':{'field':'@vector','query_vector':[1,1],'k':1}}",
        "{'sparse_vector':{'field':'@sparse','query_vector':{'token':1}}}",
        "{'rank_feature':{'field':'@rank'}}",
        "{'distance_feature':{'field':'@date','origin':'2020-01-01','pivot':'1d'}}",
      })
  void queriesFindTheSameByEitherName(String query) throws IOException {
    String json = query.replace('\'', '"');
    try (SearchTestIndex index = filled()) {
      assertThat(index.matching(json.replace("@", ""))).isEqualTo("1");
      assertThat(index.matching(json.replace("@", "a."))).isEqualTo("1");
      String body = "{\"query\":" + json + "}";
      assertThat(index.hits(body.replace("@", "a.")).getFirst().score())
          .isEqualTo(index.hits(body.replace("@", "")).getFirst().score());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'gauss':{'@place':{'origin':'1,1','scale':'10km'}}}",
        "{'random_score':{'seed':5,'field':'@word'}}",
      })
  void functionsGiveTheSameByEitherName(String function) throws IOException {
    JsonNode json = Json.parse(function.replace('\'', '"'));
    String body =
        "{\"query\":{\"function_score\":{\"functions\":["
            + json
            + "],\"boost_mode\":\"replace\"}},"
            + "\"sort\":[\"_doc\"],\"track_scores\":true}";
    try (SearchTestIndex index = filled()) {
      for (int i = 0; i < 2; i++) {
        assertThat(index.hits(body.replace("@", "a.")).get(i).score())
            .isEqualTo(index.hits(body.replace("@", "")).get(i).score());
      }
    }
  }

  @Test
  void aFieldThatIsNamedTwiceCountsOnce() throws IOException {
    String body = "{\"query\":{\"multi_match\":{\"query\":\"quick\",\"fields\":@}}}";
    try (SearchTestIndex index = filled()) {
      assertThat(index.hits(body.replace("@", "[\"text\",\"a.text^3\"]")).getFirst().score())
          .isEqualTo(index.hits(body.replace("@", "[\"text^3\"]")).getFirst().score());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'text':'quack','term':{'field':'@text'}}",
        "{'text':'quack','phrase':{'field':'@text','confidence':0,"
            + "'direct_generator':[{'field':'@text'}]}}",
      })
  void suggestionsAreTheSameByEitherName(String suggester) throws IOException {
    String body = "{\"size\":0,\"suggest\":{\"s\":" + suggester.replace('\'', '"') + "}}";
    try (SearchTestIndex index = filled()) {
      assertThat(suggested(index, body.replace("@", ""))).isNotEmpty();
      assertThat(suggested(index, body.replace("@", "a.")))
          .isEqualTo(suggested(index, body.replace("@", "")));
    }
  }

  private static List<String> suggested(SearchTestIndex index, String body) throws IOException {
    return index.run(body).suggestions().values().iterator().next().getFirst().options().stream()
        .map(Suggester.Option::text)
        .toList();
  }
}
