package dev.holdfast.chaos.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// The judge must itself be judged: it lets pass what may be and catches what may not.
class ExpectationTest {
  private final Expectation document = new Expectation();

  @Test
  void whatWasAcknowledgedMustBeThere() {
    document.sent(1L);
    document.acknowledged(1L, 10);

    assertThat(document.check(1L, 10)).isNull();
    assertThat(document.check(null, -1)).startsWith("lost");
    assertThat(document.check(7L, 10)).startsWith("older or never written");
  }

  @Test
  void whatHadNoAnswerMayHaveHappenedOrNot() {
    document.sent(1L);
    document.acknowledged(1L, 10);
    document.sent(2L);
    document.sent(null);

    Expectation other = new Expectation();
    other.sent(1L);
    other.acknowledged(1L, 10);
    other.sent(2L);

    assertThat(document.check(null, -1)).isNull();
    assertThat(other.check(1L, 10)).isNull();
    assertThat(other.check(2L, 11)).as("settled: it is 1 for ever").isNotNull();
  }

  @Test
  void aDeletedDocumentMustNotComeBack() {
    document.sent(1L);
    document.acknowledged(1L, 10);
    document.sent(null);
    document.acknowledged(null, 11);

    assertThat(document.check(1L, 10)).startsWith("resurrected");
    assertThat(document.check(null, -1)).isNull();
  }

  @Test
  void aRefusedOperationNeverHappened() {
    document.sent(1L);
    document.acknowledged(1L, 10);
    document.sent(2L);
    document.refused();

    assertThat(document.check(2L, 11)).isNotNull();
  }

  @Test
  void theSequenceNumberOfAnAcknowledgedOperationDoesNotChange() {
    document.sent(1L);
    document.acknowledged(1L, 10);

    assertThat(document.check(1L, 12)).startsWith("sequence number changed");
  }
}
