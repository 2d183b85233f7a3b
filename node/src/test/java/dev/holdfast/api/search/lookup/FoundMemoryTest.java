package dev.holdfast.api.search.lookup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.holdfast.clusterstate.IndexId;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.compoundcommit.notice.IndexingReads.RealTimeDocument;
import dev.holdfast.http.RequestMemory;
import dev.holdfast.world.CircuitBreaker;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// A query may name thousands of documents, and each of them may be of megabytes.
final class FoundMemoryTest {
  private static final int VALUES = 20_000;
  private static final IndexId INDEX = new IndexId("i", "uuid");

  private static DocumentLookup.Found found(String values) {
    IndexMetadata index =
        new IndexMetadata(
            INDEX, 1, new TreeMap<>(), 1, Json.object(), 1, new TreeMap<>(), true, List.of(1L));
    byte[] source = ("{\"k\":[" + values + "]}").getBytes(StandardCharsets.UTF_8);
    return new DocumentLookup.Found(
        index, new ShardId(INDEX, 0), new RealTimeDocument(true, 1, 1, 1, null, source));
  }

  private static long held(DocumentLookup.Found found, boolean isWhole) {
    CircuitBreaker breaker = new CircuitBreaker("request", 16 << 20);
    return RequestMemory.<Long, RuntimeException>during(
        breaker,
        "<request>",
        () -> {
          Object kept = isWhole ? found.content() : found.values("k");
          assertThat(kept).isNotNull();
          return breaker.bytes();
        });
  }

  @Test
  void whatTheQueryHoldsIsAskedFor() {
    DocumentLookup.Found found = found("\"word\",".repeat(VALUES) + "\"word\"");

    assertThat(Objects.requireNonNull(found.values("k"))).hasSize(VALUES + 1);
    assertThat(held(found, false)).isGreaterThan(50L * VALUES);
    assertThat(held(found, true)).isGreaterThan(50L * VALUES);
  }

  @Test
  void aDocumentThatThereIsNoMemoryForIsNotRead() {
    DocumentLookup.Found found = found("{},".repeat(10 * VALUES) + "{}");

    for (boolean isWhole : new boolean[] {true, false}) {
      Refusal refusal = catchThrowableOfType(Refusal.class, () -> held(found, isWhole));

      assertThat(refusal.type()).isEqualTo(ErrorType.CIRCUIT_BREAKING);
    }
  }

  @Test
  void noDocumentHasNoValues() {
    DocumentLookup.Found none =
        new DocumentLookup.Found(
            found("1").index(), new ShardId(INDEX, 0), RealTimeDocument.missing());

    assertThat(none.values("k")).isNull();
    assertThat(none.content()).isNull();
  }
}
