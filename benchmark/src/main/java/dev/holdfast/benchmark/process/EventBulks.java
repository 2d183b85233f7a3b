package dev.holdfast.benchmark.process;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/// Bodies of `_bulk`, made beforehand: events of a forge for code, about a kilobyte each, without
/// ids. They are sent again and again.
final class EventBulks {
  static final String INDEX = "events";

  private static final String MAPPING =
      """
      {"properties":{"id":{"type":"keyword"},"type":{"type":"keyword"},
       "created_at":{"type":"date"},"public":{"type":"boolean"},
       "actor":{"properties":{"id":{"type":"long"},"login":{"type":"keyword"},
        "url":{"type":"keyword"}}},
       "repo":{"properties":{"id":{"type":"long"},"name":{"type":"keyword"},
        "url":{"type":"keyword"}}},
       "payload":{"properties":{"size":{"type":"integer"},"ref":{"type":"keyword"},
        "head":{"type":"keyword"},"before":{"type":"keyword"},
        "commits":{"properties":{"sha":{"type":"keyword"},"message":{"type":"text"},
         "author":{"type":"keyword"}}}}}}}\
      """;

  private static final List<String> TYPES =
      List.of("PushEvent", "PushEvent", "PushEvent", "IssuesEvent", "WatchEvent", "ForkEvent");

  private static final int WORDS = 20_000;
  private static final int ACTORS = 50_000;
  private static final int REPOSITORIES = 20_000;
  private static final int COMMITS_MAX = 4;

  private EventBulks() {}

  /// The body that makes the index.
  static String index(int shards, int replicas) {
    return String.format(
        Locale.ROOT,
        "{\"settings\":{\"number_of_shards\":%d,\"number_of_replicas\":%d,"
            + "\"refresh_interval\":\"5s\"},\"mappings\":%s}",
        shards,
        replicas,
        MAPPING);
  }

  /// @param documents of each
  static List<byte[]> bodies(int many, int documents, long seed) {
    Random random = new Random(seed);
    List<byte[]> bodies = new ArrayList<>();
    for (int i = 0; i < many; i++) {
      StringBuilder lines = new StringBuilder();
      for (int document = 0; document < documents; document++) {
        lines.append("{\"index\":{}}\n").append(event(random)).append('\n');
      }
      bodies.add(lines.toString().getBytes(StandardCharsets.UTF_8));
    }
    return bodies;
  }

  private static String event(Random random) {
    String actor = "u" + skewed(random, ACTORS);
    String repository = actor + "/r" + skewed(random, REPOSITORIES);
    StringBuilder commits = new StringBuilder();
    int size = 1 + random.nextInt(COMMITS_MAX);
    for (int i = 0; i < size; i++) {
      commits
          .append(i == 0 ? "" : ",")
          .append("{\"sha\":\"" + hash(random) + "\",\"author\":\"" + actor + "\",\"message\":\"")
          .append(words(random))
          .append("\"}");
    }
    return String.format(
        Locale.ROOT,
        "{\"id\":\"%d\",\"type\":\"%s\",\"created_at\":\"%s\",\"public\":true,"
            + "\"actor\":{\"id\":%d,\"login\":\"%s\",\"url\":\"https://forge.example/%s\"},"
            + "\"repo\":{\"id\":%d,\"name\":\"%s\",\"url\":\"https://forge.example/%s\"},"
            + "\"payload\":{\"size\":%d,\"ref\":\"refs/heads/main\",\"head\":\"%s\","
            + "\"before\":\"%s\",\"commits\":[%s]}}",
        random.nextLong(1L << 40),
        TYPES.get(random.nextInt(TYPES.size())),
        Instant.ofEpochSecond(1_790_000_000L + random.nextInt(86_400)),
        random.nextInt(1 << 24),
        actor,
        actor,
        random.nextInt(1 << 24),
        repository,
        repository,
        size,
        hash(random),
        hash(random),
        commits);
  }

  private static String hash(Random random) {
    return String.format(
        Locale.ROOT, "%016x%016x%08x", random.nextLong(), random.nextLong(), random.nextInt());
  }

  private static String words(Random random) {
    StringBuilder words = new StringBuilder();
    for (int left = 5 + random.nextInt(40); left > 0; left--) {
      words.append('w').append(Integer.toString(skewed(random, WORDS), 36)).append(' ');
    }
    return words.toString();
  }

  /// Small numbers are much more frequent.
  private static int skewed(Random random, int bound) {
    return (int) (Math.pow(bound, random.nextDouble()) - 1);
  }
}
