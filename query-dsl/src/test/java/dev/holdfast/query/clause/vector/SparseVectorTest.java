package dev.holdfast.query.clause.vector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.query.SearchTestIndex;
import dev.holdfast.query.result.Hit;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

final class SparseVectorTest {
  private static SearchTestIndex index;

  @BeforeAll
  static void open() throws IOException {
    index =
        new SearchTestIndex("{\"tokens\":{\"type\":\"sparse_vector\"}}")
            .add("1", "{\"tokens\":{\"cat\":2,\"dog\":1}}", "2", "{\"tokens\":{\"cat\":1}}")
            .add("3", "{\"tokens\":{\"bird\":4}}");
  }

  @AfterAll
  static void close() throws IOException {
    index.close();
  }

  @Test
  void addsProductsOfWeights() throws IOException {
    String body =
        """
        {"query":{"sparse_vector":{"field":"tokens","boost":2,
          "query_vector":{"cat":1.5,"dog":2,"fish":9}}}}\
        """;

    List<Hit> hits = index.hits(body);

    assertThat(hits).extracting(Hit::id).containsExactly("1", "2");
    assertThat(hits).extracting(Hit::score).containsExactly(10f, 3f);
  }

  @Test
  void findsNothingInFieldsThatAreNotMapped() throws IOException {
    assertThat(index.matching("{\"sparse_vector\":{\"field\":\"no\",\"query_vector\":{\"a\":1}}}"))
        .isEmpty();
  }

  @Test
  void refusesWhatIsNoWeight() {
    assertThatThrownBy(() ->
            index.run(
                """
                {"query":{"sparse_vector":{"field":"tokens","query_vector":{"a":0}}}}\
                """))
        .isInstanceOf(Refusal.class)
        .hasMessage("[query_vector] must hold positive numbers, but [a] is not one");
  }
}
