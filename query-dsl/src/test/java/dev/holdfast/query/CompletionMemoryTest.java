package dev.holdfast.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Completions of which a request wants any number, or that match any expression.
final class CompletionMemoryTest {
  @AutoClose private static SearchTestIndex index;

  @BeforeAll
  static void write() throws IOException {
    index = new SearchTestIndex("{\"c\":{\"type\":\"completion\"}}");
    index.add("1", "{\"c\":[\"abc\",\"abd\"]}", "2", "{\"c\":\"abe\"}", "3", "{\"c\":\"xyz\"}");
  }

  private static int options(String suggestion) throws IOException {
    return index
        .run("{\"size\":0,\"suggest\":{\"s\":{" + suggestion + "}}}")
        .suggestions()
        .values()
        .iterator()
        .next()
        .getFirst()
        .options()
        .size();
  }

  @Test
  void thereIsRoomForAsManyAsThereAre() throws IOException {
    String many = "\"prefix\":\"ab\",\"completion\":{\"field\":\"c\",\"size\":1000000000%s}";

    assertThat(options(many.formatted(""))).isEqualTo(2);
    assertThat(options(many.formatted(",\"skip_duplicates\":true"))).isEqualTo(2);
  }

  @Test
  void anExpressionHasNoMoreStatesThanThereIsMemoryFor() throws IOException {
    String regex =
        "\"regex\":\"%s\",\"completion\":{\"field\":\"c\","
            + "\"regex\":{\"max_determinized_states\":1000000000}}";

    Refusal refusal =
        catchThrowableOfType(Refusal.class, () -> options(regex.formatted("[ab]*a[ab]{28}")));

    assertThat(refusal).isNotNull();
    assertThat(refusal.type()).isEqualTo(ErrorType.ILLEGAL_ARGUMENT);
    assertThat(options(regex.formatted("ab[cd]"))).isEqualTo(1);
  }
}
