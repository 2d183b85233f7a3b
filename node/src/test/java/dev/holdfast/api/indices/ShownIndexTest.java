package dev.holdfast.api.indices;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.NodeFixture;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What the APIs that show an index show, by their parameters.
final class ShownIndexTest {
  @Test
  void showsSettingsDefaultsAndFeatures(@TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      node.ok("PUT", "/books", "{\"settings\":{\"refresh_interval\":\"5s\"}}");

      JsonNode all = node.json("/books/_settings?include_defaults=true").path("books");
      JsonNode one =
          node.json("/books/_settings/index.max_res*?include_defaults=true&flat_settings=true")
              .path("books");
      JsonNode human = node.json("/books/_settings?human=true");
      JsonNode aliases = node.json("/books?features=aliases").path("books");

      assertThat(all.at("/settings/index/refresh_interval").asText()).isEqualTo("5s");
      assertThat(all.at("/defaults/index/refresh_interval").isMissingNode()).isTrue();
      assertThat(all.at("/defaults/index/max_result_window").asText()).isEqualTo("10000");
      assertThat(one)
          .hasToString(
              "{\"settings\":{},\"defaults\":{\"index.max_rescore_window\":\"10000\","
                  + "\"index.max_result_window\":\"10000\"}}");
      assertThat(human.at("/books/settings/index/creation_date_string").asText()).endsWith("Z");
      assertThat(aliases).hasToString("{\"aliases\":{},\"mappings\":{},\"settings\":{}}");
      assertThat(node.json("/books?include_defaults=true").at("/books/defaults/index/codec"))
          .hasToString("\"default\"");
      assertThat(node.refused(400, "GET", "/books?features=x", "").toString())
          .contains("Invalid features specified [x]");
      assertThat(node.refused(400, "PUT", "/b", "{\"settings\":{\"index.uuid\":\"x\"}}").toString())
          .contains("unknown setting [index.uuid]");
    }
  }

  @Test
  void namesStandForAliasesThatAreSeenAndOfTheMode(@TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      node.ok(
          "PUT",
          "/books",
          "{\"aliases\":{\"shown\":{},\"shy\":{\"is_hidden\":true}},"
              + "\"settings\":{\"index.hidden\":true}}");
      String found = "/aliases";

      assertThat(node.json("/_resolve/index/sh*").at(found))
          .hasToString("[{\"name\":\"shown\",\"indices\":[\"books\"]}]");
      assertThat(node.json("/_resolve/index/shy").at(found)).hasSize(1);
      assertThat(node.json("/_resolve/index/%3Cshy%3E").at(found)).hasSize(1);
      assertThat(node.json("/_resolve/index/sh*?expand_wildcards=all").at(found)).hasSize(2);
      assertThat(node.json("/_resolve/index/sh*?mode=standard").at(found)).hasSize(1);
      assertThat(node.json("/_resolve/index/sh*?mode=logsdb").at(found)).isEmpty();
      assertThat(node.json("/_resolve/index/books").at("/indices/0/attributes"))
          .hasToString("[\"hidden\",\"open\"]");
      String names = "/_resolve/index/books";
      assertThat(node.ok("POST", names, "")).as("clients of 9.5").isEqualTo(node.json(names));
      assertThat(node.refused(400, "POST", names, "{\"project_routing\":\"_alias:a\"}").toString())
          .contains("unknown field [project_routing]");
      String table = "/_cat/aliases/sh*?h=alias&s=alias&expand_wildcards=";
      assertThat(node.call("GET", table + "open", "").body().trim()).isEqualTo("shown");
      assertThat(node.call("GET", table + "closed,hidden", "").body().trim()).isEmpty();
    }
  }
}
