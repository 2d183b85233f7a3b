package dev.holdfast.query.collect;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.query.SearchTestIndex;
import dev.holdfast.query.parse.SearchParser;
import dev.holdfast.query.phase.SearchMerge;
import dev.holdfast.world.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What aggregations say of whole segments without reading each document is what they say when they
/// do read each.
final class WholeSegmentTest {
  private static final String ALL = "{\"match_all\":{}}";

  /// Every document too, but nobody knows before having looked.
  private static final String EACH =
      "{\"bool\":{\"should\":[{\"term\":{\"k\":\"a\"}},{\"term\":{\"k\":\"b\"}},{\"term\":{\"k\":\"c\"}}]}}";

  private static SearchTestIndex index() throws IOException {
    SearchTestIndex index =
        new SearchTestIndex(
            "{\"k\":{\"type\":\"keyword\"},\"n\":{\"type\":\"long\"},\"t\":{\"type\":\"date\"}}");
    for (int segment = 0; segment < 2; segment++) {
      String[] documents = new String[400];
      for (int i = 0; i < 200; i++) {
        documents[2 * i] = segment + "-" + i;
        documents[2 * i + 1] =
            "{\"k\":\"%s\",\"n\":%d,\"t\":\"20%02d-06-01\"}"
                .formatted("abc".charAt(i % (2 + segment)), i * 7 % 31, 10 + i % 3);
      }
      index.add(documents);
    }
    return index;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"x\":{\"terms\":{\"field\":\"k\"}}}",
        "{\"x\":{\"terms\":{\"field\":\"k\",\"include\":\"[ab]\"}}}",
        "{\"x\":{\"value_count\":{\"field\":\"n\"}}}",
        "{\"x\":{\"max\":{\"field\":\"n\"}},\"y\":{\"avg\":{\"field\":\"n\"}}}",
        "{\"x\":{\"filters\":{\"filters\":{\"a\":{\"term\":{\"k\":\"a\"}},\"b\":{\"match_all\":{}}}}}}",
        "{\"x\":{\"range\":{\"field\":\"n\",\"ranges\":[{\"to\":5},{\"from\":3,\"to\":20}]}}}",
        "{\"x\":{\"date_histogram\":{\"field\":\"t\",\"calendar_interval\":\"year\"}}}",
        "{\"x\":{\"terms\":{\"field\":\"_index\"},\"aggs\":{\"y\":{\"max\":{\"field\":\"n\"}}}}}",
        "{\"x\":{\"terms\":{\"field\":\"k\"},\"aggs\":{\"y\":{\"sum\":{\"field\":\"n\"}}}}}"
      })
  void saysTheSameOfAllDocumentsAsOfEach(String aggregations) throws IOException {
    try (SearchTestIndex index = index()) {
      JsonNode whole = answer(index, ALL, aggregations);
      JsonNode each = answer(index, EACH, aggregations);

      assertThat(whole.path("total").asLong()).isEqualTo(400);
      assertThat(whole).isEqualTo(each);
    }
  }

  @Test
  void doesNotCountDeletedDocuments() throws IOException {
    try (SearchTestIndex index = index()) {
      index.delete("{\"term\":{\"n\":7}}");

      String terms = "{\"x\":{\"terms\":{\"field\":\"k\"}}}";
      assertThat(answer(index, ALL, terms)).isEqualTo(answer(index, EACH, terms));
    }
  }

  /// Ranges of the aggregated field, counted by points, against the same ranges hidden behind a
  /// filter that every document passes.
  @RepeatedTest(3)
  void countsRangesAsItCountsEach() throws IOException {
    long seed = new Random().nextLong();
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    long begin = 1_500_000_000_000L;
    for (long spread : new long[] {100_000L, 50_000_000L, 40_000_000_000L, 900_000_000_000L}) {
      try (SearchTestIndex index = times(random, begin, spread)) {
        for (int i = 0; i < 25; i++) {
          long from = begin + random.nextLong(spread);
          long to = from + random.nextLong(spread);
          String range =
              "{\"range\":{\"t\":{\"gte\":%d,\"%s\":%d}}}"
                  .formatted(from, random.nextBoolean() ? "lt" : "lte", to);
          String hidden = "{\"bool\":{\"filter\":[%s,{\"term\":{\"k\":\"a\"}}]}}".formatted(range);
          for (String aggregation :
              List.of(
                  "{\"auto_date_histogram\":{\"field\":\"t\",\"buckets\":%d}}"
                      .formatted(1 + random.nextInt(40)),
                  "{\"auto_date_histogram\":{\"field\":\"n\",\"time_zone\":\"Europe/Paris\"}}",
                  "{\"date_histogram\":{\"field\":\"t\",\"fixed_interval\":\"%dms\"}}"
                      .formatted(spread / 10))) {
            String aggregations = "{\"x\":" + aggregation + "}";

            assertThat(answer(index, range, aggregations))
                .as(range + aggregations)
                .isEqualTo(answer(index, hidden, aggregations));
          }
        }
      }
    }
  }

  private static SearchTestIndex times(Random random, long begin, long spread) throws IOException {
    SearchTestIndex index =
        new SearchTestIndex(
            "{\"k\":{\"type\":\"keyword\"},\"t\":{\"type\":\"date\"},\"n\":{\"type\":\"date_nanos\"}}");
    for (int segment = 0; segment < 2; segment++) {
      String[] documents = new String[2 * 9_000];
      for (int i = 0; i < documents.length; i += 2) {
        long time = begin + random.nextLong(spread);
        documents[i] = segment + "-" + i;
        documents[i + 1] = "{\"k\":\"a\",\"t\":%d,\"n\":%d}".formatted(time, time);
      }
      index.add(documents);
    }
    return index;
  }

  private static JsonNode answer(SearchTestIndex index, String query, String aggregations)
      throws IOException {
    String body =
        "{\"size\":0,\"track_total_hits\":true,\"query\":%s,\"aggs\":%s}"
            .formatted(query, aggregations);
    SearchMerge merged =
        SearchMerge.of(
            SearchParser.parse(Json.parseObject(body)), List.of(index.run(body)), 65_536);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JsonGenerator out = Json.MAPPER.createGenerator(bytes)) {
      out.writeStartObject();
      out.writeNumberField("total", merged.total());
      merged.aggregations().render(out, false);
      out.writeEndObject();
    }
    return Json.parse(bytes.toByteArray());
  }
}
