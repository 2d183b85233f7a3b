package dev.holdfast.query.aggregation;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// An aggregation over a field of type `alias` counts what the field has that it stands for.
final class AggregatedAliasesTest {
  private static final String MAPPING =
      """
      {"properties":{"text":{"type":"text"},"flat":{"type":"flattened"},"n":{"type":"long"},\
      "is":{"type":"keyword"},"a":{"properties":{"text":{"type":"alias","path":"text"},\
      "flat":{"type":"alias","path":"flat"},"n":{"type":"alias","path":"n"}}}}}\
      """;

  private static JsonNode answer(String aggregation) throws IOException {
    try (AggregationTestShard shard = new AggregationTestShard(MAPPING)) {
      shard.segment(
          AggregationAnswer.lines(
              "{'text':'rare word','flat':{'k':'x'},'n':1,'is':'in'}",
              "{'text':'rare thing','flat':{'k':'x'},'n':2,'is':'in'}",
              "{'text':'usual thing','flat':{'k':'y'},'n':3,'is':'out'}",
              "{'text':'usual matter','n':4,'is':'out'}",
              "{'text':'usual','n':4,'is':'out'}"));
      return AggregationAnswer.of("{'g':" + aggregation + "}", "{'term':{'is':'in'}}", false, shard)
          .path("g");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'significant_text':{'field':'@text','min_doc_count':1}}",
        "{'significant_text':{'field':'@text','min_doc_count':1,'filter_duplicate_text':true}}",
        "{'terms':{'field':'@flat.k'}}",
        "{'composite':{'sources':[{'s':{'terms':{'field':'@flat.k'}}}]}}",
      })
  void bucketsAreTheSameByEitherName(String aggregation) throws IOException {
    JsonNode own = answer(aggregation.replace("@", ""));

    assertThat(own.path("buckets")).isNotEmpty();
    assertThat(answer(aggregation.replace("@", "a."))).isEqualTo(own);
  }

  @ParameterizedTest
  @ValueSource(strings = {"n", "a.n"})
  void aMatrixNamesItsFieldsAsTheRequestDoes(String field) throws IOException {
    JsonNode answer = answer("{'matrix_stats':{'fields':['" + field + "']}}");

    assertThat(answer.at("/fields/0/name").asText()).isEqualTo(field);
    assertThat(answer.at("/fields/0/covariance").has(field)).isTrue();
  }
}
