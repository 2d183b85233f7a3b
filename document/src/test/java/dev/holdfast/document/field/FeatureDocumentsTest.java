package dev.holdfast.document.field;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.document.BatchBuilder.Outcome;
import dev.holdfast.document.MappedTestIndex;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.lucene.document.FeatureField;
import org.apache.lucene.search.IndexSearcher;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Features that come twice in a document, and nulls in the place of features: what earlier builds
/// took of them is indexed again where it is logged.
final class FeatureDocumentsTest {
  private static MappedTestIndex index(String field, boolean isLenient) throws IOException {
    SortedMap<String, Object> settings = new TreeMap<>();
    if (isLenient) {
      settings.put(FieldContext.LENIENT, "true");
    }
    return new MappedTestIndex("{\"properties\":{\"f\":{" + field + "}}}", settings);
  }

  private static String reason(Outcome outcome) {
    assertThat(outcome).isInstanceOf(Outcome.Refused.class);
    Refusal refusal = ((Outcome.Refused) outcome).refusal();
    return refusal.getCause() instanceof Refusal cause ? cause.reason() : refusal.reason();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      textBlock =
          """
          "type":"sparse_vector"            ~ null                  ~ [sparse_vector] fields must be json objects, expected a START_OBJECT but got: VALUE_NULL
          "type":"sparse_vector"            ~ [{"a":1},null]        ~ [sparse_vector] fields must be json objects, expected a START_OBJECT but got: VALUE_NULL
          "type":"rank_features"            ~ [{"a":1},{"a":2}]     ~ [rank_features] fields do not support indexing multiple values for the same rank feature [f.a] in the same document
          """)
  void newOnesAreRefusedAndLoggedOnesIndexed(String field, String value, String reason)
      throws IOException {
    try (MappedTestIndex index = index(field, false)) {
      assertThat(reason(index.add("{\"f\":" + value + "}"))).isEqualTo(reason);
    }
    try (MappedTestIndex index = index(field, true)) {
      index.with("{\"f\":" + value + "}", "{}");
      boolean isNothing = value.equals("null");
      assertThat(index.find(FeatureField.newSaturationQuery("f", "a"))).hasSize(isNothing ? 0 : 1);
      assertThat(index.term("_ignored", "\"f\"")).isEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      textBlock =
          """
          [{"a":2,"b":1},{"a":8},{"a":4}] ~ 8
          [{"a":2},{"b":2},{"a":1,"b":3}] ~ 2
          [{"a":8},{"a":8}]               ~ 8
          {"a":2}                         ~ 2
          """)
  void aFeatureThatComesTwiceHasItsGreaterWeight(String value, float weight) throws IOException {
    try (MappedTestIndex index = index("\"type\":\"sparse_vector\"", false)) {
      index.with("{\"f\":{\"a\":1}}", "{\"f\":" + value + "}", "{\"f\":{\"b\":16}}");

      var best =
          new IndexSearcher(index.reader()).search(FeatureField.newLinearQuery("f", "a", 1), 3);

      assertThat(best.scoreDocs).hasSize(2);
      assertThat(best.scoreDocs[0].score).isEqualTo(weight);
      assertThat(best.scoreDocs[1].score).isEqualTo(1);
    }
  }

  @Test
  void whatIsRefusedLeavesNothingToTheNext() throws IOException {
    try (MappedTestIndex index = index("\"type\":\"rank_features\"", false)) {
      index.add("{\"f\":[{\"a\":1},{\"b\":1}]}");
      assertThat(reason(index.add("{\"f\":[{\"a\":1},{\"c\":1},{\"a\":1}]}"))).contains("[f.a]");
      index.with("{\"f\":[{\"a\":1},{\"c\":1}]}");

      assertThat(index.find(FeatureField.newSaturationQuery("f", "a"))).containsExactly(0, 1);
      assertThat(index.find(FeatureField.newSaturationQuery("f", "b"))).containsExactly(0);
      assertThat(index.find(FeatureField.newSaturationQuery("f", "c"))).containsExactly(1);
    }
  }
}
