package dev.holdfast.api.indices;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.RunningNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Indices that are cloned, split and shrunk through a whole node.
@Timeout(120)
final class ResizeTest {
  private static final String MAPPING =
      """
      "mappings":{"properties":{
        "n":{"type":"long"},"kind":{"type":"keyword"},
        "parts":{"type":"nested","properties":{"p":{"type":"long"}}}}}\
      """;

  /// Blobs that nothing needs are deleted at once.
  @RegisterExtension final RunningNode node = RunningNode.withStore(Duration.ofMillis(1));

  private JsonNode ok(String method, String target, String body) throws Exception {
    return node.ok(method, target, body);
  }

  private void create(String index, int shards) throws Exception {
    ok("PUT", "/" + index, "{\"settings\":{\"number_of_shards\":" + shards + "}," + MAPPING + "}");
  }

  /// Every third document has a routing, which is not its id; every fifth three nested objects.
  private void fill(String index, int from, int to) throws Exception {
    StringBuilder bulk = new StringBuilder();
    for (int i = from; i < to; i++) {
      String routing = isRouted(i) ? ",\"routing\":\"" + routing(i) + "\"" : "";
      bulk.append("{\"index\":{\"_id\":\"" + i + "\"" + routing + "}}\n");
      String parts = i % 5 == 0 ? ",\"parts\":[{\"p\":1},{\"p\":2},{\"p\":" + i + "}]" : "";
      bulk.append("{\"n\":" + i + ",\"kind\":\"k" + i % 3 + "\"" + parts + "}\n");
    }
    assertThat(ok("POST", "/" + index + "/_bulk", bulk.toString()).path("errors").asBoolean())
        .isFalse();
  }

  private static boolean isRouted(int document) {
    return document % 3 == 0;
  }

  private static String routing(int document) {
    return "r" + document % 7;
  }

  private static String document(String index, int document) {
    return "/"
        + index
        + "/_doc/"
        + document
        + (isRouted(document) ? "?routing=" + routing(document) : "");
  }

  private static String sized(int shards) {
    return "{\"settings\":{\"index.number_of_shards\":" + shards + ",\"index.blocks.write\":null}}";
  }

  private int count(String index) throws Exception {
    return node.json("/" + index + "/_count").path("count").asInt();
  }

  /// Each hit as what a reader can know of it.
  private Set<String> hits(String index) throws Exception {
    JsonNode found =
        ok(
            "POST",
            "/" + index + "/_search",
            "{\"size\":1000,\"version\":true,\"seq_no_primary_term\":true,\"sort\":[\"n\"]}");
    Set<String> hits = new TreeSet<>();
    for (JsonNode hit : found.at("/hits/hits")) {
      hits.add(
          hit.path("_id").asText()
              + " "
              + hit.path("_routing").asText()
              + " version "
              + hit.path("_version")
              + " number "
              + hit.path("_seq_no")
              + " term "
              + hit.path("_primary_term")
              + " "
              + hit.path("_source"));
    }
    assertThat(found.at("/hits/hits").size()).isEqualTo(hits.size());
    return hits;
  }

  private int nested(String index) throws Exception {
    String query =
        "{\"query\":{\"nested\":{\"path\":\"parts\",\"query\":{\"term\":{\"parts.p\":2}}}}}";
    return node.json("POST", "/" + index + "/_count", query).path("count").asInt();
  }

  /// Updates and deletes some, so that the segments have deletes of their own.
  private void origin(String index, int shards) throws Exception {
    create(index, shards);
    fill(index, 0, 60);
    ok("POST", "/" + index + "/_flush", "");
    fill(index, 20, 100);
    ok("POST", "/" + index + "/_refresh", "");
    for (int i = 1; i < 100; i += 10) {
      ok("DELETE", document(index, i), "");
    }
    ok("PUT", "/" + index + "/_block/write", "");
  }

  private void assertSame(String resized, Set<String> before, int nested) throws Exception {
    assertThat(hits(resized)).isEqualTo(before);
    assertThat(count(resized)).isEqualTo(90);
    assertThat(nested(resized)).isEqualTo(nested);
    for (int i = 0; i < 100; i++) {
      JsonNode got = node.json(document(resized, i));
      assertThat(got.path("found").asBoolean()).as("document " + i).isEqualTo(i % 10 != 1);
      if (i % 10 != 1) {
        assertThat(got.at("/_source/n").isInt()).as("n of document " + i).isTrue();
        assertThat(got.at("/_source/n").asInt()).isEqualTo(i);
      }
    }
  }

  /// Writes go to the documents that are there, and only once.
  private void assertTakesWrites(String resized) throws Exception {
    JsonNode again = ok("PUT", document(resized, 22), "{\"n\":-22}");
    assertThat(again.path("result").asText()).isEqualTo("updated");
    assertThat(again.path("_version").asInt()).isEqualTo(3);
    assertThat(ok("DELETE", document(resized, 33), "").path("result").asText())
        .isEqualTo("deleted");
    ok("PUT", document(resized, 1000), "{\"n\":1000}");
    JsonNode read = node.json(document(resized, 23));
    String condition =
        "if_seq_no=" + read.path("_seq_no") + "&if_primary_term=" + read.path("_primary_term");
    ok("PUT", "/" + resized + "/_doc/23?" + condition, "{\"n\":-23}");
    node.refused(409, "PUT", "/" + resized + "/_doc/23?" + condition, "{\"n\":-24}");
    ok("POST", "/" + resized + "/_refresh", "");
    assertThat(count(resized)).isEqualTo(90);
  }

  private void restart() throws Exception {
    node.restart();
    ok("GET", "/_cluster/health?wait_for_status=green&timeout=30s", "");
  }

  /// Nothing of a shard is in the store before it is first used.
  @Test
  void aClosedIndexIsClonedAndSplitButNotShrunk() throws Exception {
    create("closed", 2);
    fill("closed", 0, 60);
    ok("POST", "/closed/_refresh", "");
    Set<String> before = hits("closed");
    int nested = nested("closed");
    ok("POST", "/closed/_close", "");

    ok("POST", "/closed/_clone/cloned", "");
    ok("POST", "/closed/_split/split", "{\"settings\":{\"index.number_of_shards\":4}}");

    for (String made : List.of("cloned", "split")) {
      assertThat(hits(made)).isEqualTo(before);
      assertThat(nested(made)).isEqualTo(nested);
    }
    var shrunk = node.call("POST", "/closed/_shrink/shrunk", "");
    assertThat(shrunk.statusCode()).isEqualTo(400);
    assertThat(shrunk.body()).contains("index_closed_exception");
    fill("cloned", 100, 110);
    ok("POST", "/cloned/_refresh", "");
    assertThat(count("cloned")).isEqualTo(before.size() + 10);
    ok("POST", "/closed/_open", "");
    assertThat(hits("closed")).isEqualTo(before);
  }

  @Test
  void anIndexWithShardsThatNobodyUsedIsResized() throws Exception {
    // given an index of four shards, one with a document, and one without any
    create("used", 4);
    ok("PUT", "/used/_doc/1?refresh=true", "{\"n\":1}");
    create("empty", 2);
    for (String index : List.of("used", "empty")) {
      ok("PUT", "/" + index + "/_settings", "{\"index.blocks.write\":true}");
    }

    // when they are shrunk, split and cloned
    ok("POST", "/used/_shrink/used-1", sized(1));
    ok("POST", "/empty/_shrink/empty-1", sized(1));
    ok("POST", "/empty/_split/empty-4", sized(4));
    ok("POST", "/empty/_clone/empty-2", sized(2));

    // then the new indices are there, and take documents
    assertThat(count("used-1")).isEqualTo(1);
    for (String index : List.of("empty-1", "empty-4", "empty-2")) {
      assertThat(count(index)).isZero();
      ok("PUT", "/" + index + "/_doc/7?refresh=true", "{\"n\":7}");
      assertThat(count(index)).isEqualTo(1);
    }
  }

  @Test
  void aCloneSplitAndShrunkIndexHasTheSameDocuments() throws Exception {
    // given
    origin("origin", 2);
    Set<String> before = hits("origin");
    int nested = nested("origin");
    // when
    ok("PUT", "/origin/_clone/twin", sized(2));
    ok("PUT", "/origin/_split/wide", sized(6));
    ok("PUT", "/origin/_shrink/narrow", sized(1));
    // then
    for (String resized : List.of("twin", "wide", "narrow")) {
      assertSame(resized, before, nested);
      assertTakesWrites(resized);
    }
    assertSame("origin", before, nested);
  }

  @Test
  void eachDocumentOfASplitIndexIsInTheShardThatItIsRoutedTo() throws Exception {
    origin("origin", 1);

    ok("PUT", "/origin/_split/wide", sized(4));

    int all = 0;
    for (int shard = 0; shard < 4; shard++) {
      JsonNode found =
          ok("POST", "/wide/_search?size=100&preference=_shards:" + shard, "{\"sort\":[\"n\"]}");
      for (JsonNode hit : found.at("/hits/hits")) {
        String by = hit.path("_routing").asText(hit.path("_id").asText());
        JsonNode shards = node.json("/wide/_search_shards?routing=" + by);
        assertThat(shards.at("/shards/0/0/shard").asInt()).isEqualTo(shard);
        all++;
      }
    }
    assertThat(all).isEqualTo(90);
  }

  @Test
  void whatWasResizedIsResizedAgainAndOutlivesItsOrigin() throws Exception {
    // given
    origin("origin", 2);
    Set<String> before = hits("origin");
    int nested = nested("origin");
    String blocked = "{\"settings\":{\"index.number_of_shards\":";
    // when: each origin is gone before the next is made
    ok("PUT", "/origin/_split/wide", blocked + "4}}");
    ok("DELETE", "/origin", "");
    ok("PUT", "/wide/_shrink/narrow", blocked + "1}}");
    ok("DELETE", "/wide", "");
    restart();
    ok("PUT", "/narrow/_split/last", sized(3));
    ok("DELETE", "/narrow", "");
    restart();
    // then
    assertSame("last", before, nested);
    assertTakesWrites("last");
    ok("POST", "/last/_forcemerge?max_num_segments=1", "");
    assertThat(count("last")).isEqualTo(90);
    assertThat(nested("last")).isEqualTo(nested);
  }

  @Test
  void aClonesSettingsAndCodecMayDiffer() throws Exception {
    origin("origin", 1);
    Set<String> before = hits("origin");

    ok(
        "PUT",
        "/origin/_clone/small",
        "{\"settings\":{\"index.codec\":\"best_compression\",\"index.blocks.write\":null},"
            + "\"aliases\":{\"other\":{}}}");
    ok("POST", "/small/_forcemerge?max_num_segments=1", "");

    assertThat(hits("other")).isEqualTo(before);
    JsonNode settings = node.json("/small/_settings").at("/small/settings/index");
    assertThat(settings.at("/resize/source/name").asText()).isEqualTo("origin");
    assertThat(settings.path("codec").asText()).isEqualTo("best_compression");
  }

  @Test
  void anOriginThatTakesWritesIsRefusedAndNothingIsMade() throws Exception {
    create("open", 1);

    JsonNode refusal = node.refused(400, "PUT", "/open/_clone/twin", "");

    assertThat(refusal.at("/error/reason").asText()).contains("must be read-only");
    assertThat(node.call("HEAD", "/twin", "").statusCode()).isEqualTo(404);
  }

  @Test
  void whatSaysHowDocumentsWereWrittenIsRefused() throws Exception {
    origin("origin", 1);
    Map<String, String> given =
        Map.of(
            "index.mapping.source.mode", "\"synthetic\"",
            "index.mapping.synthetic_source_keep", "null",
            "index.mode", "\"standard\"",
            "index.sort.field", "\"n\"",
            "index.sort.order", "\"desc\"");
    for (String name : new TreeSet<>(given.keySet())) {
      String body = "{\"settings\":{\"" + name + "\":" + given.get(name) + "}}";

      JsonNode refusal = node.refused(400, "PUT", "/origin/_clone/twin", body);

      assertThat(refusal.at("/error/type").asText()).isEqualTo("illegal_argument_exception");
      assertThat(refusal.at("/error/reason").asText())
          .isEqualTo("can't change setting [" + name + "] during resize operation");
    }
    assertThat(node.call("HEAD", "/twin", "").statusCode()).isEqualTo(404);
  }

  @Test
  void asFewShardsAreMadeAsTheirSizeAllows() throws Exception {
    origin("origin", 4);
    for (String body :
        List.of(
            "{\"max_primary_shard_size\":\"0b\"}",
            "{\"max_primary_shard_size\":5}",
            "{\"max_primary_shard_size\":\"much\"}",
            "{\"max_primary_shard_size\":\"1gb\",\"settings\":{\"index.number_of_shards\":2}}",
            "{\"settings\":{\"index.uuid\":\"x\"}}")) {
      JsonNode _ = node.refused(400, "PUT", "/origin/_shrink/none", body);
    }
    ok("PUT", "/origin/_shrink/small", "{\"max_primary_shard_size\":\"1gb\"}");
    ok("PUT", "/origin/_shrink/same", "{\"max_primary_shard_size\":\"1b\"}");
    ok("PUT", "/origin/_split/alike", sized(4));
    for (String name : List.of("small", "same", "alike")) {
      assertThat(
              node.json("/" + name + "/_settings")
                  .at("/" + name + "/settings/index/number_of_shards")
                  .asInt())
          .isEqualTo(name.equals("small") ? 1 : 4);
      assertThat(hits(name)).isEqualTo(hits("origin"));
    }
  }

  @Test
  void anEmptyIndexIsResizedToo() throws Exception {
    create("empty", 2);
    ok("PUT", "/empty/_block/write", "");
    List<String> made = new ArrayList<>();
    for (String how : List.of("_clone/twin", "_split/wide", "_shrink/narrow")) {
      String name = how.substring(how.indexOf('/') + 1);
      int shards = name.equals("twin") ? 2 : name.equals("wide") ? 4 : 1;
      ok("PUT", "/empty/" + how, sized(shards));
      made.add(name);
    }
    ok("PUT", "/narrow/_block/write", "");
    assertThat(node.refused(400, "PUT", "/narrow/_shrink/narrower", sized(1)).toString())
        .contains("can't shrink an index with only one shard");
    ok("PUT", "/narrow/_settings", "{\"index.blocks.write\":null}");
    for (String name : made) {
      fill(name, 0, 10);
      ok("POST", "/" + name + "/_refresh", "");
      assertThat(count(name)).isEqualTo(10);
    }
  }
}
