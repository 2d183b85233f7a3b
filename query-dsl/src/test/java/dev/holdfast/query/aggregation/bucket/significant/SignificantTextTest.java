package dev.holdfast.query.aggregation.bucket.significant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.query.aggregation.AggregationAnswer;
import dev.holdfast.query.aggregation.AggregationTestShard;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

final class SignificantTextTest {
  private static AggregationTestShard shard;

  @BeforeAll
  static void fill() throws IOException {
    // given a word that only the documents of a topic have, and one that all have
    shard =
        new AggregationTestShard(
                "{\"properties\":{\"t\":{\"type\":\"text\"},\"topic\":{\"type\":\"keyword\"}}}")
            .segment(
                AggregationAnswer.lines(
                    "{'t':'the virus spreads','topic':'flu'}",
                    "{'t':'the Virus again','topic':'flu'}",
                    "{'t':'the sun shines','topic':'weather'}",
                    "{'t':'the rain falls','topic':'weather'}"))
            .segment(
                AggregationAnswer.lines(
                    "{'t':'a virus and the cure','topic':'flu'}",
                    "{'t':'the wind blows','topic':'weather'}",
                    "{'t':'the virus: the end. One two three four five six','topic':'flu'}",
                    "{'t':'the fog','topic':'weather'}"));
  }

  @AfterAll
  static void close() throws IOException {
    shard.close();
  }

  private static JsonNode words(String options) throws IOException {
    return AggregationAnswer.of(
            "{'w':{'significant_text':{'field':'t'" + options + "}}}",
            "{'term':{'topic':'flu'}}",
            false,
            shard)
        .path("w");
  }

  @Test
  void findsWordsThatAreRareElsewhere() throws IOException {
    JsonNode words = words("");

    assertThat(words.path("doc_count").asLong()).isEqualTo(4);
    assertThat(words.path("bg_count").asLong()).isEqualTo(8);
    assertThat(words.path("buckets").findValuesAsText("key")).containsExactly("virus");
    JsonNode virus = words.at("/buckets/0");
    assertThat(virus.path("doc_count").asLong()).isEqualTo(4);
    assertThat(virus.path("bg_count").asLong()).isEqualTo(4);
    // all of four where half would be usual: (1 - 0.5) * (1 / 0.5)
    assertThat(virus.path("score").asDouble()).isCloseTo(1, within(1e-12));
  }

  @Test
  void countsAWordOnceADocument() throws IOException {
    JsonNode words = words(",'min_doc_count':1,'include':'cure|spreads'");

    assertThat(words.path("buckets").findValuesAsText("key")).containsExactly("cure", "spreads");
    assertThat(words.at("/buckets/0/doc_count").asLong()).isEqualTo(1);
  }

  @Test
  void readsTheTextFromOtherMembers() throws IOException {
    JsonNode words = words(",'source_fields':['topic'],'min_doc_count':1");

    // no document has the word in the field that the background is counted in
    assertThat(words.path("buckets").findValuesAsText("key")).containsExactly("flu");
    assertThat(words.at("/buckets/0/bg_count").asLong()).isZero();
  }

  @Test
  void leavesOutPassagesThatWereSeenBefore() throws IOException {
    try (AggregationTestShard copies =
        new AggregationTestShard("{\"properties\":{\"t\":{\"type\":\"text\"}}}")
            .segment(
                AggregationAnswer.lines(
                    "{'t':'one two three four five six'}",
                    "{'t':'one two three four five six'}",
                    "{'t':'one two three four five six seven'}"))) {
      String options = "'field':'t','min_doc_count':1,'percentage':{}";

      JsonNode all =
          AggregationAnswer.of("{'w':{'significant_text':{" + options + "}}}", copies)
              .at("/w/buckets");
      JsonNode once =
          AggregationAnswer.of(
                  "{'w':{'significant_text':{" + options + ",'filter_duplicate_text':true}}}",
                  copies)
              .at("/w/buckets");

      assertThat(count(all, "one")).isEqualTo(3);
      assertThat(count(once, "one")).isEqualTo(1);
      assertThat(count(once, "seven")).isEqualTo(1);
    }
  }

  private static long count(JsonNode buckets, String key) {
    for (JsonNode bucket : buckets) {
      if (bucket.path("key").asText().equals(key)) {
        return bucket.path("doc_count").asLong();
      }
    }
    return 0;
  }

  @Test
  void refusesFieldsWithoutText() {
    assertThatThrownBy(() -> AggregationAnswer.of("{'w':{'significant_text':{}}}", shard))
        .isInstanceOf(Refusal.class)
        .hasMessage("Required one of fields [field], but none were specified.");
  }
}
