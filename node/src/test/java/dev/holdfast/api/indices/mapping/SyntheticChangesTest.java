package dev.holdfast.api.indices.mapping;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.node.NodeFixture;
import dev.holdfast.world.Json;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A synthetic source tells documents that were written under an earlier mapping, too.
final class SyntheticChangesTest {
  @TempDir private Path folder = Path.of("");

  private static void create(NodeFixture node, String fields) throws Exception {
    node.ok(
        "PUT",
        "/i",
        "{\"settings\":{\"index.mapping.source.mode\":\"synthetic\"},\"mappings\":{\"properties\":"
            + fields
            + "}}");
  }

  private static HttpResponse<String> change(NodeFixture node, String fields) throws Exception {
    return node.call("PUT", "/i/_mapping", "{\"properties\":" + fields + "}");
  }

  private static String source(NodeFixture node, String id) throws Exception {
    return node.ok("POST", "/i/_search", "{\"query\":{\"term\":{\"_id\":\"" + id + "\"}}}")
        .at("/hits/hits/0/_source")
        .toString();
  }

  @Test
  void aTextIsToldByWhicheverKeywordHasIt() throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      String raw = "\"raw\":{\"type\":\"keyword\",\"ignore_above\":3}";
      create(node, "{\"t\":{\"type\":\"text\",\"fields\":{" + raw + "}}}");
      node.ok("PUT", "/i/_doc/1?refresh", "{\"t\":[\"long\",\"x\"]}");
      assertThat(source(node, "1")).isEqualTo("{\"t\":[\"long\",\"x\"]}");

      String first = "\"a\":{\"type\":\"keyword\",\"ignore_above\":1}";
      HttpResponse<String> changed =
          change(node, "{\"t\":{\"type\":\"text\",\"fields\":{" + first + "}}}");
      assertThat(changed.statusCode()).as(changed.body()).isEqualTo(200);
      node.ok("PUT", "/i/_doc/2?refresh", "{\"t\":[\"yy\",\"z\"]}");

      assertThat(source(node, "1")).isEqualTo("{\"t\":[\"long\",\"x\"]}");
      assertThat(source(node, "2")).isEqualTo("{\"t\":[\"yy\",\"z\"]}");
    }
  }

  @Test
  void whatIsCopiedIsDecidedBeforeTheFirstDocument() throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      create(
          node,
          "{\"a\":{\"type\":\"keyword\"},\"b\":{\"type\":\"keyword\"},"
              + "\"c\":{\"type\":\"keyword\",\"copy_to\":\"d\"},\"d\":{\"type\":\"keyword\"}}");
      String document = "{\"a\":\"1\",\"b\":\"2\",\"c\":\"3\"}";
      node.ok("PUT", "/i/_doc/1?refresh", document);

      for (String fields :
          new String[] {
            "{\"a\":{\"type\":\"keyword\",\"copy_to\":\"all\"}}",
            "{\"new\":{\"type\":\"keyword\",\"copy_to\":\"b\"}}",
            "{\"c\":{\"type\":\"keyword\"}}",
          }) {
        HttpResponse<String> answer = change(node, fields);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
        assertThat(Json.parse(answer.body()).at("/error/reason").asText()).contains("copy_to");
      }
      HttpResponse<String> taken =
          change(node, "{\"new\":{\"type\":\"keyword\",\"copy_to\":\"other\"}}");
      assertThat(taken.statusCode()).as(taken.body()).isEqualTo(200);
      node.ok("PUT", "/i/_doc/2?refresh", "{\"new\":\"4\"}");

      assertThat(source(node, "1")).isEqualTo(document);
      assertThat(source(node, "2")).isEqualTo("{\"new\":\"4\"}");
    }
  }

  /// What a template copies to is known before the first document brings a field of it.
  @Test
  void fieldsThatDocumentsBringMayBeCopiedToOneThatThereIs() throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      node.ok(
          "PUT",
          "/i",
          """
          {"settings":{"index.mapping.source.mode":"synthetic"},"mappings":{
            "dynamic_templates":[{"t":{"match":"n_*","mapping":{"type":"keyword","copy_to":"all"}}}],
            "properties":{"all":{"type":"keyword"},"b":{"type":"keyword"}}}}
          """);
      node.ok("PUT", "/i/_doc/1?refresh", "{\"all\":[\"y\",\"x\"],\"b\":\"1\"}");
      node.ok("PUT", "/i/_doc/2?refresh", "{\"all\":\"z\",\"n_a\":\"1\"}");
      node.ok("PUT", "/i/_doc/3?refresh", "{\"n_a\":\"x\"}");

      assertThat(source(node, "1")).isEqualTo("{\"all\":[\"y\",\"x\"],\"b\":\"1\"}");
      assertThat(source(node, "2")).isEqualTo("{\"all\":\"z\",\"n_a\":\"1\"}");
      assertThat(source(node, "3")).isEqualTo("{\"n_a\":\"x\"}");
      assertThat(
              node.ok("POST", "/i/_search", "{\"query\":{\"term\":{\"all\":\"x\"}}}")
                  .at("/hits/total/value")
                  .asInt())
          .isEqualTo(2);
      HttpResponse<String> late =
          node.call(
              "PUT",
              "/i/_mapping",
              "{\"dynamic_templates\":[{\"t\":{\"match\":\"n_*\",\"mapping\":{\"copy_to\":\"b\"}}}]}");
      assertThat(late.statusCode()).as(late.body()).isEqualTo(400);
    }
  }
}
