package dev.holdfast.routing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.clusterstate.IndexId;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.translog.WriteOrigin;
import java.util.List;
import org.junit.jupiter.api.Test;

final class WriteNumbersTest {
  private static final IndexId INDEX = new IndexId("books", "u");
  private static final ShardId SOURCE = new ShardId(INDEX, 0);
  private static final ShardId ADDED = new ShardId(INDEX, 1);

  private final WriteNumbers numbers = new WriteNumbers("node");

  @Test
  void theOldestOfAShardIsToldWithEachWrite() {
    WriteOrigin first = numbers.begin(SOURCE, List.of());
    WriteOrigin second = numbers.begin(SOURCE, List.of());
    assertThat(second.number()).isGreaterThan(first.number());
    assertThat(second.oldest()).isEqualTo(first.number());
    numbers.end(SOURCE, first);
    WriteOrigin third = numbers.begin(SOURCE, List.of());
    assertThat(third.oldest()).isEqualTo(second.number());
    assertThat(numbers.begin(ADDED, List.of()).oldest()).isGreaterThan(third.number());
  }

  @Test
  void aShardThatWasAddedKeepsWhatIsUnderWayToItsSource() {
    WriteOrigin meantForSource = numbers.begin(SOURCE, List.of());
    WriteOrigin after = numbers.begin(ADDED, List.of(SOURCE));
    assertThat(after.oldest()).isEqualTo(meantForSource.number());
    numbers.end(SOURCE, meantForSource);
    assertThat(numbers.begin(ADDED, List.of(SOURCE)).oldest()).isEqualTo(after.number());
  }

  @Test
  void aWriteThatGoesToAnotherShardKeepsWhatIsUnderWayThere() {
    WriteOrigin there = numbers.begin(ADDED, List.of());
    WriteOrigin meantForSource = numbers.begin(SOURCE, List.of());
    WriteOrigin diverted = numbers.at(meantForSource, List.of(SOURCE, ADDED));
    assertThat(diverted.number()).isEqualTo(meantForSource.number());
    assertThat(diverted.oldest()).isEqualTo(there.number());
    numbers.end(ADDED, there);
    assertThat(numbers.at(meantForSource, List.of(SOURCE, ADDED))).isEqualTo(meantForSource);
  }
}
