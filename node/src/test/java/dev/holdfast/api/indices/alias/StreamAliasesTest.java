package dev.holdfast.api.indices.alias;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.node.RunningNode;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Aliases of data streams beside those of indices.
final class StreamAliasesTest {
  private static final String DOCUMENT = "{\"@timestamp\":\"2026-01-01\"}";

  @RegisterExtension static final RunningNode node = RunningNode.alone();

  @BeforeAll
  static void addStreams() throws Exception {
    node.ok("PUT", "/_index_template/app", "{\"index_patterns\":[\"app-*\"],\"data_stream\":{}}");
    for (String name : new String[] {"app-a", "app-b", "app-c"}) {
      node.ok("PUT", "/_data_stream/" + name, "");
    }
    node.ok("PUT", "/plain", "");
  }

  private static void add(String index, String alias, String more) throws Exception {
    node.ok(
        "POST",
        "/_aliases",
        "{\"actions\":[{\"add\":{\"index\":\"%s\",\"alias\":\"%s\"%s}}]}"
            .formatted(index, alias, more));
  }

  private static String refused(String verb, String path, String body) throws Exception {
    return node.refused(400, verb, path, body).toString();
  }

  @Test
  void aNameIsAnAliasOfStreamsOrOfIndices() throws Exception {
    add("app-a", "of-streams", "");
    add("plain", "of-indices", "");

    assertThat(refused("PUT", "/plain/_alias/of-streams", ""))
        .contains("[of-streams] is both a data stream alias and an index alias");
    assertThat(refused("PUT", "/app-a/_alias/of-indices", ""))
        .contains("[of-indices] is both a data stream alias and an index alias");
    assertThat(refused("PUT", "/other", "{\"aliases\":{\"of-streams\":{}}}"))
        .contains("[of-streams] is both a data stream alias and an index alias");
    for (String taken : new String[] {"of-indices", "plain", "app-a"}) {
      node.ok(
          "PUT",
          "/_index_template/new",
          "{\"index_patterns\":[\"new-*\"],\"data_stream\":{},\"template\":{\"aliases\":{\"%s\":{}}}}"
              .formatted(taken));
      assertThat(refused("PUT", "/_data_stream/new-a", "")).contains("[" + taken + "]");
      assertThat(refused("POST", "/new-a/_doc", DOCUMENT)).contains("[" + taken + "]");
    }
    node.ok("DELETE", "/_index_template/new", "");
  }

  @Test
  void aStreamIsNotDeletedByTheNameOfAnAlias() throws Exception {
    node.ok("PUT", "/_data_stream/app-kept", "");
    add("app-kept", "kept", "");

    assertThat(node.refused(404, "DELETE", "/_data_stream/kept", "").toString())
        .contains("data streams [kept] not found: that is an alias of [app-kept]");
    assertThat(node.ok("GET", "/_data_stream/app-kept", "").path("data_streams")).hasSize(1);
  }

  @Test
  void oneWithoutAStreamToWriteToTakesNoWrites() throws Exception {
    add("app-a", "several", "");
    add("app-b", "several", "");
    add("app-c", "unmarked", ",\"is_write_index\":false");

    for (String alias : new String[] {"several", "unmarked"}) {
      assertThat(refused("POST", "/" + alias + "/_doc", DOCUMENT))
          .contains("no write index is defined for alias [" + alias + "]");
      assertThat(refused("POST", "/" + alias + "/_rollover", ""))
          .contains("rollover target [" + alias + "] does not point to a write index");
    }
    add("app-b", "several", ",\"is_write_index\":true");
    assertThat(node.call("POST", "/several/_doc", DOCUMENT).statusCode()).isEqualTo(201);
  }
}
