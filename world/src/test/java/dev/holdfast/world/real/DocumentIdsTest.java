package dev.holdfast.world.real;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.world.Ids;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Ids of documents whose clients send none.
final class DocumentIdsTest {
  private static final int MADE = 600_000;

  @Test
  void areInRowsThatDifferAtTheirEndOnly() {
    Ids ids = RealWorld.create().ids();
    Set<String> all = new HashSet<>();
    Set<String> rows = new HashSet<>();
    for (int i = 0; i < MADE; i++) {
      String id = ids.documentId();
      assertThat(id).matches("[A-Za-z0-9_-]{20}");
      assertThat(all.add(id)).isTrue();
      rows.add(id.substring(0, 16));
    }
    assertThat(rows.size()).isBetween(2, 4);
  }

  @Test
  void ofTwoProcessesAndOfManyThreadsNeverMeet() throws InterruptedException {
    Set<String> all = new HashSet<>();
    for (Ids ids : List.of(RealWorld.create().ids(), RealWorld.create().ids())) {
      List<List<String>> made = List.of(new ArrayList<>(), new ArrayList<>());
      List<Thread> threads = new ArrayList<>();
      for (List<String> to : made) {
        threads.add(
            Thread.ofVirtual()
                .start(() -> {
                  for (int i = 0; i < 20_000; i++) {
                    to.add(ids.documentId());
                  }
                }));
      }
      for (Thread thread : threads) {
        thread.join();
      }
      made.forEach(all::addAll);
    }
    assertThat(all).hasSize(80_000);
  }
}
