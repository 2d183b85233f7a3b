package dev.holdfast.query.clause.specialized;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.query.SearchTestIndex;
import dev.holdfast.query.result.Hit;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class PercolateTest {
  private static final String PROPERTIES =
      """
      {"query":{"type":"percolator"},"message":{"type":"text"},"n":{"type":"long"},
       "items":{"type":"nested","properties":{"a":{"type":"keyword"}}}}
      """;

  private static SearchTestIndex queries() throws IOException {
    return new SearchTestIndex(PROPERTIES)
        .add(
            "text", "{\"query\":{\"match\":{\"message\":\"bonsai tree\"}}}",
            "range", "{\"query\":{\"range\":{\"n\":{\"gte\":10}}}}",
            "all", "{\"query\":{\"match_all\":{}}}",
            "nested",
                "{\"query\":{\"nested\":{\"path\":\"items\",\"query\":{\"term\":{\"items.a\":\"x\"}}}}}",
            "none", "{\"n\":1}");
  }

  private static String percolate(String documents) {
    return "{\"percolate\":{\"field\":\"query\"," + documents + "}}";
  }

  @Test
  void findsTheQueriesThatMatchADocument() throws IOException {
    try (SearchTestIndex index = queries()) {
      assertThat(index.matching(percolate("\"document\":{\"message\":\"a bonsai\"}")))
          .isEqualTo("text all");
      assertThat(index.matching(percolate("\"document\":{\"n\":12}"))).isEqualTo("range all");
      assertThat(index.matching(percolate("\"document\":{\"items\":[{\"a\":\"x\"}]}")))
          .isEqualTo("all nested");
    }
  }

  @Test
  void mapsFieldsThatOnlyTheDocumentHas() throws IOException {
    try (SearchTestIndex index = queries()) {
      assertThat(index.matching(percolate("\"document\":{\"unheard\":\"of\"}"))).isEqualTo("all");
    }
  }

  @Test
  void saysWhichOfSeveralDocumentsWereFoundAndScoresByTheBest() throws IOException {
    try (SearchTestIndex index = queries()) {
      List<Hit> hits =
          index.hits(
              "{\"query\":"
                  + percolate("\"documents\":[{\"message\":\"tree\"},{\"n\":3},{\"n\":30}]")
                  + "}");

      assertThat(hits).extracting(Hit::id).containsExactly("range", "all", "text");
      assertThat(hits)
          .extracting(hit -> hit.fields().get("_percolator_document_slot"))
          .containsExactly(List.of(2L), List.of(0L, 1L, 2L), List.of(0L));
      assertThat(hits.getLast().score()).isLessThan(1).isPositive();
    }
  }

  @Test
  void highlightsWhatTheQueryFoundInTheDocuments() throws IOException {
    String highlight = ",\"highlight\":{\"fields\":{\"message\":{}}},\"query\":";
    String one = percolate("\"document\":{\"message\":\"a bonsai\"}");
    String two = percolate("\"documents\":[{\"n\":3},{\"message\":\"a tree\"}]");
    try (SearchTestIndex index = queries()) {
      List<Hit> ofOne = index.hits("{\"sort\":[\"_doc\"]" + highlight + one + "}");
      List<Hit> ofTwo = index.hits("{\"sort\":[\"_doc\"]" + highlight + two + "}");

      assertThat(ofOne.getFirst().highlight())
          .isEqualTo(Map.of("message", List.of("a <em>bonsai</em>")));
      assertThat(ofTwo.getFirst().highlight())
          .isEqualTo(Map.of("1_message", List.of("a <em>tree</em>")));
      assertThat(ofOne.getLast().highlight()).isEmpty();
    }
  }

  @Test
  void refusesOtherFieldsAndMissingDocuments() throws IOException {
    try (SearchTestIndex index = queries()) {
      assertThatThrownBy(
              () -> index.matching("{\"percolate\":{\"field\":\"n\",\"document\":{\"n\":1}}}"))
          .isInstanceOf(Refusal.class)
          .hasMessage("expected field [n] to be of type [percolator], but is of type [long]");
      assertThatThrownBy(() -> index.matching("{\"percolate\":{\"field\":\"query\"}}"))
          .isInstanceOf(Refusal.class)
          .hasMessage(
              "Required one of fields [document, documents, id], but none were specified. ");
      assertThatThrownBy(() -> index.add("bad", "{\"query\":\"text\"}"))
          .isInstanceOf(Refusal.class);
    }
  }
}
