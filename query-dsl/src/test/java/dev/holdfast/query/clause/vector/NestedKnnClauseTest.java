package dev.holdfast.query.clause.vector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.query.SearchTestIndex;
import dev.holdfast.query.result.Hit;
import dev.holdfast.query.result.InnerHits;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The nearest among vectors of nested objects.
final class NestedKnnClauseTest {
  private static SearchTestIndex index;

  @BeforeAll
  static void open() throws IOException {
    index =
        new SearchTestIndex(
                """
                {"tag":{"type":"keyword"},"p":{"type":"nested","properties":{
                  "kind":{"type":"keyword"},"v":{"type":"dense_vector","dims":2,
                  "similarity":"l2_norm"},"b":{"type":"dense_vector","dims":2,
                  "element_type":"byte","similarity":"l2_norm"}}}}\
                """)
            .add(
                "1",
                """
                {"p":[{"v":[0,1],"b":[0,1],"kind":"a"},{"v":[0,0],"b":[0,0],"kind":"a"},
                  {"v":[1,1],"b":[1,1],"kind":"b"}],"tag":"x"}\
                """,
                "2",
                """
                {"p":{"v":[5,5],"b":[5,5],"kind":"b"},"tag":"y"}\
                """,
                "3",
                """
                {"tag":"x"}\
                """)
            .add(
                "4",
                """
                {"p":[{"v":[9,9],"b":[9,9],"kind":"a"}],"tag":"x"}\
                """);
  }

  @AfterAll
  static void close() throws IOException {
    index.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      textBlock =
          """
          {"knn":{"field":"p.v","query_vector":[0,0],"k":2,"num_candidates":2}}                       ; 1,2
          {"knn":{"field":"p.b","query_vector":[0,0],"k":2,"num_candidates":2}}                       ; 1,2
          {"knn":{"field":"p.v","query_vector":[8,8],"k":3}}                                          ; 4,2,1
          {"knn":{"field":"p.v","query_vector":[0,0],"k":9,"filter":{"term":{"tag":"x"}}}}            ; 1,4
          {"knn":{"field":"p.v","query_vector":[0,0],"k":1,"filter":{"term":{"tag":"y"}}}}            ; 2
          {"knn":{"field":"p.v","query_vector":[0,0],"k":1,"filter":{"term":{"p.kind":"b"}}}}         ; 1
          {"knn":{"field":"p.v","query_vector":[9,9],"k":1,"filter":[{"term":{"p.kind":"b"}},{"term":{"tag":"x"}}]}} ; 1
          {"knn":{"field":"p.v","query_vector":[0,0],"k":2,"filter":{"nested":{"path":"p","query":{"term":{"p.kind":"a"}}}}}} ; 1,4
          {"knn":{"field":"p.v","query_vector":[0,0],"k":3,"similarity":7.5}}                         ; 1,2
          {"query":{"nested":{"path":"p","query":{"knn":{"field":"p.v","query_vector":[0,0],"k":2,"num_candidates":2}}}}} ; 1,2
          {"query":{"nested":{"path":"p","query":{"knn":{"field":"p.v","query_vector":[0,0],"k":1,"filter":{"term":{"tag":"y"}}}}}}} ; 2
          {"retriever":{"knn":{"field":"p.v","query_vector":[6,6],"k":2,"num_candidates":5}}}         ; 2,4
          """)
  void findsTheDocumentsOfTheNearestObjects(String body, String ids) throws IOException {
    assertThat(String.join(",", index.ids(body))).isEqualTo(ids);
  }

  @Test
  void scoresADocumentByItsNearestObject() throws IOException {
    String body = "{\"knn\":{\"field\":\"p.v\",\"query_vector\":[0,0],\"k\":1}}";

    assertThat(index.run(body).maxScore()).isEqualTo(1);
  }

  @Test
  void showsAllObjectsNearestFirst() throws IOException {
    Hit hit =
        index
            .hits(
                """
                {"knn":{"field":"p.v","query_vector":[0,0],"k":1,
                  "inner_hits":{"_source":false,"fields":["p.kind"]}}}\
                """)
            .getFirst();

    InnerHits inner = hit.innerHits().get("p");
    assertThat(inner.hits())
        .extracting(one -> one.nested().path("offset").asInt())
        .containsExactly(1, 0, 2);
    assertThat(inner.hits()).extracting(Hit::score).startsWith(1f, 0.5f);
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"v\":[1,2]}", "[1,\"b\"]", "[1,null]", "true"})
  void refusesWhatIsNoVector(String vector) {
    assertThatThrownBy(
            () -> index.run("{\"knn\":{\"field\":\"p.v\",\"query_vector\":" + vector + "}}"))
        .isInstanceOf(Refusal.class)
        .hasMessage("[query_vector] must be an array of numbers, or bytes as text");
  }
}
