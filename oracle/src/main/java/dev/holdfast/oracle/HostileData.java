package dev.holdfast.oracle;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Locale;
import java.util.Random;

/// The index that hostile requests ask for: text, keywords of which most are unique, numbers,
/// dates, places, vectors and nested documents.
final class HostileData {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final int BATCH = 500;

  private final URI url;
  private final int documents;

  HostileData(URI url, int documents) {
    this.url = url;
    this.documents = documents;
  }

  /// Makes it anew.
  void make() throws IOException {
    remove();
    try (Server server = new Server(url, PATIENCE)) {
      OracleAnswer made =
          server.send(
              "PUT",
              "/hostile-data",
              """
              {"settings": {"number_of_shards": 2, "number_of_replicas": 0},
               "mappings": {"properties": {
                "text": {"type": "text"}, "other": {"type": "text"},
                "loaded": {"type": "text", "fielddata": true},
                "keyword": {"type": "keyword"}, "group": {"type": "keyword"},
                "number": {"type": "long"}, "when": {"type": "date"}, "address": {"type": "ip"},
                "place": {"type": "geo_point"}, "shape": {"type": "geo_shape"},
                "span": {"type": "integer_range"}, "era": {"type": "date_range"},
                "far": {"type": "date"}, "wide": {"type": "long"}, "tags": {"type": "keyword"},
                "query": {"type": "percolator"}, "complete": {"type": "completion"},
                "vector": {"type": "dense_vector", "dims": 8, "index": true},
                "parts": {"type": "nested", "properties": {"name": {"type": "keyword"}}}}}}
              """);
      if (made.status() != 200) {
        throw new IOException("the index can't be made: " + made.text());
      }
      Random random = new Random(7);
      for (int from = 0; from < documents; from += BATCH) {
        StringBuilder body = new StringBuilder();
        for (int id = from; id < Math.min(documents, from + BATCH); id++) {
          body.append("{\"index\": {\"_id\": \"").append(id).append("\"}}\n");
          body.append(document(id, random)).append('\n');
        }
        server.send("POST", "/hostile-data/_bulk", body.toString());
      }
      server.send("POST", "/hostile-data/_refresh", "");
    }
  }

  private static String document(int id, Random random) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 40; i++) {
      text.append(word(random)).append(' ');
    }
    StringBuilder vector = new StringBuilder();
    for (int i = 0; i < 8; i++) {
      vector.append(i == 0 ? "" : ", ").append(random.nextInt(1000) / 1000.0);
    }
    return String.format(
        Locale.ROOT,
        "{%s\"text\": \"%s\", \"other\": \"%s\", \"loaded\": \"%s u%d\", \"keyword\": \"%s%d\","
            + " \"group\": \"%s\", \"number\": %d, \"when\": %d, \"address\": \"10.%d.%d.%d\","
            + " \"place\": [%d, %d], \"vector\": [%s], \"parts\": [{\"name\": \"%s\"}, {\"name\":"
            + " \"%s\"}], \"complete\": \"%s%d\"}",
        extreme(id),
        text,
        word(random),
        word(random),
        id,
        word(random),
        id,
        word(random),
        random.nextInt(100_000),
        1_600_000_000_000L + random.nextInt(1_000_000_000) * 100L,
        random.nextInt(256),
        random.nextInt(256),
        random.nextInt(256),
        random.nextInt(170),
        random.nextInt(80),
        vector,
        word(random),
        word(random),
        word(random),
        id);
  }

  /// Of every hundredth document: what lies at the ends of its kind, or is very much.
  private static String extreme(int id) {
    if (id % 100 != 0) {
      return "";
    }
    String sign = id % 200 == 0 ? "" : "-";
    StringBuilder members = new StringBuilder();
    members
        .append("\"far\": " + sign + "999999999999999999, ")
        .append("\"wide\": " + sign + (Long.MAX_VALUE - id) + ", ")
        .append("\"span\": {\"gte\": " + id + ", \"lte\": " + (id + 12) + "}, ")
        .append("\"era\": {\"gte\": \"1970\", \"lte\": \"9999\"}, ");
    if (id % 5_000 == 0) {
      members.append("\"shape\": {\"type\": \"envelope\", ");
      members.append("\"coordinates\": [[-180, 90], [180, -90]]}, \"tags\": [\"t\"");
      for (int i = 0; i < 300; i++) {
        members.append(", \"t" + i + "\"");
      }
      members.append("], ");
    }
    return members.toString();
  }

  private static String word(Random random) {
    return random.nextBoolean()
        ? "w" + random.nextInt(1000)
        : Character.toString('a' + random.nextInt(26)) + (char) ('a' + random.nextInt(26));
  }

  /// Deletes all that hostile requests made, and what they asked for.
  void remove() throws IOException {
    try (Server server = new Server(url, PATIENCE)) {
      for (String path :
          new String[] {
            "/hostile-data",
            "/hostile-x-*",
            "/" + NormalLoad.INDEX,
            "/_index_template/hostile-x",
            "/_component_template/hostile-x",
            "/_ingest/pipeline/hostile-x*",
            "/_scripts/hostile-x",
            "/_synonyms/hostile-x",
            "/_search/scroll/_all"
          }) {
        server.send("DELETE", path, "");
      }
    }
  }
}
