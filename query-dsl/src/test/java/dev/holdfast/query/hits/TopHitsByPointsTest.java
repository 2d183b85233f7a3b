package dev.holdfast.query.hits;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.SearchTestIndex;
import dev.holdfast.query.parse.SearchParser;
import dev.holdfast.query.phase.SearchMerge;
import dev.holdfast.query.request.SearchSource;
import dev.holdfast.query.result.ShardHit;
import dev.holdfast.query.sort.SortKey;
import dev.holdfast.query.sort.SortKeys;
import dev.holdfast.world.Json;
import dev.holdfast.world.Reservation;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.search.Query;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TopHitsByPointsTest {
  private static final String PROPERTIES =
      """
      {"long":{"type":"long"},"integer":{"type":"integer"},"double":{"type":"double"},
       "float":{"type":"float"},"date":{"type":"date"},"unsigned":{"type":"unsigned_long"},
       "every":{"type":"keyword"},"slow":{"type":"long","index":false}}
      """;
  private static final List<String> FIELDS =
      List.of("long", "integer", "double", "float", "date", "unsigned");

  /// A second filter that every document passes hides the range from the shortcut.
  private static final String PLAIN = "{\"bool\":{\"filter\":[%s,{\"term\":{\"every\":\"x\"}}]}}";

  /// How many searches of all repetitions took the shortcut: an index of few documents, which dice
  /// make now and then, leaves it to the plain path.
  private static final AtomicInteger SHORTCUTS = new AtomicInteger();

  @AfterAll
  static void theShortcutWasTaken() {
    assertThat(SHORTCUTS.get()).isGreaterThan(5);
  }

  @RepeatedTest(4)
  void answersAsThePlainPath() throws IOException {
    long seed = new Random().nextLong();
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    try (SearchTestIndex index = new SearchTestIndex(PROPERTIES)) {
      // given
      fill(index, random);
      for (int i = 0; i < 200; i++) {
        String field = FIELDS.get(random.nextInt(FIELDS.size()));
        String query = query(random, field);
        String rest = rest(random, field);
        // when
        String quick = body(query, rest);
        String plain = body(String.format(PLAIN, query), rest);
        // then
        assertThat(shown(index, quick)).as(quick).isEqualTo(shown(index, plain));
        assertThat(narrowed(index, plain)).isNull();
        SHORTCUTS.addAndGet(narrowed(index, quick) == null ? 0 : 1);
      }
    }
  }

  private static void fill(SearchTestIndex index, Random random) throws IOException {
    int values = 10 + random.nextInt(3000);
    boolean hasSeveral = random.nextInt(3) == 0;
    boolean hasMissing = random.nextInt(3) == 0;
    int id = 0;
    for (int segment = 1 + random.nextInt(5); segment > 0; segment--) {
      List<String> documents = new ArrayList<>();
      for (int i = 1 + random.nextInt(1500); i > 0; i--) {
        documents.add("" + id++);
        documents.add(document(random, values, hasMissing, hasSeveral));
      }
      index.add(documents.toArray(String[]::new));
    }
    if (random.nextInt(2) == 0) {
      for (int i = 0; i < 5; i++) {
        String field = FIELDS.get(random.nextInt(FIELDS.size()));
        index.delete("{\"term\":{\"" + field + "\":" + random.nextInt(values) + "}}");
      }
      index.delete("{\"range\":{\"long\":{\"gte\":" + (values - random.nextInt(values)) + "}}}");
    }
  }

  private static String document(
      Random random, int values, boolean hasMissing, boolean hasSeveral) {
    ObjectNode node = Json.object().put("every", "x");
    for (String field : FIELDS) {
      if (hasMissing && random.nextInt(4) == 0) {
        continue;
      }
      ArrayNode several = node.putArray(field);
      for (int i = hasSeveral ? random.nextInt(3) : 0; i >= 0; i--) {
        several.add(random.nextInt(values));
      }
    }
    if (random.nextInt(400) == 0) {
      node.put("long", random.nextBoolean() ? Long.MIN_VALUE : Long.MAX_VALUE);
      node.put("integer", random.nextBoolean() ? Integer.MIN_VALUE : Integer.MAX_VALUE);
    }
    return node.toString();
  }

  private static String query(Random random, String field) {
    ObjectNode bounds = Json.object();
    if (random.nextBoolean()) {
      bounds.put(random.nextBoolean() ? "gte" : "gt", random.nextInt(1500));
    }
    if (random.nextBoolean()) {
      bounds.put(random.nextBoolean() ? "lte" : "lt", random.nextInt(3000));
    }
    String range = "{\"range\":{\"" + field + "\":" + bounds + "}}";
    return switch (random.nextInt(4)) {
      case 0 -> "{\"match_all\":{}}";
      case 1 -> "{\"bool\":{\"filter\":" + range + "}}";
      default -> range;
    };
  }

  private static String rest(Random random, String field) {
    ObjectNode rest = Json.object();
    rest.put("size", random.nextInt(10) == 0 ? 5000 : 1 + random.nextInt(30));
    rest.put("from", random.nextInt(3) == 0 ? random.nextInt(200) : 0);
    switch (random.nextInt(4)) {
      case 0 -> rest.put("track_total_hits", true);
      case 1 -> rest.put("track_total_hits", false);
      case 2 -> rest.put("track_total_hits", 1 + random.nextInt(2000));
      default -> {}
    }
    ArrayNode sort = rest.putArray("sort");
    ObjectNode first = sort.addObject().putObject(field);
    first.put("order", random.nextBoolean() ? "asc" : "desc");
    switch (random.nextInt(8)) {
      case 0 -> first.put("mode", "min");
      case 1 -> first.put("mode", "max");
      case 2 -> first.put("missing", "_first");
      case 3 -> first.put("missing", 7);
      default -> {}
    }
    boolean hasSecond = random.nextInt(3) == 0;
    if (hasSecond) {
      String second = FIELDS.get(random.nextInt(FIELDS.size()));
      sort.addObject().put(second, random.nextBoolean() ? "asc" : "desc");
    }
    if (random.nextInt(3) == 0) {
      rest.put("from", 0);
      ArrayNode after = rest.putArray("search_after").add(random.nextInt(3000));
      if (hasSecond) {
        after.add(random.nextInt(3000));
      }
    }
    String text = rest.toString();
    return text.substring(1, text.length() - 1);
  }

  private static String body(String query, String rest) {
    return "{\"query\":" + query + "," + rest + "}";
  }

  /// All that a client would see of the query phase.
  private static String shown(SearchTestIndex index, String body) throws IOException {
    SearchSource source = SearchParser.parse(Json.parseObject(body));
    SearchMerge merge =
        SearchMerge.of(source, List.of(index.run(body)), 65_536, Reservation.ofHeap());
    StringBuilder shown = new StringBuilder();
    shown.append(merge.total()).append(merge.isTotalExact() ? " eq" : " gte");
    shown.append(' ').append(merge.maxScore());
    for (SearchMerge.MergedHit merged : merge.hits()) {
      ShardHit hit = merged.hit();
      shown.append('\n').append(hit.doc()).append(' ').append(hit.score());
      shown.append(' ').append(hit.sortValues());
    }
    return shown.toString();
  }

  /// What the shortcut makes of the query; null when it is not taken.
  private static Query narrowed(SearchTestIndex index, String body) throws IOException {
    SearchSource source = SearchParser.parse(Json.parseObject(body));
    QueryContext context = index.context();
    List<SortKey> keys = SortKeys.bind(source.sorts(), context);
    Query query = source.query().toLucene(context);
    TopHitsByPoints top = TopHitsByPoints.of(source, context, keys, query);
    int documents = context.searcher().getIndexReader().maxDoc();
    return top == null ? null : top.narrowed(Math.min(documents, source.hitsOfShard()));
  }

  @RepeatedTest(2)
  void likelyHitsAreThoseOfThePlainPath() throws IOException {
    long seed = new Random().nextLong();
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    int taken = 0;
    try (SearchTestIndex index = new SearchTestIndex(PROPERTIES)) {
      // given documents in the order of time, some without one or with several
      int id = 0;
      for (int segment = 0; segment < 3; segment++) {
        List<String> documents = new ArrayList<>();
        for (int i = 0; i < 6000; i++) {
          ObjectNode node = Json.object().put("integer", random.nextInt(3000));
          node.put("every", random.nextInt(20) == 0 ? "rare" : id < 9000 ? "old" : "x");
          if (random.nextInt(9) > 0) {
            node.putArray("long").add(id / 3).add(id / 3 - random.nextInt(2) * 40);
          }
          documents.add("" + id++);
          documents.add(node.toString());
        }
        index.add(documents.toArray(String[]::new));
      }
      index.delete("{\"range\":{\"long\":{\"gte\":5990}}}");
      for (int i = 0; i < 60; i++) {
        String[] words = {"x", "old", "rare"};
        String word = words[random.nextInt(words.length)];
        String query =
            random.nextBoolean()
                ? "{\"term\":{\"every\":\"" + word + "\"}}"
                : "{\"bool\":{\"filter\":[{\"term\":{\"every\":\""
                    + word
                    + "\"}},{\"range\":{\"integer\":{\"gt\":"
                    + random.nextInt(1000)
                    + "}}}]}}";
        String rest = rest(random, random.nextBoolean() ? "long" : "integer");
        ObjectNode body = Json.parseObject(body(query, rest));
        body.put("from", 0).put("size", 1 + random.nextInt(20));
        ObjectNode all = body.deepCopy().put("size", 10_000);
        // when
        List<String> few = shown(index, body.toString()).lines().toList();
        List<String> many = shown(index, all.toString()).lines().toList();
        // then
        assertThat(few)
            .as(body.toString())
            .isEqualTo(many.subList(0, Math.min(many.size(), 1 + body.path("size").asInt())));
        taken += likely(index, body.toString()) == null ? 0 : 1;
        assertThat(likely(index, all.toString())).isNull();
      }
    }
    assertThat(taken).isGreaterThan(5);
  }

  private static Query likely(SearchTestIndex index, String body) throws IOException {
    SearchSource source = SearchParser.parse(Json.parseObject(body));
    QueryContext context = index.context();
    List<SortKey> keys = SortKeys.bind(source.sorts(), context);
    Query query = source.query().toLucene(context);
    return TopHitsByPoints.likely(source, context, keys, query, source.hitsOfShard());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          "size":2,"sort":[{"long":"desc"}]                                | true
          "size":2,"sort":["long"]                                         | true
          "size":2,"sort":[{"long":"desc"},"integer"]                      | true
          "size":2,"sort":[{"long":"desc"}],"query":{"match_all":{}}       | true
          "size":2,"sort":["long"],"query":{"range":{"long":{"gt":3}}}     | true
          "size":2,"sort":["long"],"query":{"exists":{"field":"long"}}     | true
          "size":2,"sort":["long"],"query":{"range":{"integer":{"gt":3}}}  | false
          "size":2,"sort":[{"long":{"missing":"_first"}}]                  | false
          "size":2,"sort":[{"long":{"missing":7}}]                         | false
          "size":2,"sort":[{"long":{"mode":"avg"}}]                        | false
          "size":2,"sort":["slow"]                                         | false
          "size":2,"sort":["long"],"track_scores":true                     | false
          "size":2,"sort":["long","_score"]                                | false
          "size":2,"sort":["long"],"search_after":[4]                      | true
          "size":2,"sort":[{"long":"desc"}],"search_after":[4]             | true
          "size":2,"sort":["long"],"search_after":[18]                     | false
          "size":2,"sort":["every","long"]                                 | false
          "size":40,"sort":["long"]                                        | false
          """)
  void isTakenWherePointsTell(String body, boolean isTaken) throws IOException {
    try (SearchTestIndex index = new SearchTestIndex(PROPERTIES)) {
      for (int i = 0; i < 20; i++) {
        String numbers = "\"long\":" + i + ",\"integer\":" + i + ",\"slow\":" + i;
        index.add("" + i, "{\"every\":\"x\"" + (i == 0 ? "" : "," + numbers) + "}");
      }
      assertThat(narrowed(index, "{" + body + "}") != null).isEqualTo(isTaken);
    }
  }

  @ParameterizedTest
  @CsvSource({"asc,0,9", "desc,29990,29999"})
  void deepTreesTellExactly(String order, int from, int to) throws IOException {
    try (SearchTestIndex index = new SearchTestIndex("{\"long\":{\"type\":\"long\"}}")) {
      List<String> documents = new ArrayList<>();
      for (int i = 0; i < 30_000; i++) {
        documents.addAll(List.of("" + i, "{\"long\":" + i + "}"));
      }
      index.add(documents.toArray(String[]::new));

      Query narrowed = narrowed(index, "{\"sort\":[{\"long\":\"" + order + "\"}]}");
      assertThat(narrowed).isNotNull();
      assertThat(index.context().searcher().count(narrowed)).isEqualTo(to - from + 1);
    }
  }

  @Test
  void documentOfSeveralBestValuesIsOneHit() throws IOException {
    try (SearchTestIndex index = new SearchTestIndex(PROPERTIES)) {
      index.add("a", "{\"long\":[7,8,9]}", "b", "{\"long\":5}", "c", "{\"long\":6}");

      assertThat(index.ids("{\"size\":2,\"sort\":[{\"long\":\"desc\"}]}"))
          .containsExactly("a", "c");
    }
  }

  @Test
  void valueOutsideTheRangeStillSorts() throws IOException {
    try (SearchTestIndex index = new SearchTestIndex(PROPERTIES)) {
      index.add("a", "{\"long\":[1,100]}", "b", "{\"long\":5}", "c", "{\"long\":6}");

      String body = "{\"size\":1,\"sort\":[{\"long\":\"desc\"}],\"query\":%s}";
      assertThat(index.ids(String.format(body, "{\"range\":{\"long\":{\"lt\":10}}}")))
          .containsExactly("a");
    }
  }
}
