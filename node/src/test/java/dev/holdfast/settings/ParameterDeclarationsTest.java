package dev.holdfast.settings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.http.ApiRequest;
import dev.holdfast.http.HeaderValues;
import dev.holdfast.http.IdleParameters;
import dev.holdfast.http.ParameterKind;
import dev.holdfast.http.ParameterKinds;
import dev.holdfast.http.RequestBody;
import dev.holdfast.http.RequestParameters;
import dev.holdfast.http.Routes;
import dev.holdfast.http.Verb;
import dev.holdfast.node.NodeFixture;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Query parameters are read, refused, or answered with a warning: none is taken in silence.
final class ParameterDeclarationsTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  private static NodeFixture node;

  @BeforeAll
  static void start(@TempDir Path folder) throws Exception {
    node = new NodeFixture(folder);
    prepare();
    prepareOnce();
  }

  private static void prepareOnce() throws Exception {
    node.call(
        "PUT", "/_synonyms/words", "{\"synonyms_set\":[{\"id\":\"a\",\"synonyms\":\"a, b\"}]}");
    node.call("PUT", "/_index_template/shelf", "{\"index_patterns\":[\"t-*\"]}");
    node.call("PUT", "/_component_template/shelf", "{\"template\":{}}");
    node.call("PUT", "/_template/shelf", "{\"index_patterns\":[\"v-*\"]}");
    node.call(
        "PUT",
        "/_index_template/streams",
        "{\"index_patterns\":[\"stream-*\"],\"data_stream\":{}}");
    node.call("PUT", "/_snapshot/kept", ParameterExamples.REPOSITORY);
    node.call("PUT", "/_snapshot/kept/kept-1?wait_for_completion=true", "");
    node.call("PUT", "/_data_stream/stream-1", "");
    node.call("PUT", "/_ingest/pipeline/1", "{\"processors\":[]}");
    prepare();
    node.call(
        "PUT",
        "/_enrich/policy/shelf",
        "{\"match\":{\"indices\":\"books-1\",\"match_field\":\"title\",\"enrich_fields\":\"place\"}}");
  }

  private static void prepare() throws Exception {
    node.call("DELETE", "/books-1,books-000002,books-2,copy,fresh*?ignore_unavailable=true", "");
    node.call(
        "PUT",
        "/books-1",
        "{\"settings\":{\"index.blocks.write\":false},\"mappings\":{\"properties\":{\"title\":{\"type\":\"keyword\"},\"place\":{\"type\":\"geo_point\"}}},"
            + "\"aliases\":{\"shelf\":{\"is_write_index\":true}}}");
    node.call("PUT", "/books-1/_doc/1?refresh=true", "{\"title\":\"x\",\"place\":[1,2]}");
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  @Test
  void theTableForPeopleIsCurrent() throws Exception {
    String table = ParametersDocument.markdown(node.routes().lines(), specified());
    Path file = ROOT.resolve("docs/parameters.md");
    if (System.getenv("HOLDFAST_WRITE_DOCS") != null) {
      Files.writeString(file, table);
    }

    assertThat(Files.readString(file))
        .as("write it anew: run this test with HOLDFAST_WRITE_DOCS=1 in the environment")
        .isEqualTo(table);
  }

  @Test
  void eachIsDeclared() {
    SortedSet<String> unknown = new TreeSet<>();
    for (Routes.Line line : node.routes().lines()) {
      for (String name : line.route().parameters()) {
        if (ParameterKinds.of(line.route().segments(), name) == null) {
          unknown.add(name);
        }
      }
    }

    assertThat(unknown).isEmpty();
  }

  @Test
  void eachIsReadOrSaysWhyNot() throws Exception {
    SortedSet<String> silent = new TreeSet<>();
    for (Routes.Line line : node.routes().lines()) {
      for (String name : line.route().parameters()) {
        boolean isIdle = !IdleParameters.why(line.verb(), line.route().segments(), name).isEmpty();
        if (!isIdle && !ParameterExamples.isOnOccasion(line, name) && !isRead(line, name)) {
          silent.add("SILENT " + line.verb() + " " + line.path() + " " + name);
        }
      }
      if (ParameterExamples.isRough(line)) {
        prepare();
      }
    }

    assertThat(String.join("\n", silent)).isEmpty();
  }

  private static boolean isRead(Routes.Line line, String name) throws Exception {
    boolean isRough = ParameterExamples.isRough(line);
    if (isRough) {
      prepare();
      if (line.path().contains("_shrink")) {
        node.call("DELETE", "/books-1", "");
        node.call("PUT", "/books-1", "{\"settings\":{\"index.number_of_shards\":2}}");
      }
      if (line.path().contains("_clone")
          || line.path().contains("_split")
          || line.path().contains("_shrink")) {
        node.call("PUT", "/books-1/_block/write", "");
      }
    }
    RequestParameters given =
        new RequestParameters(ParameterExamples.with(line.route().segments(), name));
    try {
      var answer =
          line.route()
              .api()
              .handle(
                  new ApiRequest(
                      line.verb(),
                      line.path(),
                      ParameterExamples.path(line),
                      given,
                      HeaderValues.NONE,
                      RequestBody.of(ParameterExamples.body(line).getBytes(StandardCharsets.UTF_8)),
                      null,
                      () -> false));
      ParameterExamples.render(answer);
    } catch (Exception e) {
      // A refusal may come after the look, which is what counts.
      if (!given.isRead(name)) {
        System.err.println(line.verb() + " " + line.path() + " " + name + ": " + e);
      }
    }
    if (line.verb() == Verb.DELETE) {
      prepareOnce();
    }
    return given.isRead(name);
  }

  @Test
  void whatIsNoValueIsRefusedOnEveryRoute() throws Exception {
    SortedSet<String> taken = new TreeSet<>();
    for (Routes.Line line : node.routes().lines()) {
      for (String name : line.route().parameters()) {
        ParameterKind kind =
            Objects.requireNonNull(ParameterKinds.of(line.route().segments(), name)).kind();
        switch (kind) {
          case FLAG, OPTION, SAID, INT, LONG, FLOAT, TIME, COPIES -> {
            HttpResponse<String> answer =
                node.call(
                    line.verb().name(), ParameterExamples.target(line) + "?" + name + "=maybe", "");
            if (answer.statusCode() != 400) {
              taken.add(line.verb() + " " + line.path() + " " + name + ": " + answer.statusCode());
            }
          }
          case CHOICE, LIST, TEXT -> {}
        }
      }
    }

    assertThat(String.join("\n", taken)).isEmpty();
  }

  @Test
  void unknownNamesAreRefusedOnEveryRoute() throws Exception {
    SortedSet<String> taken = new TreeSet<>();
    for (Routes.Line line : node.routes().lines()) {
      HttpResponse<String> answer =
          node.call(line.verb().name(), ParameterExamples.target(line) + "?prety=true", "");
      boolean isRefused =
          answer.statusCode() == 400
              && (answer.body().isEmpty()
                  || (answer.body().contains("contains unrecognized parameter: [prety]")
                      && answer.body().contains("did you mean [pretty]?")));
      if (!isRefused) {
        taken.add(line.verb() + " " + line.path() + ": " + answer.body());
      }
    }

    assertThat(String.join("\n", taken)).isEmpty();
  }

  @Test
  void whatHasNoEffectIsSaid() throws Exception {
    HttpResponse<String> idle = node.call("GET", "/books-1/_search?batched_reduce_size=4", "");
    HttpResponse<String> vain =
        node.call("GET", "/_cluster/health?return_200_for_cluster_health_timeout=true", "");
    HttpResponse<String> read = node.call("GET", "/books-1/_search?size=4&typed_keys&pretty", "");

    assertThat(idle.headers().allValues("Warning").toString())
        .contains(
            "parameters [batched_reduce_size] have no effect on this request: answers of all");
    assertThat(vain.headers().allValues("Warning").toString())
        .contains("_timeout] have no effect on this request: nothing else in the");
    assertThat(read.headers().allValues("Warning")).isEmpty();
  }

  @Test
  void noParameterOfElasticsearchIsTakenInSilence() throws Exception {
    Map<String, Integer> counts = new LinkedHashMap<>();
    SortedSet<String> refused = new TreeSet<>();
    for (ParametersDocument.Row row : ParametersDocument.rows(node.routes().lines(), specified())) {
      counts.merge("read", row.read().size(), Integer::sum);
      counts.merge("idle", row.idle().size(), Integer::sum);
      refused.addAll(row.refused());
    }

    assertThat(counts.get("read")).isGreaterThan(900);
    assertThat(refused)
        .isSubsetOf(
            "_slice",
            "allow_closed",
            "append",
            "if_version",
            "lang",
            "search_after",
            "settings_filter");
  }

  private static List<String> specified() throws IOException {
    try (var in =
        Objects.requireNonNull(
            ParameterDeclarationsTest.class.getResourceAsStream("elasticsearch-parameters.txt"))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.isEmpty() && !line.startsWith("#"))
          .toList();
    }
  }
}
