package dev.holdfast.chaos.damage;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.chaos.node.Http;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Random;

/// An index with a little of everything, the questions that read all of it, and their right
/// answers.
public final class FlippedIndex {
  private static final int DOCUMENTS = 320;
  private static final int DIMENSIONS = 16;

  /// An error must not take longer: whoever asks gives up before.
  private static final long SLOW_NANOS = 20_000_000_000L;

  private static final double SCORE_ERROR_MAX = 1e-5;

  private static final Comparator<JsonNode> SAME_NUMBERS =
      (one, other) -> {
        boolean isClose =
            one.isDouble()
                && other.isNumber()
                && Math.abs(one.asDouble() - other.asDouble())
                    <= SCORE_ERROR_MAX * Math.abs(one.asDouble());
        return isClose || one.equals(other) ? 0 : 1;
      };

  private static final String MAPPING =
      """
      {"settings":{"number_of_shards":1,"refresh_interval":"-1"},"mappings":{"properties":{
        "text":{"type":"text","term_vector":"with_positions_offsets"},
        "title":{"type":"text","store":true},
        "kind":{"type":"keyword"},"n":{"type":"long"},"x":{"type":"double"},
        "day":{"type":"date"},"at":{"type":"geo_point"},"ip":{"type":"ip"},
        "vector":{"type":"dense_vector","dims":16,"similarity":"l2_norm",
          "index_options":{"type":"hnsw"}},
        "flag":{"type":"boolean"}}}}
      """;

  public final String name;
  private final Random random;
  private final Map<String, JsonNode> answers = new LinkedHashMap<>();

  public FlippedIndex(String name, long seed) {
    this.name = name;
    this.random = new Random(seed);
  }

  /// How a node answered.
  public enum Answer {
    RIGHT,
    NAMED,
    UNNAMED,
    WRONG
  }

  /// @param what for people, where it is not right
  public record Judged(Answer answer, String what) {
    private static final Judged RIGHT = new Judged(Answer.RIGHT, "");
  }

  private record Question(String method, String path, String body) {}

  /// Several uploads, updates and deletes of what lies in older blobs; the last part stays in the
  /// log.
  public void fill(Http http) throws IOException, InterruptedException {
    ok(http.send("PUT", "/" + name, MAPPING));
    int part = DOCUMENTS / 4;
    for (int from = 0; from < DOCUMENTS; from += part) {
      StringBuilder bulk = new StringBuilder();
      for (int id = from; id < Math.min(DOCUMENTS, from + part); id++) {
        index(bulk, id);
      }
      for (int i = 0; i < part / 10 && from > 0; i++) {
        index(bulk, random.nextInt(from));
        bulk.append("{\"delete\":{\"_id\":\"").append(random.nextInt(from)).append("\"}}\n");
      }
      ok(http.send("POST", "/" + name + "/_bulk", bulk.toString()));
      ok(http.send("POST", "/" + name + "/_refresh", ""));
      if (from + part < DOCUMENTS) {
        ok(http.send("POST", "/" + name + "/_flush", ""));
      }
    }
  }

  /// What its objects' keys have in common.
  String uuid(Http http) throws IOException, InterruptedException {
    return ok(http.get("/" + name + "/_settings"))
        .path(name)
        .path("settings")
        .path("index")
        .path("uuid")
        .asText();
  }

  private void index(StringBuilder bulk, int id) {
    bulk.append("{\"index\":{\"_id\":\"").append(id).append("\"}}\n");
    StringBuilder vector = new StringBuilder();
    for (int i = 0; i < DIMENSIONS; i++) {
      vector.append(i == 0 ? "" : ",").append(String.format(Locale.ROOT, "%.3f", number(4)));
    }
    bulk.append(
        String.format(
            Locale.ROOT,
            "{\"text\":\"%s\",\"title\":\"%s\",\"kind\":\"kind%d\",\"n\":%d,\"x\":%.5f,"
                + "\"day\":\"2024-%02d-%02d\",\"at\":{\"lat\":%.4f,\"lon\":%.4f},"
                + "\"ip\":\"10.%d.%d.7\",\"vector\":[%s],\"flag\":%s}%n",
            words(30),
            words(4),
            random.nextInt(40),
            random.nextInt(1_000_000),
            number(1000),
            1 + random.nextInt(12),
            1 + random.nextInt(28),
            number(80),
            number(170),
            random.nextInt(200),
            random.nextInt(200),
            vector,
            random.nextBoolean()));
  }

  private double number(double max) {
    return (random.nextDouble() * 2 - 1) * max;
  }

  private String words(int count) {
    List<String> words = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      words.add("w" + (int) (Math.pow(random.nextDouble(), 3) * 900));
    }
    return String.join(" ", words);
  }

  private List<Question> questions() {
    List<Question> all = new ArrayList<>();
    search(all, "{\"size\":1000,\"query\":{\"match_all\":{}},\"sort\":[\"n\",\"kind\"]}");
    search(
        all, "{\"size\":300,\"query\":{\"match\":{\"text\":\"w1 w7 w31 w333\"}},\"sort\":[\"n\"]}");
    search(all, "{\"size\":50,\"query\":{\"match_phrase\":{\"text\":\"w0 w1\"}},\"sort\":[\"n\"]}");
    search(
        all,
        "{\"size\":100,\"query\":{\"range\":{\"n\":{\"gte\":1000,\"lt\":200000}}},\"sort\":[\"x\"],"
            + "\"stored_fields\":[\"title\"]}");
    search(
        all,
        "{\"size\":100,\"query\":{\"geo_distance\":{\"distance\":\"4000km\",\"at\":{\"lat\":10,"
            + "\"lon\":20}}},\"sort\":[\"n\"]}");
    search(
        all,
        "{\"size\":100,\"query\":{\"bool\":{\"filter\":[{\"range\":{\"ip\":{\"gte\":\"10.20.0.0\","
            + "\"lt\":\"10.90.0.0\"}}},{\"term\":{\"flag\":true}}]}},\"sort\":[\"n\"]}");
    search(
        all,
        "{\"size\":0,\"aggs\":{\"kinds\":{\"terms\":{\"field\":\"kind\",\"size\":50},\"aggs\":{"
            + "\"mean\":{\"avg\":{\"field\":\"x\"}},\"top\":{\"max\":{\"field\":\"n\"}}}},"
            + "\"days\":{\"date_histogram\":{\"field\":\"day\",\"calendar_interval\":\"month\"}},"
            + "\"ips\":{\"cardinality\":{\"field\":\"ip\"}}}}");
    search(
        all,
        "{\"size\":10,\"knn\":{\"field\":\"vector\",\"query_vector\":[1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,"
            + "0],\"k\":10,\"num_candidates\":500},\"_source\":false}");
    search(
        all,
        "{\"size\":5,\"query\":{\"prefix\":{\"kind\":\"kind1\"}},\"sort\":[\"n\"],\"highlight\":{"
            + "\"fields\":{\"text\":{}}}}");
    for (int id = 0; id < DOCUMENTS; id += DOCUMENTS / 6) {
      all.add(new Question("GET", "/" + name + "/_doc/" + id, ""));
    }
    all.add(new Question("GET", "/" + name + "/_count", ""));
    return all;
  }

  private void search(List<Question> all, String body) {
    all.add(new Question("POST", "/" + name + "/_search", body));
  }

  /// Notes the right answers.
  public void learn(Http http) throws IOException, InterruptedException {
    for (Question question : questions()) {
      Http.Reply reply = http.send(question.method, question.path, question.body);
      if (reply.status() != 404) { // what was deleted is not found
        ok(reply);
      }
      answers.put(question.toString(), essence(reply));
    }
  }

  /// Asks everything again.
  ///
  /// @param damagedKey of the object of this index that is damaged; empty when none is
  public List<Judged> judge(Http http, String damagedKey) throws IOException, InterruptedException {
    List<Judged> judged = new ArrayList<>();
    for (Question question : questions()) {
      long begin = System.nanoTime();
      Judged one = judge(http, question, damagedKey);
      judged.add(one);
      boolean isSlow = System.nanoTime() - begin > SLOW_NANOS;
      if (isSlow && one.answer() != Answer.RIGHT) {
        judged.add(new Judged(Answer.UNNAMED, "it took long: " + one.what()));
        break;
      }
    }
    return judged;
  }

  private Judged judge(Http http, Question question, String damagedKey)
      throws InterruptedException {
    Http.Reply reply;
    try {
      reply = http.send(question.method, question.path, question.body);
    } catch (IOException e) {
      return new Judged(Answer.WRONG, question.path + " answered no JSON, or not at all: " + e);
    }
    String text = String.valueOf(reply.body());
    boolean isFailed = reply.body().path("_shards").path("failed").asInt(0) > 0;
    if (reply.status() < 500 && reply.status() != 429 && !isFailed) {
      JsonNode right = Objects.requireNonNull(answers.get(question.toString()));
      return isSame(right, essence(reply))
          ? Judged.RIGHT
          : new Judged(
              Answer.WRONG,
              question + " answered " + clipped(text) + ", right is " + clipped(right.toString()));
    }
    boolean isNamed =
        !damagedKey.isEmpty()
            && text.contains(damagedKey)
            && (reply.status() >= 500 || reply.status() == 200);
    return new Judged(
        isNamed ? Answer.NAMED : Answer.UNNAMED,
        question + " answered " + reply.status() + " " + clipped(text));
  }

  private static String clipped(String text) {
    return text.substring(0, Math.min(1500, text.length()));
  }

  /// Without what differs from time to time.
  private static JsonNode essence(Http.Reply reply) {
    if (reply.body() instanceof ObjectNode object) {
      ObjectNode copy = object.deepCopy();
      copy.remove(List.of("took", "_shards"));
      return copy.put("status", reply.status());
    }
    return reply.body();
  }

  /// Equal but for the last digits of scores: the sum over the lanes of a vector has no defined
  /// order, so that compiled and interpreted code differ there.
  private static boolean isSame(JsonNode one, JsonNode other) {
    return one.equals(SAME_NUMBERS, other);
  }

  private static JsonNode ok(Http.Reply reply) throws IOException {
    if (reply.status() > 299 || reply.body().path("errors").asBoolean()) {
      throw new IOException("refused: " + reply.status() + " " + clipped(reply.body().toString()));
    }
    return reply.body();
  }
}
