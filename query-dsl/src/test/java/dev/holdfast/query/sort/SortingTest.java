package dev.holdfast.query.sort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.query.SearchTestIndex;
import dev.holdfast.query.fetch.FetchPhase;
import dev.holdfast.query.parse.SearchParser;
import dev.holdfast.query.phase.SearchMerge;
import dev.holdfast.query.request.SearchSource;
import dev.holdfast.query.result.Hit;
import dev.holdfast.world.Json;
import dev.holdfast.world.Reservation;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class SortingTest {
  private static final String PROPERTIES =
      """
      {"n":{"type":"long"},"i":{"type":"integer"},"d":{"type":"double"},"f":{"type":"float"},
       "h":{"type":"half_float"},"k":{"type":"keyword"},"t":{"type":"date"},"b":{"type":"boolean"},
       "x":{"type":"text"},"u":{"type":"integer"}}
      """;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          "n"                                        | 3 2 1 4
          {"n":"desc"}                               | 1 2 3 4
          {"n":{"order":"asc","missing":"_first"}}   | 4 3 2 1
          {"n":{"order":"desc","missing":"_first"}}  | 4 1 2 3
          {"n":{"missing":6}}                        | 3 2 4 1
          {"n":{"mode":"max"}}                       | 3 2 1 4
          {"n":{"mode":"sum","order":"desc"}}        | 1 2 3 4
          {"n":{"mode":"avg"}}                       | 3 2 1 4
          {"n":{"mode":"median"}}                    | 3 2 1 4
          "i"                                        | 2 1 3 4
          {"i":{"order":"desc"}}                     | 3 1 2 4
          "d"                                        | 4 1 2 3
          {"d":{"mode":"avg","order":"desc"}}        | 2 1 4 3
          "f"                                        | 1 2 3 4
          "h"                                        | 1 2 3 4
          "k"                                        | 2 3 1 4
          {"k":"desc"}                               | 1 3 2 4
          {"k":{"order":"desc","missing":"_first"}}  | 4 1 3 2
          {"k":{"missing":"bb"}}                     | 2 4 3 1
          {"t":"desc"}                               | 2 1 3 4
          {"u":"asc"}                                | 1 2 3 4
          {"zz":{"unmapped_type":"long"}}            | 1 2 3 4
          {"d":{"numeric_type":"long","order":"desc"}}   | 2 1 4 3
          {"n":{"numeric_type":"double"}}                | 3 2 1 4
          {"t":{"numeric_type":"date_nanos","order":"desc"}} | 2 1 3 4
          ["b",{"n":"asc"}]                          | 3 2 1 4
          [{"b":{"missing":"0"}},{"n":"asc"}]        | 3 2 4 1
          """)
  void ordersAsElasticsearch(String sort, String ids) throws IOException {
    try (SearchTestIndex index = filled()) {
      assertThat(String.join(" ", index.ids("{\"sort\":" + sort + "}"))).isEqualTo(ids);
    }
  }

  private static SearchTestIndex filled() throws IOException {
    return new SearchTestIndex(PROPERTIES)
        .add(
            "1",
            """
            {"n":[7,9],"i":5,"d":1.25,"f":1.5,"h":1,"k":"c","t":"2024-01-01","b":true}\
            """,
            "2",
            """
            {"n":5,"i":-5,"d":[2.5,9],"f":2.5,"h":2,"k":["a","b"],"t":"2024-05-01","b":false}\
            """)
        .add(
            "3",
            """
            {"n":3,"i":7,"f":3.5,"h":3,"k":"bc","t":"2023-01-01","b":false}\
            """,
            "4",
            """
            {"d":-1}\
            """);
  }

  @Test
  void showsValuesAsElasticsearch() throws IOException {
    try (SearchTestIndex index = filled()) {
      List<Hit> hits =
          index.hits(
              """
              {"sort":[{"n":"asc"},"k","d",{"t":{"format":"yyyy-MM"}},"b"]}\
              """);

      assertThat(hits.get(0).sort())
          .containsExactly(3L, "bc", Double.POSITIVE_INFINITY, "2023-01", 0L);
      assertThat(hits.get(1).sort()).containsExactly(5L, "a", 2.5, "2024-05", 0L);
      assertThat(hits.get(3).sort()).startsWith(Long.MAX_VALUE, null, -1.0);
      assertThat(hits.get(0).score()).isNaN();
    }
  }

  @Test
  void showsNoValueOfNarrowNumbersInTheirWidth() throws IOException {
    try (SearchTestIndex index = filled()) {
      assertThat(index.hits("{\"sort\":[\"i\"]}").getLast().sort())
          .containsExactly((long) Integer.MAX_VALUE);
      assertThat(index.ids("{\"sort\":[\"i\"],\"search_after\":[" + Integer.MAX_VALUE + "]}"))
          .isEmpty();
      assertThat(index.ids("{\"sort\":[\"i\"],\"search_after\":[6]}")).containsExactly("3", "4");
    }
  }

  @Test
  void castsNumbersSoThatIndicesCanBeMerged() throws IOException {
    try (SearchTestIndex index = filled()) {
      List<Hit> hits =
          index.hits(
              """
              {"sort":[{"n":{"numeric_type":"double"}},{"d":{"numeric_type":"long"}},
                {"t":{"numeric_type":"date_nanos"}},
                {"t":{"numeric_type":"date_nanos","format":"yyyy-MM"}}]}\
              """);

      assertThat(hits.get(1).sort())
          .containsExactly(5.0, 2L, 1_714_521_600_000_000_000L, "2024-05");
      assertThat(hits.get(3).sort())
          .containsExactly(Double.POSITIVE_INFINITY, -1L, Long.MAX_VALUE, null);
      assertThat(
              index.ids(
                  "{\"sort\":[{\"n\":{\"numeric_type\":\"double\"}}],\"search_after\":[4.5]}"))
          .containsExactly("2", "1", "4");
      assertThatThrownBy(() -> index.ids("{\"sort\":[{\"k\":{\"numeric_type\":\"long\"}}]}"))
          .hasMessage("[numeric_type] option cannot be set on a non-numeric field, got keyword");
      assertThatThrownBy(() -> index.ids("{\"sort\":[{\"n\":{\"numeric_type\":\"text\"}}]}"))
          .hasMessage("[field_sort] failed to parse field [numeric_type]");
      assertThatThrownBy(() -> index.ids("{\"sort\":[{\"n\":{\"numeric_type\":\"date_nanos\"}}]}"))
          .hasMessageContaining("wrong field used?");
    }
  }

  @Test
  void sortsTextsWithDocValuesByTheirWholeValues() throws IOException {
    try (SearchTestIndex index =
        new SearchTestIndex("{\"x\":{\"type\":\"text\",\"doc_values\":true}}")) {
      index.add("1", "{\"x\":\"b a\"}", "2", "{\"x\":\"a z\"}", "3", "{\"x\":[\"c\",\"a\"]}");

      List<Hit> hits = index.hits("{\"sort\":[\"x\"],\"docvalue_fields\":[\"x\"]}");

      assertThat(hits).extracting(Hit::id).containsExactly("3", "2", "1");
      assertThat(hits.getFirst().fields()).containsEntry("x", List.of("a", "c"));
    }
  }

  @Test
  void refusesWhatHasNoOrder() throws IOException {
    try (SearchTestIndex index = filled()) {
      assertThatThrownBy(() -> index.ids("{\"sort\":[\"zz\"]}"))
          .hasMessage("No mapping found for [zz] in order to sort on");
      assertThatThrownBy(() -> index.ids("{\"sort\":[\"x\"]}"))
          .hasMessageContaining("Fielddata is disabled on [x]");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[{\"n\":\"asc\"},{\"id\":\"asc\"}]",
        "[{\"n\":\"desc\"},{\"id\":\"asc\"}]",
        "[{\"i\":{\"order\":\"asc\",\"missing\":\"_first\"}},{\"id\":\"desc\"}]",
        "[{\"d\":{\"order\":\"desc\",\"mode\":\"avg\"}},{\"id\":\"asc\"}]",
        "[{\"d\":\"asc\"},{\"id\":\"asc\"}]",
        "[{\"k\":\"asc\"},{\"id\":\"asc\"}]",
        "[{\"k\":{\"order\":\"desc\",\"missing\":\"_first\"}},{\"id\":\"asc\"}]",
        "[{\"t\":\"desc\"},{\"id\":\"asc\"}]",
        "[{\"id\":\"desc\"}]",
        "[{\"_score\":\"desc\"},{\"id\":\"asc\"}]"
      })
  void pagesAddUpToTheWholeAndShardsToOne(String sort) throws IOException {
    long seed = new Random().nextLong();
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    String properties = PROPERTIES.strip().replaceAll("}$", ",\"id\":{\"type\":\"integer\"}}");
    try (SearchTestIndex whole = new SearchTestIndex(properties);
        SearchTestIndex left = new SearchTestIndex(properties);
        SearchTestIndex right = new SearchTestIndex(properties)) {
      // given
      int documents = 200 + random.nextInt(200);
      List<List<String>> parts = List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
      for (int id = 0; id < documents; id++) {
        String document = document(random, id);
        parts.get(0).addAll(List.of("" + id, document));
        parts.get(1 + random.nextInt(2)).addAll(List.of("" + id, document));
      }
      fill(whole, parts.get(0), random);
      fill(left, parts.get(1), random);
      fill(right, parts.get(2), random);
      String body =
          "{\"query\":{\"constant_score\":{\"filter\":{\"match_all\":{}}}},\"size\":%d,\"sort\":"
              + sort
              + "%s}";
      // when
      List<String> all = whole.ids(String.format(body, 1000, ""));
      // then
      assertThat(pages(whole, body, 1 + random.nextInt(40))).isEqualTo(all);
      assertThat(merged(left, right, String.format(body, 1000, ""))).isEqualTo(all);
    }
  }

  private static void fill(SearchTestIndex index, List<String> documents, Random random)
      throws IOException {
    for (int from = 0; from < documents.size(); ) {
      int to = Math.min(documents.size(), from + 2 * (1 + random.nextInt(100)));
      index.add(documents.subList(from, to).toArray(String[]::new));
      from = to;
    }
  }

  private static String document(Random random, int id) {
    ObjectNode node = Json.object().put("id", id);
    if (random.nextInt(5) > 0) {
      node.put("n", random.nextInt(20) - 10L);
      node.put("i", random.nextInt(20) - 10);
      ArrayNode several = node.putArray("d");
      for (int i = random.nextInt(3); i >= 0; i--) {
        several.add(random.nextInt(40) / 4.0 - 5);
      }
    }
    if (random.nextBoolean()) {
      node.put("k", "k" + random.nextInt(9));
      node.put("t", 1_700_000_000_000L + random.nextInt(9) * 86_400_000L);
    }
    return node.toString();
  }

  private static List<String> pages(SearchTestIndex index, String body, int size)
      throws IOException {
    List<String> ids = new ArrayList<>();
    String after = "";
    while (true) {
      List<Hit> page = index.hits(String.format(body, size, after));
      if (page.isEmpty()) {
        return ids;
      }
      page.forEach(hit -> ids.add(hit.id()));
      // The values go through JSON, as with a client.
      after = ",\"search_after\":" + Json.MAPPER.valueToTree(page.getLast().sort());
    }
  }

  private static List<String> merged(SearchTestIndex left, SearchTestIndex right, String body)
      throws IOException {
    SearchSource source = SearchParser.parse(Json.parseObject(body));
    SearchMerge merge =
        SearchMerge.of(
            source, List.of(left.run(body), right.run(body)), 65_536, Reservation.ofHeap());
    List<String> ids = new ArrayList<>();
    for (SearchMerge.MergedHit hit : merge.hits()) {
      SearchTestIndex index = hit.shard() == 0 ? left : right;
      ids.add(FetchPhase.run(source, index.context(), List.of(hit.hit())).getFirst().id());
    }
    return ids;
  }
}
