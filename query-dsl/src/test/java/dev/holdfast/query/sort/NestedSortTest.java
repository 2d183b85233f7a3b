package dev.holdfast.query.sort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.query.SearchTestIndex;
import dev.holdfast.query.result.Hit;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Sorts whose values lie in nested objects, and sorts by distance.
final class NestedSortTest {
  private static final String PROPERTIES =
      """
      {"at":{"type":"geo_point"},
       "o":{"type":"nested","properties":{"n":{"type":"long"},"d":{"type":"double"},
         "k":{"type":"keyword"},"p":{"type":"nested","properties":{"m":{"type":"long"}}}}}}
      """;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"o.n":{"nested":{"path":"o"}}}                                              | 2 1 3 4
          {"o.n":{"order":"desc","nested":{"path":"o"}}}                               | 1 3 2 4
          {"o.n":{"order":"desc","mode":"sum","nested":{"path":"o"}}}                  | 1 2 3 4
          {"o.n":{"nested":{"path":"o","max_children":1}}}                             | 2 3 1 4
          {"o.n":{"nested":{"path":"o","filter":{"term":{"o.k":"b"}}}}}                | 1 2 3 4
          {"o.d":{"mode":"avg","nested":{"path":"o"}}}                                 | 1 2 3 4
          {"o.k":{"nested":{"path":"o"}}}                                              | 1 2 3 4
          {"o.k":{"order":"desc","missing":"_first","nested":{"path":"o"}}}            | 4 2 1 3
          {"o.p.m":{"nested":{"path":"o","filter":{"term":{"o.k":"b"}},"nested":{"path":"o.p"}}}} | 3 1 2 4
          {"_geo_distance":{"at":{"lat":0,"lon":0},"unit":"km"}}                       | 3 1 2 4
          {"_geo_distance":{"at":[[0,0]],"order":"desc"}}                              | 4 2 1 3
          {"_geo_distance":{"at":["0,0","0,9"],"mode":"max"}}                          | 2 1 3 4
          """)
  void ordersByValuesElsewhere(String sort, String ids) throws IOException {
    try (SearchTestIndex index = filled()) {
      assertThat(String.join(" ", index.ids("{\"sort\":[" + sort + ",\"_doc\"]}"))).isEqualTo(ids);
    }
  }

  @Test
  void showsDistancesInTheirUnit() throws IOException {
    try (SearchTestIndex index = filled()) {
      Hit nearest =
          index.hits("{\"sort\":[{\"_geo_distance\":{\"at\":[0,0],\"unit\":\"km\"}}]}").getFirst();
      assertThat((double) java.util.Objects.requireNonNull(nearest.sort().getFirst()))
          .isBetween(111.0, 112.0);
    }
  }

  @Test
  void refusesPathsThatAreNotNested() throws IOException {
    try (SearchTestIndex index = filled()) {
      assertThatThrownBy(() -> index.ids("{\"sort\":{\"o.n\":{\"nested\":{\"path\":\"at\"}}}}"))
          .hasMessageContaining("[nested] failed to find nested object under path [at]");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'sort':'o.n'} | o.n",
        "{'sort':[{'o.p.m':'desc'}]} | o.p.m",
        "{'query':{'nested':{'path':'o','query':{'match_all':{}},'inner_hits':{'sort':'o.p.m'}}}} | o.p.m",
        "{'aggs':{'a':{'top_hits':{'sort':'o.n'}}}} | o.n",
        "{'aggs':{'a':{'nested':{'path':'o'},'aggs':{'r':{'reverse_nested':{},"
            + "'aggs':{'t':{'top_hits':{'sort':'o.n'}}}}}}}} | o.n",
      })
  void refusesValuesOfObjectsThatAreNotNamed(String body, String field) throws IOException {
    try (SearchTestIndex index = filled()) {
      assertThatThrownBy(() -> index.ids(body.replace('\'', '"')))
          .hasMessageContaining(
              "it is mandatory to set the [nested] context on the nested sort field: ["
                  + field
                  + "]");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'query':{'nested':{'path':'o','query':{'match_all':{}},'inner_hits':{'sort':'o.n'}}}}",
        "{'aggs':{'a':{'nested':{'path':'o'},'aggs':{'t':{'top_hits':{'sort':'o.n'}}}}}}",
        "{'aggs':{'a':{'nested':{'path':'o'},'aggs':{'f':{'filter':{'nested':{'path':'o.p',"
            + "'query':{'match_all':{}}}},'aggs':{'t':{'top_hits':{'sort':'o.n'}}}}}}}}",
      })
  void amongObjectsTheirValuesNeedNoName(String body) throws IOException {
    try (SearchTestIndex index = filled()) {
      assertThat(index.ids(body.replace('\'', '"'))).isNotEmpty();
    }
  }

  @Test
  void objectsAmongObjectsAreThoseOfEachAlone() throws IOException {
    try (SearchTestIndex index = new SearchTestIndex(PROPERTIES)) {
      index.add("1", "{\"o\":[{\"p\":{\"m\":1}},{\"p\":{\"m\":5}},{\"p\":{\"m\":3}}]}");
      String body =
          """
          {"query":{"nested":{"path":"o","query":{"match_all":{}},"inner_hits":{
            "sort":{"o.p.m":{"nested":{"path":"o.p"}}}}}}}
          """;

      List<Hit> objects =
          Objects.requireNonNull(index.hits(body).getFirst().innerHits().get("o")).hits();

      assertThat(objects.stream().map(hit -> hit.sort().getFirst())).containsExactly(1L, 3L, 5L);
    }
  }

  @Test
  void valuesThatTheDocumentHasTooNeedNoName() throws IOException {
    String properties =
        """
        {"o":{"type":"nested","include_in_root":true,"properties":{"n":{"type":"long"}}}}
        """;
    try (SearchTestIndex index = new SearchTestIndex(properties)) {
      index.add("1", "{\"o\":{\"n\":2}}", "2", "{\"o\":{\"n\":1}}");

      assertThat(index.ids("{\"sort\":\"o.n\"}")).containsExactly("2", "1");
    }
  }

  /// Each document is better than those before it: it is looked at twice.
  @Test
  void documentsThatAreLookedAtTwiceKeepTheirValues() throws IOException {
    try (SearchTestIndex index = new SearchTestIndex(PROPERTIES)) {
      for (int i = 0; i < 50; i++) {
        String word = String.format(java.util.Locale.ROOT, "%03d", 99 - i);
        index.add(
            "d" + i,
            i % 3 == 0
                ? "{}"
                : "{\"o\":[{\"n\":"
                    + (99 - i)
                    + ",\"k\":\""
                    + word
                    + "\"},{\"n\":1,\"k\":\"a\"}]}");
      }
      assertThat(
              index.ids(
                  "{\"size\":2,\"sort\":[{\"o.n\":{\"mode\":\"max\",\"nested\":{\"path\":\"o\"}}}]}"))
          .containsExactly("d49", "d47");
      assertThat(index.ids("{\"size\":2,\"sort\":[{\"o.k\":{\"nested\":{\"path\":\"o\"}}}]}"))
          .containsExactly("d49", "d47");
    }
  }

  private static SearchTestIndex filled() throws IOException {
    return new SearchTestIndex(PROPERTIES)
        .add(
            "1",
            """
            {"at":"0,4","o":[{"n":9,"d":1,"k":"a"},{"n":2,"d":2,"k":"b","p":[{"m":6},{"m":5}]}]}\
            """,
            "2",
            """
            {"at":"0,5","o":[{"n":1,"d":3,"k":"c"},{"n":3,"d":2,"k":"b","p":{"m":7}}]}\
            """)
        .add(
            "3",
            """
            {"at":["0,1","1,1"],"o":[{"n":4,"d":7.5,"k":"b","p":[{"m":1}]}]}\
            """,
            "4",
            "{}");
  }
}
