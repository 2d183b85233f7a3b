package dev.holdfast.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.oracle.dialect.ScriptDialect;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The commands' parts, and the commands against a node in this process.
final class OracleTest {
  @TempDir java.nio.file.Path folder;

  @Test
  void everyFeatureDrawsReadableRequests() {
    Features features = new Features();
    for (String feature : features.names()) {
      for (int i = 0; i < 20; i++) {
        List<OracleRequest> steps = OracleRequest.steps(features.draw(feature, 1, i));
        assertThat(steps).as(feature).isNotEmpty();
        assertThat(features.draw(feature, 1, i)).isEqualTo(features.draw(feature, 1, i));
        for (OracleRequest step : steps) {
          assertThat(step.path()).as(feature).startsWith("/").doesNotContain(" ");
        }
      }
    }
  }

  @Test
  void templatesChooseRepeatAndCount() {
    Template template = TemplateParser.parse("<a|b><?c> <*2..2 x> <0.50..0.50> <7..7>&lt;<it>");
    for (int seed = 0; seed < 50; seed++) {
      StringBuilder text = new StringBuilder();
      template.draw(_ -> new Template.Literal("!"), new Random(seed), text, 0);
      assertThat(text.toString()).matches("[ab]c? x, x 0\\.50 7<!");
    }
  }

  @Test
  void scoresMayDifferALittleAndTotalsNotAtAll() {
    String theirs = "{\"took\":1,\"hits\":{\"total\":{\"value\":3},\"max_score\":1.0000001}}";
    String same = "{\"took\":9,\"hits\":{\"total\":{\"value\":3},\"max_score\":1.0}}";
    String other = "{\"took\":9,\"hits\":{\"total\":{\"value\":4},\"max_score\":1.1}}";

    assertThat(Comparison.of(answer(200, same), answer(200, theirs))).isEmpty();
    assertThat(Comparison.of(answer(200, other), answer(200, theirs)))
        .extracting(Difference::kind)
        .containsExactly(Difference.Kind.TOTAL, Difference.Kind.SCORE);
    assertThat(Comparison.of(answer(400, "{\"error\":{\"type\":\"a\"}}"), answer(200, theirs)))
        .extracting(Difference::kind)
        .containsExactly(Difference.Kind.STATUS);
  }

  @Test
  void refusalsMustHaveElasticsearchsShape() {
    OracleRequest request = OracleRequest.steps("GET /a").getFirst();
    assertThat(AnswerInvariants.broken(request, answer(500, "{}"))).contains("status 500");
    assertThat(AnswerInvariants.broken(request, answer(400, "{\"message\":\"no\"}"))).isPresent();
    String shaped =
        "{\"error\":{\"type\":\"a\",\"reason\":\"b\",\"root_cause\":[]},\"status\":400}";
    assertThat(AnswerInvariants.broken(request, answer(400, shaped))).isEmpty();
    assertThat(
            AnswerInvariants.broken(
                request, answer(400, shaped.replace("\"a\"", "\"null_pointer_exception\""))))
        .contains("error type null_pointer_exception");
    String ofScript =
        "{\"error\":{\"type\":\"script_exception\",\"reason\":\"b\",\"root_cause\":[],\"caused_by\":"
            + "{\"type\":\"null_pointer_exception\",\"reason\":\"c\"}},\"status\":400}";
    assertThat(AnswerInvariants.broken(request, answer(400, ofScript))).isEmpty();
    String byQuery = "{\"version_conflicts\":0,\"failures\":[{\"status\":400}]}";
    assertThat(AnswerInvariants.broken(request, answer(400, byQuery))).isEmpty();
    assertThat(AnswerInvariants.broken(request, answer(400, "{\"version_conflicts\":0}")))
        .isPresent();
  }

  @Test
  void scriptsAreSaidToOpenSearchInItsWords() {
    assertThat(
            ScriptDialect.ofOpenSearch(
                "{\"runtime_mappings\": {}, \"s\": \"field('n').get(2) + $('m', 3) +"
                    + " field('t').get(1, 'x')\", \"e\": {\"lang\": \"expression\", \"source\":"
                    + " \"sqrt(doc['n'].value)\"}}"))
        .isEqualTo(
            "{\"derived\": {}, \"s\": \"(doc['n'].size() == 0 ? (def) 2 : doc['n'].value) +"
                + " (doc['m'].size() == 0 ? (def) 3 : doc['m'].value) +"
                + " (doc['t'].size() <= 1 ? (def) 'x' : doc['t'].get(1))\","
                + " \"e\": {\"source\": \"Math.sqrt((doc['n'].size() == 0 ? 0.0 :"
                + " (double) doc['n'].value))\"}}");
  }

  @Test
  void acceptedDifferencesHaveReasons() throws Exception {
    Accepted accepted = new Accepted("reason: because\n^a\\.b .* => score\n");
    OracleRequest request = OracleRequest.steps("GET /x").getFirst();
    Difference score = new Difference(Difference.Kind.SCORE, "1 != 2");
    assertThat(accepted.reason("a.b", List.of(), request, score, "es")).contains("because");
    assertThat(accepted.reason("a.c", List.of(), request, score, "es")).isEmpty();
    assertThat(Accepted.fromResource()).isNotNull();
  }

  @Test
  void setsAreTheSameInAnyOrderAndListsAreNot() {
    String one =
        "{\"hits\":{\"hits\":[{\"_id\":\"1\",\"matched_queries\":[\"a\",\"b\"],\"l\":[1,2]}]}}";
    String two = one.replace("[\"a\",\"b\"]", "[\"b\",\"a\"]");
    String three = one.replace("[1,2]", "[2,1]");
    assertThat(Comparison.of(answer(200, one), answer(200, two))).isEmpty();
    assertThat(Comparison.of(answer(200, one), answer(200, three))).hasSize(2);

    String vectors = "{\"docs\":[{\"_id\":\"1\",\"term_vectors\":{}},{\"_id\":\"2\"}]}";
    String turned = "{\"docs\":[{\"_id\":\"2\"},{\"_id\":\"1\",\"term_vectors\":{}}]}";
    assertThat(Comparison.of(answer(200, vectors), answer(200, turned))).isEmpty();
  }

  @Test
  void aServerThatNeverAnswersIsNoException() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Server server =
            new Server(
                URI.create("http://127.0.0.1:" + silent.getLocalPort()), Duration.ofMillis(200))) {
      OracleAnswer answer = OracleAnswer.of(server, OracleRequest.steps("GET /a").getFirst());
      assertThat(answer.status()).isZero();
      assertThat(answer.text()).contains("SocketTimeoutException");
    }
  }

  @Test
  void whatRequestsLeaveIsRemoved() throws Exception {
    try (OracleTestNode node = OracleTestNode.start(folder);
        Server server = new Server(URI.create(node.url()), Duration.ofSeconds(20))) {
      ServerCleanup leftovers = new ServerCleanup(Set.of("oracle-few"), 1);
      server.send("PUT", "/oracle-few/_doc/1", "{\"a\": 1}");
      server.send("PUT", "/oracle-few/_doc/x1?routing=r", "{\"a\": 1}");
      server.send("PUT", "/oracle-few/_alias/oracle-b", "");
      server.send("PUT", "/oracle-stray", "{\"settings\": {\"blocks.read_only\": true}}");
      server.send("PUT", "/oracle-few/_settings", "{\"blocks.write\": true}");

      assertThat(leftovers.clear(server, OracleRequest.steps("PUT /oracle-stray"))).isEmpty();

      assertThat(server.send("HEAD", "/oracle-stray", "").status()).isEqualTo(404);
      assertThat(server.send("HEAD", "/oracle-few/_alias/oracle-b", "").status()).isEqualTo(404);
      assertThat(server.send("GET", "/oracle-few/_count", "").json().path("count").asInt())
          .isEqualTo(1);
      assertThat(server.send("PUT", "/oracle-few/_doc/1", "{\"a\": 2}").status()).isEqualTo(200);
    }
  }

  @Test
  void aNodeAgreesWithItselfAndStandsBrokenRequests() throws Exception {
    try (OracleTestNode node = OracleTestNode.start(folder)) {
      StringWriter told = new StringWriter();
      int same =
          Oracle.run(
              new PrintWriter(told),
              "--url",
              node.url(),
              "--peer",
              node.url(),
              "--requests",
              "1",
              "--only",
              "^(query|aggregation)\\.[a-e]");
      assertThat(same).as(told.toString()).isZero();
      assertThat(told.toString()).contains("query.bool").contains("aggregation.avg");

      StringWriter swept = new StringWriter();
      int alike =
          Sweep.run(
              new PrintWriter(swept),
              "--url",
              node.url(),
              "--peer",
              node.url(),
              "--keep",
              "--requests",
              "1",
              "--only",
              "^query\\.term$");
      assertThat(alike).as(swept.toString()).isZero();
      assertThat(swept.toString()).containsPattern("[1-9]\\d* requests, 0 with another status");

      StringWriter fuzzed = new StringWriter();
      int stood =
          Fuzz.run(
              new PrintWriter(fuzzed),
              "--url",
              node.url(),
              "--keep",
              "--requests",
              "150",
              "--clients",
              "2");
      assertThat(stood).as(fuzzed.toString()).isZero();
      assertThat(fuzzed.toString()).contains("150 broken requests");
    }
  }

  @Test
  void mutationsAreTheSameForTheSameSeed() {
    OracleRequest request =
        OracleRequest.steps(
                "{\"query\": {\"term\": {\"a\": [1, \"x\"]}}, \"script\": \"doc['a'].value + 1\"}")
            .getFirst();
    for (Map.Entry<String, Mutation> mutation : Mutations.ALL.entrySet()) {
      for (int seed = 0; seed < 30; seed++) {
        OracleRequest one = mutation.getValue().apply(request, new Random(seed));
        OracleRequest two = mutation.getValue().apply(request, new Random(seed));
        assertThat(one).as(mutation.getKey()).isEqualTo(two);
      }
    }
  }

  @Test
  void everyMemberIsChangedAndPutBack() throws Exception {
    JsonNode body = OracleAnswer.JSON.readTree("{\"a\":{\"b\":[1]}}");

    List<MemberMutations.Mutation> all = MemberMutations.of(body);

    assertThat(all)
        .contains(
            new MemberMutations.Mutation(
                "unknown member", "/a", "{\"a\":{\"b\":[1],\"banana\":1}}"),
            new MemberMutations.Mutation("as text", "/a/b/*", "{\"a\":{\"b\":[\"1\"]}}"),
            new MemberMutations.Mutation("null", "/a/b", "{\"a\":{\"b\":null}}"));
    assertThat(body).hasToString("{\"a\":{\"b\":[1]}}");
  }

  @Test
  void significantTermsOfOneScoreHaveNoOrder() {
    String bucket = "{\"key\":\"%s\",\"doc_count\":%d,\"score\":%s,\"bg_count\":4}";
    String a = bucket.formatted("a", 2, "1.5");
    String b = bucket.formatted("b", 3, "0.5");
    String c = bucket.formatted("c", 4, "0.5");
    String other = bucket.formatted("a", 9, "1.5");
    String answer = "{\"aggregations\":{\"s\":{\"buckets\":[%s,%s]}}}";

    assertThat(
            Comparison.of(answer(200, answer.formatted(a, b)), answer(200, answer.formatted(a, c))))
        .isEmpty();
    assertThat(
            Comparison.of(
                answer(200, answer.formatted(a, b)), answer(200, answer.formatted(other, b))))
        .hasSize(1);
  }

  private static OracleAnswer answer(int status, String json) {
    return new OracleAnswer(status, "application/json", json.getBytes(StandardCharsets.UTF_8));
  }
}
