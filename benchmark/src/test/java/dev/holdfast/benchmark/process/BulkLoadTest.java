package dev.holdfast.benchmark.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What a load counts as acknowledged, and how many clients it has.
final class BulkLoadTest {
  private static final int DOCUMENTS = 3;

  @Test
  void answersAreCounted() throws IOException {
    assertThat(counts(200, "{\"errors\":false}")).containsExactly(3L, 0L, 0L);
    assertThat(counts(429, "{\"error\":{}}")).containsExactly(0L, 3L, 0L);
    assertThat(counts(503, "")).containsExactly(0L, 0L, 3L);
    String mixed =
        "{\"errors\":true,\"items\":[{\"index\":{\"status\":201}},{\"index\":{\"status\":429}},"
            + "{\"index\":{\"status\":503}}]}";
    assertThat(counts(200, mixed)).containsExactly(1L, 1L, 1L);
    // What it does not tell of is nobody's.
    assertThat(counts(200, "{\"errors\":true}")).containsExactly(0L, 0L, 3L);
  }

  private static List<Long> counts(int status, String body) throws IOException {
    BulkLoad.Sample sample = new BulkLoad.Sample();
    BulkLoad.count(sample, status, body, DOCUMENTS);
    return List.of(sample.documents, sample.refused, sample.failed);
  }

  @Test
  void aHumpBeginsAndEndsWithOneClient() {
    LoadHump hump = new LoadHump(24, 600);
    assertThat(List.of(hump.clients(0), hump.clients(60), hump.clients(360), hump.clients(900)))
        .containsOnly(1);
    assertThat(hump.clients(210)).isEqualTo(24);
    assertThat(hump.clients(135)).isBetween(10, 15);
  }
}
