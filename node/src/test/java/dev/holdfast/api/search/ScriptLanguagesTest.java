package dev.holdfast.api.search;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.api.script.ScriptContexts;
import dev.holdfast.node.RunningNode;
import dev.holdfast.script.ScriptRules;
import dev.holdfast.script.runtime.RegexRule;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Expressions, functions of vectors and of processors, and scripts that sort in other ways.
final class ScriptLanguagesTest {
  @RegisterExtension static final RunningNode node = RunningNode.alone();

  @BeforeAll
  static void fill() throws Exception {
    JsonNode _ =
        node.ok(
            "PUT",
            "/mixed",
            """
            {"mappings": {"properties": {"n": {"type": "long"}, "u": {"type": "unsigned_long"}, "d": {"type": "date"},
              "k": {"type": "keyword"}, "g": {"type": "geo_point"}, "ver": {"type": "keyword"},
              "f": {"type": "dense_vector", "dims": 2},
              "stored": {"type": "dense_vector", "dims": 2, "index": false},
              "y": {"type": "dense_vector", "dims": 2, "element_type": "byte"},
              "bits": {"type": "dense_vector", "dims": 16, "element_type": "bit"},
              "o": {"type": "nested", "properties": {"p": {"type": "long"}, "q": {"type": "keyword"}}}}}}
            """);
    JsonNode _ =
        node.ok(
            "POST",
            "/mixed/_bulk?refresh=true",
            """
            {"index":{"_id":"1"}}
            {"n":[3,1,8],"u":18446744073709551615,"d":"2020-03-02T03:04:05Z","k":"a","g":"10,20","ver":"1.10.0","f":[3,4],"stored":[3,4],"y":[3,4],"bits":[3,1],"o":[{"p":1,"q":"z"},{"p":9,"q":"b"}]}
            {"index":{"_id":"2"}}
            {"n":5,"d":"2021-01-01","k":"b","ver":"1.9.0","f":[1,0],"stored":[1,0],"y":[1,0],"bits":[0,1],"o":[{"p":4,"q":"c"}]}
            """);
  }

  @Test
  void languagesAreThoseThatTheNodeAllows() {
    ScriptRules rules =
        new ScriptRules(Set.of("stored"), Set.of("score"), 1, Duration.ZERO, RegexRule.LIMITED);

    assertThat(ScriptContexts.languages(rules).toString())
        .isEqualTo(
            "{\"types_allowed\":[\"stored\"],\"language_contexts\":["
                + "{\"language\":\"expression\",\"contexts\":[\"score\"]},"
                + "{\"language\":\"mustache\",\"contexts\":[\"template\"]},"
                + "{\"language\":\"painless\",\"contexts\":[\"score\"]}]}");
    assertThat(ScriptContexts.languages(ScriptRules.defaults()).path("types_allowed").toString())
        .isEqualTo("[\"inline\",\"stored\"]");
  }

  private static JsonNode search(String body) throws Exception {
    return node.ok("POST", "/mixed/_search", body);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '@',
      quoteCharacter = '`',
      textBlock =
          """
          1 + 2 * 3 - -4 @ 11.0
          (1 + 2) * 3 % 4 @ 1.0
          doc['n'].value @ 1.0
          doc["n"].max() + doc['n'].min() + doc['n'].count() @ 12.0
          doc['n'].sum() / doc['n'].avg() @ 3.0
          doc['n'].median() @ 3.0
          doc['u'].value / 2 @ 9.223372036854776E18
          doc['n'].empty ? 1 : 2 @ 2.0
          doc['d'].date.year + doc['d'].date.monthOfYear @ 2023.0
          doc['d'].getMonth() @ 2.0
          round @ 7.0
          min(3, max(1, 2)) + pow(2, 3) + sqrt(16) @ 14.0
          ln(exp(2)) + abs(-1) + floor(1.5) + ceil(1.5) @ 6.0
          1 < 2 && !(3 >= 4) || 0 @ 1.0
          5 & 3 | 8 ^ 1 @ 9.0
          1 << 4 >> 1 @ 8.0
          0x10 + .5e1 @ 21.0
          floor(doc['g'].lat + doc['g'].lon + 0.001) @ 30.0
          haversin(0, 0, 0, 0) @ 0.0
          """)
  void expressionsAreArithmetic(String expression, String expected) throws Exception {
    String source = expression.replace("\"", "\\\"");
    JsonNode answer =
        search(
            "{\"query\":{\"term\":{\"k\":\"a\"}},\"script_fields\":{\"x\":{\"script\":{\"lang\":\"expression\","
                + "\"params\":{\"round\":7},\"source\":\""
                + source
                + "\"}}}}");
    assertThat(answer.at("/hits/hits/0/fields/x/0").asText()).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          1 +             | unexpected end
          nope            | Unknown variable [nope]
          frob(1)         | Unrecognized function call (frob).
          max(1)          | Expected (2) arguments for function call (max), but found (1).
          doc['k'].value  | must be numeric, date, or geopoint
          doc['n'].year   | does not exist for field [n]
          1; 2            | unexpected token [;]
          new String()    | Unknown variable [new]
          """)
  void whatIsNoExpressionIsSaid(String expression, String reason) throws Exception {
    HttpResponse<String> answer =
        node.call(
            "POST",
            "/mixed/_search",
            "{\"script_fields\":{\"x\":{\"script\":{\"lang\":\"expression\",\"source\":\""
                + expression
                + "\"}}}}");
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
    assertThat(answer.body()).contains(reason);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          dotProduct(params.q, 'f')                  | 11.0
          cosineSimilarity(params.q, 'f') + 1.0      | 1.9838699
          1 / (1 + l1norm(params.q, 'stored'))       | 0.2
          l2norm(params.q, 'stored')                 | 2.828427
          dotProduct(params.q, 'y')                  | 11.0
          hamming(params.q, 'y')                     | 3.0
          hamming('0301', 'bits')                    | 0.0
          l1norm('0001', 'bits')                     | 2.0
          doc['f'].vectorValue[1] + doc['f'].magnitude | 9.0
          doc['f'].size()                            | 1.0
          saturation(doc['n'].value, 1)              | 0.5
          sigmoid(doc['n'].value, 1, 2)              | 0.5
          decayNumericLinear(1, 5, 0, 0.5, doc['n'].value) | 1.0
          decayGeoGauss('10,20', '1km', '0', 0.5, doc['g'].value) | 1.0
          decayDateExp('2020-03-02T03:04:05Z', '1d', '0', 0.5, doc['d'].value) | 1.0
          """)
  void scoresKnowVectorsAndDecay(String script, String expected) throws Exception {
    JsonNode answer =
        search(
            "{\"query\":{\"script_score\":{\"query\":{\"term\":{\"k\":\"a\"}},\"script\":{\"source\":\""
                + script
                + "\",\"params\":{\"q\":[1,2]}}}}}");
    assertThat(answer.at("/hits/hits/0/_score").asText()).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          painless_test   | 1 + 1                                  | "2"
          filter          | doc['n'].value > 2                     | false
          filter          | doc['n'].size() == 2                   | true
          score           | _score * doc['n'].max()                | 6.0
          boolean_field   | emit(doc['n'].size() > 1)              | [true]
          long_field      | for (n in doc['n']) emit(n * 2)        | [2,6]
          double_field    | emit(doc['n'].value / 2.0)             | [0.5]
          date_field      | emit(doc['d'].value.toInstant().toEpochMilli()) | ["2020-01-01T00:00:00.000Z"]
          keyword_field   | emit('b'); emit('a')                   | ["a","b"]
          ip_field        | emit('::1')                            | ["::1"]
          geo_point_field | emit(0.0, 90.0)                        | [{"coordinates":[90.0,0.0],"type":"Point"}]
          composite_field | emit('x', 1); emit('y', params._source.k) | {"composite_field.x":[1],"composite_field.y":["new"]}
          """)
  void scriptsAreTriedOnDocuments(String context, String script, String expected) throws Exception {
    String document = "{\"n\":[1,3],\"d\":\"2020-01-01\",\"k\":\"new\"}";
    String query = "{\"constant_score\":{\"filter\":{\"term\":{\"k\":\"new\"}},\"boost\":2}}";
    String setup =
        ",\"context_setup\":{\"index\":\"mixed\",\"document\":%s,\"query\":%s}"
            .formatted(document, query);
    JsonNode answer =
        node.ok(
            "POST",
            "/_scripts/painless/_execute",
            "{\"script\":{\"source\":\""
                + script.replace("doc['n'].max()", "doc['n'][1]")
                + "\"},\"context\":\""
                + context
                + "\""
                + (context.equals("painless_test") ? "" : setup)
                + "}");
    assertThat(answer.path("result").toString()).isEqualTo(expected);
  }

  @Test
  void aTrialNeedsADocumentThatFits() throws Exception {
    String body = "{\"script\":\"1 > 0\",\"context\":\"filter\"%s}";
    assertThat(node.call("POST", "/_scripts/painless/_execute", body.formatted("")).statusCode())
        .isEqualTo(400);
    String setup = ",\"context_setup\":{\"index\":\"%s\",\"document\":%s}";
    assertThat(
            node.call(
                    "POST",
                    "/_scripts/painless/_execute",
                    body.formatted(setup.formatted("mixed", "{\"n\":\"no number\"}")))
                .statusCode())
        .isEqualTo(400);
    assertThat(
            node.call(
                    "POST",
                    "/_scripts/painless/_execute",
                    body.formatted(setup.formatted("nowhere", "{}")))
                .statusCode())
        .isEqualTo(404);
  }

  @Test
  void vectorsOfOtherLengthsAreRefused() throws Exception {
    HttpResponse<String> answer =
        node.call(
            "POST",
            "/mixed/_search",
            "{\"query\":{\"script_score\":{\"query\":{\"match_all\":{}},\"script\":"
                + "\"dotProduct([1.0], 'f')\"}}}");
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.body())
        .contains(
            "The query vector has a different number of dimensions [1] than the document vectors"
                + " [2].");
  }

  private static List<String> ids(String sort) throws Exception {
    List<String> ids = new ArrayList<>();
    search("{\"sort\":[" + sort + "]}")
        .at("/hits/hits")
        .forEach(hit -> ids.add(hit.path("_id").asText()));
    return ids;
  }

  @Test
  void scriptsSortByVersionAndInNestedObjects() throws Exception {
    String version = "{\"_script\":{\"type\":\"%s\",\"script\":\"doc['ver'].value\"}}";
    assertThat(ids(version.formatted("string"))).containsExactly("1", "2");
    assertThat(ids(version.formatted("version"))).containsExactly("2", "1");
    String nested =
        "{\"_script\":{\"type\":\"%s\",\"script\":\"%s\",\"mode\":\"%s\",\"order\":\"asc\",\"nested\":{\"path\":\"o\"}}}";
    assertThat(ids(nested.formatted("number", "doc['o.p'].value * 2", "min")))
        .containsExactly("1", "2");
    assertThat(ids(nested.formatted("number", "doc['o.p'].value * 2", "max")))
        .containsExactly("2", "1");
    assertThat(ids(nested.formatted("string", "doc['o.q'].value + '!'", "min")))
        .containsExactly("1", "2");
  }

  @Test
  void scriptsFilterIntervalsAndTokensAndScoreTerms() throws Exception {
    JsonNode _ =
        node.ok(
            "PUT",
            "/words",
            """
            {"settings": {"number_of_shards": 1,
               "similarity": {"mine": {"type": "scripted",
                 "weight_script": {"source": "query.boost * 10 * field.docCount"},
                 "script": {"source": "weight + doc.freq + term.docFreq * 0.125 + doc.length * 1000"}}},
               "analysis": {"analyzer": {"kept": {"tokenizer": "whitespace", "filter": ["long", "some"]}},
                 "filter": {"long": {"type": "predicate_token_filter", "script": {"source": "token.term.length() > Integer.parseInt(params.n)", "params": {"n": 2}}},
                   "some": {"type": "condition", "filter": ["lowercase"], "script": {"source": "token.position > 0"}}}}},
             "mappings": {"properties": {"t": {"type": "text", "similarity": "mine"},
               "kept": {"type": "text", "analyzer": "kept"}}}}
            """);
    JsonNode _ = node.ok("PUT", "/words/_doc/1", "{\"t\":\"a b c a\",\"kept\":\"ABC x DEF\"}");
    JsonNode _ = node.ok("PUT", "/words/_doc/2?refresh=true", "{\"t\":\"b a\"}");
    JsonNode scored = node.ok("POST", "/words/_search", "{\"query\":{\"match\":{\"t\":\"a\"}}}");
    assertThat(scored.at("/hits/hits/0/_score").asDouble()).isEqualTo(4022.25);
    assertThat(scored.at("/hits/hits/1/_score").asDouble()).isEqualTo(2021.25);
    String intervals =
        "{\"query\":{\"intervals\":{\"t\":{\"match\":{\"query\":\"a\",\"filter\":{\"script\":{\"source\":\"interval.start"
            + " == params.at && interval.gaps == 0\",\"params\":{\"at\":%d}}}}}}}}";
    assertThat(
            node.ok("POST", "/words/_search", intervals.formatted(3))
                .at("/hits/hits/0/_id")
                .asText())
        .isEqualTo("1");
    assertThat(
            node.ok("POST", "/words/_search", intervals.formatted(1))
                .at("/hits/hits/0/_id")
                .asText())
        .isEqualTo("2");
    JsonNode tokens =
        node.ok("POST", "/words/_analyze", "{\"analyzer\":\"kept\",\"text\":\"ABC x DEF\"}");
    assertThat(tokens.at("/tokens/0/token").asText()).isEqualTo("ABC");
    assertThat(tokens.at("/tokens/1/token").asText()).isEqualTo("def");
    assertThat(tokens.at("/tokens")).hasSize(2);
    JsonNode inline =
        node.ok(
            "POST",
            "/_analyze",
            "{\"tokenizer\":\"whitespace\",\"text\":\"A"
                + " B\",\"filter\":[{\"type\":\"condition\",\"filter\":[\"lowercase\"],\"script\":{\"source\":\"token.position"
                + " > 0\"}}]}");
    assertThat(inline.at("/tokens/0/token").asText()).isEqualTo("A");
    assertThat(inline.at("/tokens/1/token").asText()).isEqualTo("b");
    HttpResponse<String> wrong =
        node.call(
            "POST",
            "/_analyze",
            "{\"tokenizer\":\"whitespace\",\"filter\":[{\"type\":\"predicate_token_filter\",\"script\":{\"source\":\"token.nope\"}}],\"text\":\"a\"}");
    assertThat(wrong.statusCode()).isEqualTo(400);
    assertThat(wrong.body()).contains("script_exception");
  }

  @Test
  void pipelinesCallProcessors() throws Exception {
    JsonNode answer =
        node.ok(
            "POST",
            "/_ingest/pipeline/_simulate",
            """
            {"pipeline": {"processors": [{"script": {"source":
              "ctx.b = Processors.bytes(ctx.size); ctx.l = Processors.lowercase('AbC'); ctx.u = Processors.uppercase('AbC'); ctx.j = Processors.json('{\\"a\\":[1]}'); ctx.d = Processors.urlDecode('a%20b'); ctx.p = Processors.uriParts('http://me@x.org:80/a.txt?q=1').domain; Processors.json(ctx, 'text')"}}]},
             "docs": [{"_source": {"size": "2kb", "text": "{\\"more\\":true}"}}]}
            """);
    JsonNode source = answer.at("/docs/0/doc/_source");
    assertThat(source.path("b").asInt()).isEqualTo(2048);
    assertThat(source.path("l").asText()).isEqualTo("abc");
    assertThat(source.path("u").asText()).isEqualTo("ABC");
    assertThat(source.at("/j/a/0").asInt()).isEqualTo(1);
    assertThat(source.path("d").asText()).isEqualTo("a b");
    assertThat(source.path("p").asText()).isEqualTo("x.org");
    assertThat(source.path("more").asBoolean()).isTrue();
  }
}
