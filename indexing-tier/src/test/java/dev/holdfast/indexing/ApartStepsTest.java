package dev.holdfast.indexing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// One step that fails takes no other's turn.
final class ApartStepsTest {
  private final ApartSteps steps = new ApartSteps();
  private final List<String> done = new ArrayList<>();

  private void round(boolean isBroken) {
    steps.begin();
    for (String shard : List.of("a", "b", "c")) {
      steps.run(
          "tick",
          shard,
          () -> {
            if (isBroken && shard.equals("a")) {
              throw new NoClassDefFoundError("gone");
            }
            if (isBroken && shard.equals("b")) {
              throw new IllegalStateException("broken");
            }
            done.add(shard);
          });
    }
  }

  @Test
  void thoseBehindItAreDoneInEachRound() {
    round(true);
    assertThat(steps.failed()).containsExactlyInAnyOrder("tick of a", "tick of b");
    round(true);
    assertThat(done).containsExactly("c", "c");
    done.clear();

    round(false);

    assertThat(done).containsExactly("a", "b", "c");
    assertThat(steps.failed()).isEmpty();
  }
}
