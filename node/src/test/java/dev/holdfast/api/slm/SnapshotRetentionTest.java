package dev.holdfast.api.slm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.api.slm.SnapshotRetention.Made;
import java.util.List;
import org.junit.jupiter.api.Test;

final class SnapshotRetentionTest {
  private static final List<Made> ALL =
      List.of(
          new Made("d", 40, 40, true),
          new Made("a", 10, 10, true),
          new Made("c", 30, 30, false),
          new Made("b", 20, 20, true),
          new Made("e", 50, 50, false));

  @Test
  void theOldestOfTooManyGo() {
    assertThat(new SnapshotRetention(-1, 0, 2).due(ALL, 60)).containsExactly("a");
    assertThat(new SnapshotRetention(-1, 0, 1).due(ALL, 60)).containsExactly("a", "b");
    assertThat(new SnapshotRetention(-1, 0, 3).due(ALL, 60)).isEmpty();
  }

  @Test
  void whatIsTooOldGoesButSoManyStay() {
    assertThat(new SnapshotRetention(25, 0, Integer.MAX_VALUE).due(ALL, 60))
        .containsExactly("a", "b", "c");
    assertThat(new SnapshotRetention(25, 2, Integer.MAX_VALUE).due(ALL, 60))
        .containsExactly("a", "c");
    assertThat(new SnapshotRetention(25, 5, Integer.MAX_VALUE).due(ALL, 60)).containsExactly("c");
  }

  @Test
  void whatWasDatedWronglyAgesSinceItIsThere() {
    List<Made> dated = List.of(new Made("a", 10, 10, true), new Made("z", 1, 55, true));
    assertThat(new SnapshotRetention(25, 0, 9).due(dated, 60)).containsExactly("a");
  }

  @Test
  void theNewestStaysThoughItIsNotWhole() {
    assertThat(new SnapshotRetention(0, 1, 9).due(ALL, 60)).containsExactly("a", "b", "c");
    assertThat(new SnapshotRetention(0, 1, 9).due(List.of(), 60)).isEmpty();
  }
}
