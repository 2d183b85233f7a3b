package dev.holdfast.api.cat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.http.Answer;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.http.HeaderValues;
import dev.holdfast.http.RequestBody;
import dev.holdfast.http.Verb;
import dev.holdfast.world.Refusal;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/// Lines of a table in an order of many keys.
final class CatTableSortTest {
  private static final int LINES = 100;

  private final AtomicLong asked = new AtomicLong();

  /// A cell that is compared as text.
  private final class Cell {
    private final int value;

    Cell(int value) {
      this.value = value;
    }

    @Override
    public String toString() {
      asked.incrementAndGet();
      return String.valueOf(value);
    }
  }

  private CatTable table() {
    CatTable table = new CatTable().column("a", "", "a").column("b", "", "b");
    for (int i = 0; i < LINES; i++) {
      table.row(new Cell(i % 3), new Cell(10 + i * 37 % 90));
    }
    return table;
  }

  private static String sorted(CatTable table, String keys) {
    ApiRequest request =
        new ApiRequest(
            Verb.GET,
            "/_cat/x",
            Map.of(),
            Map.of("s", keys),
            HeaderValues.NONE,
            RequestBody.EMPTY,
            null,
            () -> false);
    Answer answer = table.answer(request);
    return ((Answer.Content.Text) answer.content()).text();
  }

  @Test
  void keysThatComeAgainCostNothing() {
    String many = sorted(table(), "a,b:desc" + ",b,a:desc".repeat(1_000));

    assertThat(asked).hasValueLessThan(20_000);
    assertThat(many).isEqualTo(sorted(table(), "a,b:desc"));
    assertThat(many.lines().limit(2)).containsExactly("0 97", "0 94");
  }

  @Test
  void everyKeyIsChecked() {
    assertThatThrownBy(() -> sorted(table(), "a,b,a:up")).isInstanceOf(Refusal.class);
    assertThatThrownBy(() -> sorted(table(), "a,b,c")).isInstanceOf(Refusal.class);
  }
}
