package dev.holdfast.chaos.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.chaos.node.Http;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Reads everything back, by id and by search, and holds it against what was acknowledged.
public final class Verification {
  private static final int PAGE = 1000;

  private final Http http;
  private final String index;
  private final Tally tally;

  public Verification(String address, String index, Tally tally) {
    this.http = new Http(address, Duration.ofSeconds(60));
    this.index = index;
    this.tally = tally;
  }

  /// @param documents by client and number
  public void check(Expectation[][] documents) throws IOException, InterruptedException {
    Map<String, Long> byId = new HashMap<>();
    for (int client = 0; client < documents.length; client++) {
      for (int from = 0; from < documents[client].length; from += PAGE) {
        page(documents[client], client, from, byId);
      }
    }
    require("refresh", http.send("POST", "/" + index + "/_refresh", ""));
    Map<String, Long> bySearch = search();
    if (!bySearch.equals(byId)) {
      Map<String, Long> onlyGet = new HashMap<>(byId);
      onlyGet.entrySet().removeAll(bySearch.entrySet());
      Map<String, Long> onlySearch = new HashMap<>(bySearch);
      onlySearch.entrySet().removeAll(byId.entrySet());
      tally.violations.add(
          "get and search disagree: only by get " + onlyGet + ", only by search " + onlySearch);
    }
  }

  private void page(Expectation[] documents, int client, int from, Map<String, Long> found)
      throws IOException, InterruptedException {
    ArrayNode ids = Http.JSON.createArrayNode();
    int to = Math.min(documents.length, from + PAGE);
    for (int i = from; i < to; i++) {
      ids.add(client + "-" + i);
    }
    ObjectNode body = Http.JSON.createObjectNode();
    body.set("ids", ids);
    JsonNode docs =
        require("mget", http.send("POST", "/" + index + "/_mget", body.toString())).path("docs");
    for (int i = from; i < to; i++) {
      JsonNode doc = docs.path(i - from);
      if (doc.has("error")) {
        tally.violations.add("get failed: " + doc);
        continue;
      }
      boolean exists = doc.path("found").asBoolean();
      Long value = exists ? Long.valueOf(doc.path("_source").path("value").asLong()) : null;
      String id = client + "-" + i;
      check(documents[i], id, value, doc.path("_seq_no").asLong(-1));
      if (value != null) {
        found.put(id, value);
      }
    }
  }

  private void check(Expectation expected, String id, @Nullable Long value, long seqNo) {
    tally.checked.increment();
    String violation = expected.check(value, seqNo);
    if (violation != null) {
      tally.violations.add("[" + id + "] " + violation);
    }
  }

  private Map<String, Long> search() throws IOException, InterruptedException {
    Map<String, Long> found = new HashMap<>();
    String after = "";
    while (true) {
      String body =
          "{\"size\":"
              + PAGE
              + ",\"sort\":[{\"key\":\"asc\"}],\"track_total_hits\":true"
              + after
              + "}";
      JsonNode hits =
          require("search", http.send("POST", "/" + index + "/_search", body))
              .path("hits")
              .path("hits");
      if (hits.isEmpty()) {
        return found;
      }
      for (JsonNode hit : hits) {
        Long before =
            found.put(hit.path("_id").asText(), hit.path("_source").path("value").asLong());
        if (before != null) {
          tally.violations.add("search shows a document twice: " + hit.path("_id"));
        }
      }
      after = ",\"search_after\":" + hits.get(hits.size() - 1).path("sort");
    }
  }

  public static JsonNode require(String what, Http.Reply reply) throws IOException {
    if (reply.status() != 200) {
      throw new IOException(what + " answered " + reply.status() + ": " + reply.body());
    }
    return reply.body();
  }
}
