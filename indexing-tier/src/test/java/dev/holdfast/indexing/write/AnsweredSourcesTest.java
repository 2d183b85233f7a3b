package dev.holdfast.indexing.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.indexing.TestIndexingNode;
import dev.holdfast.indexing.operation.WriteOperation;
import dev.holdfast.world.CircuitBreaker;
import dev.holdfast.world.Refusal;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What updates are answered with is asked for once, four times over.
final class AnsweredSourcesTest {
  private static final int BYTES = 3 << 20;

  private final CircuitBreaker breaker = new CircuitBreaker("request", 16 << 20);
  private final WriteOperation update = TestIndexingNode.update("1", "{\"doc\":{}}");

  /// A new field, or a conflict: the same document is made twice.
  @Test
  void anUpdateThatIsTriedAgainAsksForWhatIsMore() {
    try (AnsweredSources answered = new AnsweredSources(List.of(update), breaker)) {
      answered.ask(0, BYTES);
      answered.ask(0, BYTES);
      answered.ask(0, BYTES - 1);
      assertThat(breaker.bytes()).isEqualTo(4L * BYTES);

      answered.ask(0, 4 << 20);
      assertThat(breaker.bytes()).isEqualTo(16 << 20);
      assertThatThrownBy(() -> answered.ask(0, 5 << 20)).isInstanceOf(Refusal.class);
    }
    assertThat(breaker.bytes()).isZero();
  }

  @Test
  void whatNobodyWantsIsNotAskedFor() {
    try (AnsweredSources answered =
        new AnsweredSources(
            List.of(update.withoutSource(), TestIndexingNode.index("2", "{}")), breaker)) {
      answered.ask(0, BYTES);
      answered.ask(1, BYTES);
      assertThat(breaker.bytes()).isZero();
    }
  }
}
