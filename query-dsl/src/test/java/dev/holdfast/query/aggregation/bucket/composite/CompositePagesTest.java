package dev.holdfast.query.aggregation.bucket.composite;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.query.aggregation.AggregationAnswer;
import dev.holdfast.query.aggregation.AggregationTestShard;
import dev.holdfast.world.Json;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Pages of random `composite` aggregations, over random documents in random segments and shards,
/// are what one gets by writing down every combination of every document.
final class CompositePagesTest {
  private static final String MAPPING =
      """
      {"dynamic": false, "properties": {
        "word": {"type": "keyword"}, "words": {"type": "keyword"}, "n": {"type": "long"},
        "ns": {"type": "integer"}, "price": {"type": "double"}, "cents": {"type": "scaled_float",
        "scaling_factor": 100}, "flag": {"type": "boolean"}, "at": {"type": "date"},
        "nanos": {"type": "date_nanos"}, "parent": {"type": "keyword"}, "all": {"type": "keyword"}}}
      """;
  private static final int DOCUMENTS_MAX = 600;

  /// @param json what the request says
  /// @param key of a value as the document has it
  private record Source(
      String name,
      String field,
      String json,
      boolean isAscending,
      boolean hasMissing,
      boolean isNullFirst,
      Function<JsonNode, Comparable<?>> key) {

    int compare(@Nullable Comparable<?> a, @Nullable Comparable<?> b) {
      if (a == null || b == null) {
        return a == b ? 0 : (a == null) == isNullFirst ? -1 : 1;
      }
      @SuppressWarnings("unchecked")
      int order = ((Comparable<Object>) a).compareTo(b);
      return isAscending ? order : -order;
    }
  }

  @ParameterizedTest
  @ValueSource(
      longs = {
        1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24
      })
  void pagesAreTheCombinations(long seed) throws Exception {
    Random random = new Random(seed);
    List<ObjectNode> documents = documents(random);
    List<Source> sources = sources(random);
    List<AggregationTestShard> shards = shards(documents, random);
    try {
      int size = 1 + random.nextInt(random.nextBoolean() ? 5 : 200);
      boolean isNarrowed = random.nextBoolean();
      String query = isNarrowed ? "{'term':{'flag':true}}" : "{'match_all':{}}";
      List<ObjectNode> matching =
          documents.stream().filter(each -> !isNarrowed || each.path("flag").asBoolean()).toList();
      List<JsonNode> pages = new ArrayList<>();
      JsonNode after = null;
      while (true) {
        JsonNode page =
            AggregationAnswer.of(request(sources, size, after), query, false, all(shards));
        page.path("a").path("buckets").forEach(pages::add);
        after = page.path("a").get("after_key");
        if (after == null) {
          break;
        }
        assertThat(page.path("a").path("buckets").size()).isLessThanOrEqualTo(size);
      }
      assertThat(pages).as("seed " + seed).isEqualTo(expected(sources, matching));
    } finally {
      for (AggregationTestShard shard : shards) {
        shard.close();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void pagesOfParentsAreTheirOwn(long seed) throws Exception {
    Random random = new Random(seed);
    List<ObjectNode> documents = documents(random);
    List<Source> sources = sources(random);
    List<AggregationTestShard> shards = shards(documents, random);
    try {
      int size = 1 + random.nextInt(9);
      String inner = request(sources, size, null);
      JsonNode answer =
          AggregationAnswer.of(
              "{'p':{'filter':{'term':{'parent':'p1'}},'aggs':{'f':{'filter':{'term':{'flag':true}},"
                  + "'aggs':"
                  + inner
                  + "}}}}",
              all(shards));
      List<ObjectNode> its =
          documents.stream()
              .filter(each -> each.path("flag").asBoolean())
              .filter(each -> has(each.path("parent"), "p1"))
              .toList();
      List<JsonNode> expected = expected(sources, its);
      List<JsonNode> found = new ArrayList<>();
      answer.path("p").path("f").path("a").path("buckets").forEach(found::add);
      assertThat(found)
          .as("seed " + seed)
          .isEqualTo(expected.subList(0, Math.min(size, expected.size())));
    } finally {
      for (AggregationTestShard shard : shards) {
        shard.close();
      }
    }
  }

  private static boolean has(JsonNode values, String one) {
    for (JsonNode each : values) {
      if (each.asText().equals(one)) {
        return true;
      }
    }
    return false;
  }

  private static AggregationTestShard[] all(List<AggregationTestShard> shards) {
    return shards.toArray(AggregationTestShard[]::new);
  }

  private static String request(List<Source> sources, int size, @Nullable JsonNode after) {
    List<String> parts = sources.stream().map(Source::json).toList();
    return "{'a':{'composite':{'size':"
        + size
        + ",'sources':["
        + String.join(",", parts)
        + "]"
        + (after == null ? "" : ",'after':" + after)
        + "},'aggs':{'s':{'sum':{'field':'n'}}}}}";
  }

  private static List<JsonNode> expected(List<Source> sources, List<ObjectNode> documents) {
    Comparator<List<@Nullable Comparable<?>>> order =
        (a, b) -> {
          for (int i = 0; i < sources.size(); i++) {
            int one = sources.get(i).compare(a.get(i), b.get(i));
            if (one != 0) {
              return one;
            }
          }
          return 0;
        };
    TreeMap<List<@Nullable Comparable<?>>, long[]> found = new TreeMap<>(order);
    for (ObjectNode document : documents) {
      List<List<@Nullable Comparable<?>>> combinations = new ArrayList<>();
      combinations.add(List.of());
      for (Source source : sources) {
        combinations = extended(combinations, keys(source, document));
      }
      for (List<@Nullable Comparable<?>> each : combinations) {
        long[] sums = found.computeIfAbsent(each, _ -> new long[2]);
        sums[0]++;
        sums[1] += document.path("n").asLong();
      }
    }
    List<JsonNode> buckets = new ArrayList<>();
    found.forEach((key, sums) -> {
      ObjectNode bucket = Json.object();
      ObjectNode names = bucket.putObject("key");
      for (int i = 0; i < sources.size(); i++) {
        names.putPOJO(sources.get(i).name(), key.get(i));
      }
      bucket.put("doc_count", sums[0]);
      bucket.putObject("s").put("value", (double) sums[1]);
      buckets.add(Json.parse(bucket.toString()));
    });
    return buckets;
  }

  private static List<List<@Nullable Comparable<?>>> extended(
      List<List<@Nullable Comparable<?>>> before, List<@Nullable Comparable<?>> keys) {
    List<List<@Nullable Comparable<?>>> after = new ArrayList<>();
    for (List<@Nullable Comparable<?>> each : before) {
      for (Comparable<?> key : keys) {
        List<@Nullable Comparable<?>> longer = new ArrayList<>(each);
        longer.add(key);
        after.add(longer);
      }
    }
    return after;
  }

  private static List<@Nullable Comparable<?>> keys(Source source, ObjectNode document) {
    JsonNode values = document.path(source.field());
    TreeSet<Comparable<?>> keys = new TreeSet<>();
    for (JsonNode each : values.isArray() ? values : Json.MAPPER.createArrayNode().add(values)) {
      if (!each.isMissingNode()) {
        keys.add(source.key().apply(each));
      }
    }
    List<@Nullable Comparable<?>> listed = new ArrayList<>(keys);
    if (listed.isEmpty() && source.hasMissing()) {
      listed.add(null);
    }
    return listed;
  }

  private static List<Source> sources(Random random) {
    List<Source> sources = new ArrayList<>();
    int count = 1 + random.nextInt(4);
    for (int i = 0; i < count; i++) {
      sources.add(source("s" + i, random));
    }
    return sources;
  }

  private static Source source(String name, Random random) {
    return switch (random.nextInt(10)) {
      case 0 -> source(name, "terms", "word", "", JsonNode::asText, random);
      case 1, 2 -> source(name, "terms", "words", "", JsonNode::asText, random);
      case 3 -> source(name, "terms", "n", "", JsonNode::asLong, random);
      case 4 -> source(name, "terms", "ns", "", JsonNode::asLong, random);
      case 5 -> source(name, "terms", "price", "", JsonNode::asDouble, random);
      case 6 ->
          source(
              name,
              "histogram",
              "ns",
              ",'interval':7",
              each -> Math.floor(each.asDouble() / 7) * 7,
              random);
      case 7 ->
          source(
              name,
              "histogram",
              "cents",
              ",'interval':2.5",
              each -> Math.floor(each.asDouble() / 2.5) * 2.5,
              random);
      case 8 ->
          source(
              name,
              "date_histogram",
              "at",
              ",'calendar_interval':'month'",
              each -> month(Instant.ofEpochMilli(each.asLong())),
              random);
      default ->
          source(
              name,
              "date_histogram",
              "nanos",
              ",'fixed_interval':'7d'",
              each ->
                  Math.floorDiv(Instant.parse(each.asText()).toEpochMilli(), 604_800_000L)
                      * 604_800_000L,
              random);
    };
  }

  private static long month(Instant at) {
    return at.atZone(ZoneOffset.UTC)
        .withDayOfMonth(1)
        .truncatedTo(ChronoUnit.DAYS)
        .toInstant()
        .toEpochMilli();
  }

  private static Source source(
      String name,
      String kind,
      String field,
      String options,
      Function<JsonNode, Comparable<?>> key,
      Random random) {
    boolean isAscending = random.nextBoolean();
    boolean hasMissing = random.nextBoolean();
    boolean isDefault = random.nextBoolean();
    boolean isNullFirst = isDefault ? isAscending : random.nextBoolean();
    String json =
        "{'"
            + name
            + "':{'"
            + kind
            + "':{'field':'"
            + field
            + "'"
            + options
            + ",'order':'"
            + (isAscending ? "asc" : "desc")
            + "'"
            + (hasMissing ? ",'missing_bucket':true" : "")
            + (hasMissing && !isDefault
                ? ",'missing_order':'" + (isNullFirst ? "first" : "last") + "'"
                : "")
            + "}}}";
    return new Source(name, field, json, isAscending, hasMissing, isNullFirst, key);
  }

  private static List<AggregationTestShard> shards(List<ObjectNode> documents, Random random)
      throws Exception {
    List<AggregationTestShard> shards = new ArrayList<>();
    int from = 0;
    int count = 1 + random.nextInt(3);
    for (int i = 0; i < count; i++) {
      AggregationTestShard shard = new AggregationTestShard(MAPPING);
      shards.add(shard);
      int end = i == count - 1 ? documents.size() : documents.size() * (i + 1) / count;
      while (from < end) {
        int to = Math.min(end, from + 1 + random.nextInt(200));
        shard.segment(documents.subList(from, to).stream().map(ObjectNode::toString).toList());
        from = to;
      }
    }
    return shards;
  }

  /// Some fields are in every document, so that columns are dense; others are in some, or several
  /// times; parts of the documents have words that no other part has.
  private static List<ObjectNode> documents(Random random) {
    List<ObjectNode> documents = new ArrayList<>();
    int count = 1 + random.nextInt(DOCUMENTS_MAX);
    int words = 1 + random.nextInt(60);
    boolean isDense = random.nextBoolean();
    for (int i = 0; i < count; i++) {
      ObjectNode document = Json.object().put("all", "x").put("n", random.nextInt(40) - 20);
      document.put("flag", random.nextBoolean());
      document.putArray("parent").add("p" + random.nextInt(3)).add("p" + random.nextInt(3));
      if (isDense || random.nextInt(4) > 0) {
        document.put("word", "w" + (random.nextInt(words) + i / 7));
        document.put("price", random.nextInt(60) / 4.0 - 5);
        document.put("cents", random.nextInt(4000) / 100.0);
        long at = 1_577_836_800_000L + random.nextInt(400) * 86_400_000L;
        document.put("at", at);
        document.put("nanos", Instant.ofEpochMilli(at).plusNanos(random.nextInt(1000)).toString());
      }
      if (random.nextInt(3) > 0) {
        ArrayNode many = document.putArray("ns");
        ArrayNode texts = document.putArray("words");
        for (int j = random.nextInt(4); j >= 0; j--) {
          many.add(random.nextInt(60) - 30);
          texts.add("t" + random.nextInt(words));
        }
      }
      documents.add(document);
    }
    return documents;
  }
}
