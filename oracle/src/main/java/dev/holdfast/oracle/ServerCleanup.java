package dev.holdfast.oracle;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Removes what requests left on a server, so that each one meets the same corpus: indices and
/// aliases of ours that the corpus does not have, documents that it does not have, blocks.
final class ServerCleanup {
  private static final Set<String> ALIASES = Set.of("oracle-alias");

  /// The index that requests write documents into.
  private static final String WRITTEN = "/" + Corpus.PREFIX + "few";

  private static final String NO_BLOCKS =
      """
      {"index.blocks.read_only": null, "index.blocks.read_only_allow_delete": null,
       "index.blocks.write": null, "index.blocks.read": null, "index.blocks.metadata": null}\
      """;

  private final Set<String> corpus;
  private final int written;

  /// @param corpus names of its indices
  /// @param written how many documents the index has that requests write into
  ServerCleanup(Set<String> corpus, int written) {
    this.corpus = corpus;
    this.written = written;
  }

  /// Whether requests can leave anything.
  static boolean possible(List<OracleRequest> steps) {
    return steps.stream()
        .anyMatch(step ->
            step.method().matches("PUT|DELETE|PATCH")
                || step.path()
                    .matches("[^?]*/_(aliases|bulk|close|create|doc|open|rollover|update).*"));
  }

  /// @param steps that were asked, perhaps broken off: what they would have deleted is deleted
  /// @return what could not be removed
  List<String> clear(Server server, List<OracleRequest> steps) throws IOException {
    for (OracleRequest step : steps) {
      if (step.method().equals("DELETE")) {
        var _ = server.send(step.after(MissingNode.getInstance()));
      }
    }
    List<String> left = new ArrayList<>();
    JsonNode blocked =
        server.send("GET", "/oracle-*/_settings/index.blocks.*?expand_wildcards=all", "").json();
    if (!blocked.isEmpty()) {
      var _ = server.send("PUT", "/oracle-*/_settings?expand_wildcards=all", NO_BLOCKS);
    }
    JsonNode there = server.send("GET", "/oracle-*/_alias?expand_wildcards=all", "").json();
    for (Map.Entry<String, JsonNode> index : there.properties()) {
      if (!corpus.contains(index.getKey())) {
        remove(server, "/" + index.getKey(), left);
        continue;
      }
      for (Map.Entry<String, JsonNode> alias : index.getValue().path("aliases").properties()) {
        if (!ALIASES.contains(alias.getKey())) {
          remove(server, "/" + index.getKey() + "/_alias/" + alias.getKey(), left);
        }
      }
    }
    documents(server, left);
    return left;
  }

  private void documents(Server server, List<String> left) throws IOException {
    if (server.send("POST", WRITTEN + "/_refresh", "").isError()) {
      return;
    }
    JsonNode hits =
        server.send("GET", WRITTEN + "/_search?size=100&_source=false", "").json().at("/hits/hits");
    if (hits.size() == written) {
      return;
    }
    for (JsonNode hit : hits) {
      String id = hit.path("_id").asText();
      if (!id.matches("\\d+") || Integer.parseInt(id) > written) {
        String routing = hit.path("_routing").asText("");
        remove(
            server,
            WRITTEN
                + "/_doc/"
                + id
                + "?refresh=true"
                + (routing.isEmpty() ? "" : "&routing=" + routing),
            left);
      }
    }
  }

  private static void remove(Server server, String path, List<String> left) throws IOException {
    if (server.send("DELETE", path, "").isError()) {
      left.add(path);
    }
  }
}
