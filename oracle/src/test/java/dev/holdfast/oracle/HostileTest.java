package dev.holdfast.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.oracle.connection.ConnectionAttack;
import dev.holdfast.world.Json;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HostileTest {
  private static final String META_ANSWERS =
      "(200|400|429) .*(acknowledged|memory bears|circuit_breaking).*";

  @TempDir Path folder;

  @Test
  void thereAreTwoHundredKindsAndEachIsARequest() {
    Grammar grammar = new Grammar();
    grammar.read("hostile");
    grammar.verify(Set.of());
    assertThat(Hostile.kinds()).hasSizeGreaterThanOrEqualTo(200).doesNotHaveDuplicates();
    for (String kind : Hostile.kinds()) {
      OracleRequest request =
          OracleRequest.steps(grammar.draw(kind, Map.of(), new Random(1))).getFirst();
      assertThat(request.path()).as(kind).startsWith("/").doesNotContain(" ");
      assertThat(request.body()).as(kind).hasSizeLessThan(64 << 20);
    }
  }

  @Test
  void whatIsNestedClosesAsOftenAsItOpens() {
    StringBuilder drawn = new StringBuilder();
    TemplateParser.parse("<~3..3 [~<1..1>~]>").draw(_ -> null, new Random(1), drawn, 0);
    assertThat(drawn).hasToString("[[[1]]]");
  }

  /// Else most of what has many members would be refused for that, and nothing else tried.
  @Test
  void noMemberOfAnObjectComesTwice() throws Exception {
    StringBuilder drawn = new StringBuilder();
    TemplateParser.parse("{<*5000..5000 \"f<#>\": 1>}").draw(_ -> null, new Random(1), drawn, 0);

    assertThat(Json.parse(drawn.toString())).hasSize(5_000);
  }

  /// A request that is refused for its form tries nothing.
  @Test
  void eachReachesWhatItAttacks() throws Exception {
    Map<String, String> answers =
        Map.ofEntries(
            Map.entry("json_comment", "(400|429) .*(number of terms|circuit_breaking).*"),
            Map.entry("json_text", "(200|429) .*(\"a\":\\[\\{}|circuit_breaking).*"),
            Map.entry("exponent_range", "200 .*\"hits\".*"),
            Map.entry("exponent_document", "(201|400) .*(created|document_parsing).*"),
            Map.entry("redact_names", "(200|429) .*(text becomes more|circuit_breaking).*"),
            Map.entry("redact_parts", "(200|429) .*(<n> <n>|circuit_breaking).*"),
            Map.entry("template_text", "(200|429) .*(tttt|circuit_breaking).*"),
            Map.entry("async_bodies", "(200|429) .*(is_running|circuit_breaking).*"),
            Map.entry("scroll_bodies", "(200|429) .*(_scroll_id|circuit_breaking).*"),
            Map.entry("analyze_gram_buffer", "400 .*max_gram.*"),
            Map.entry("analyze_min_hash", "(200|400) .*(tokens|hash_count).*"),
            Map.entry("analyze_path_buffer", "200 .*tokens.*"),
            Map.entry("analyze_automaton", "(200|400) .*(tokens|states|effort).*"),
            Map.entry("pipeline_name", "200 .*acknowledged.*"),
            Map.entry("settings_loggers", "400 .*loggers.*"),
            Map.entry("range_histogram_offset", "(200|400) .*(buckets|offset|interval).*"),
            Map.entry("date_histogram_far", "(200|400) .*buckets.*"),
            Map.entry("auto_date_far", "(200|400) .*buckets.*"),
            Map.entry("variable_width_join", "200 .*buckets.*"),
            Map.entry("shape_cells", "(200|400) .*(buckets|cells).*"),
            Map.entry("composite_products", "(200|400|429) .*(buckets|circuit_breaking).*"),
            Map.entry("mapping_meta_objects", META_ANSWERS),
            Map.entry("template_meta_objects", META_ANSWERS),
            Map.entry("pipeline_meta_objects", META_ANSWERS));
    Grammar grammar = new Grammar();
    grammar.read("hostile");
    try (OracleTestNode node = OracleTestNode.start(folder);
        Server server = new Server(URI.create(node.url()), Duration.ofMinutes(1))) {
      new HostileData(URI.create(node.url()), 50).make();
      for (ConnectionAttack attack : ConnectionAttack.values()) {
        assertThat(attack.send(URI.create(node.url()), 3, Duration.ofMillis(50), new Random(1)))
            .as(attack.name())
            .startsWith("3 connections")
            .doesNotContain("HTTP/1.1 5");
        assertThat(server.send("GET", "/", "").status()).isEqualTo(200);
      }
      for (Map.Entry<String, String> kind : answers.entrySet()) {
        for (int seed = 0; seed < 2; seed++) {
          String drawn = grammar.draw("hostile." + kind.getKey(), Map.of(), new Random(seed));
          OracleAnswer answer = server.send(OracleRequest.steps(drawn).getFirst());

          assertThat(answer.status() + " " + answer.text())
              .as(kind.getKey())
              .matches("(?s)" + kind.getValue());
        }
      }
    }
  }

  @Test
  void whenTheNodeDiesNothingIsSentAnyMoreAndItSaysSo() throws Exception {
    StringWriter said = new StringWriter();
    OracleTestNode node = OracleTestNode.start(folder);
    AtomicInteger end = new AtomicInteger(-1);
    Thread run =
        Thread.ofPlatform()
            .start(() ->
                end.set(
                    Hostile.run(
                        new PrintWriter(said, true),
                        "--url=" + node.url(),
                        "--requests=1000000",
                        "--documents=200",
                        "--alone=1",
                        "--clients=2",
                        "--only=terms_all")));
    while (!said.toString().contains("others alone")) {
      Thread.sleep(50);
    }
    node.close();

    assertThat(run.join(Duration.ofSeconds(60))).as("it ended").isTrue();
    assertThat(end).hasValue(1);
    assertThat(said.toString())
        .contains("FAILED (the node died)", "ended when the node died: nothing was sent any more");
  }

  @Test
  void whatOthersWereRefusedForIsTold() {
    RequestTimes times = new RequestTimes();
    times.add("get", 1_000_000, NormalLoad.failure(answer(200, "{\"found\":true}")));
    times.add("write", 2_000_000, NormalLoad.failure(answer(200, "{\"errors\":true}")));
    times.add("search", 3_000_000, NormalLoad.failure(answer(200, "{\"timed_out\":true}")));
    times.add(
        "search",
        4_000_000,
        NormalLoad.failure(
            answer(
                429,
                "{\"error\":{\"type\":\"circuit_breaking_exception\",\"reason\":\"[parent] Data too"
                    + " large, data for [<search>] would be [9/9b]\"},\"status\":429}")));

    assertThat(times.failed()).isEqualTo(3);
    assertThat(times.details())
        .containsExactly(
            "get: 1 requests, p50 1.0 ms, p99 1.0 ms, longest 1.0 ms, failed 0",
            "search: 2 requests, p50 4.0 ms, p99 4.0 ms, longest 4.0 ms, failed 2",
            "write: 1 requests, p50 2.0 ms, p99 2.0 ms, longest 2.0 ms, failed 1",
            "failed 1 times: 429 circuit_breaking_exception [parent] Data too large, data for"
                + " [<search>",
            "failed 1 times: refused items",
            "failed 1 times: timed out");
  }

  private static OracleAnswer answer(int status, String json) {
    return new OracleAnswer(status, "application/json", json.getBytes(StandardCharsets.UTF_8));
  }

  /// A run against a real node.
  @Test
  void aNodeBearsSomeOfEach() throws Exception {
    StringWriter said = new StringWriter();
    try (OracleTestNode node = OracleTestNode.start(folder)) {
      int _ =
          Hostile.run(
              new PrintWriter(said, true),
              "--url=" + node.url(),
              "--requests=40",
              "--documents=500",
              "--alone=1",
              "--clients=2",
              "--only=_deep|_garbage|terms_all");
    }
    assertThat(said.toString())
        .contains("40 hostile requests", "others beside:")
        .doesNotContain("status 5", "the node died", "does not answer");
  }
}
