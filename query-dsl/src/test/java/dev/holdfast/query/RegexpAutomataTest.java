package dev.holdfast.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.world.Refusal;
import dev.holdfast.world.Reservation;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.lucene.util.automaton.Operations;
import org.apache.lucene.util.automaton.RegExp;
import org.junit.jupiter.api.Test;

/// Expressions that would come to the end of the stack.
final class RegexpAutomataTest {
  private static void refused(String expression, String reason) {
    Reservation memory = Reservation.of(64 << 20);
    assertThatThrownBy(() -> RegexpAutomata.determinized(memory, expression, 10_000))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining(reason);
    assertThatThrownBy(() -> RegexpAutomata.affordable(memory, expression, RegExp.ALL, 10_000))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining(reason);
  }

  private static String nested(int depth) {
    return "(".repeat(depth) + "a" + ")".repeat(depth);
  }

  @Test
  void groupsMayNestToADepth() {
    Reservation memory = Reservation.of(64 << 20);
    assertThat(Operations.run(RegexpAutomata.determinized(memory, nested(250), 100), "a")).isTrue();
    refused(nested(100_000), "nest deeper than [250]");
    refused("[(]\"((((\"\\(" + nested(251), "nest deeper than [250]");
  }

  @Test
  void parenthesesThatAreTextDoNotNest() {
    Reservation memory = Reservation.of(64 << 20);
    String text = "[(]".repeat(300) + "\\(".repeat(300) + "\"" + "(".repeat(300) + "\"";
    assertThat(Operations.run(RegexpAutomata.determinized(memory, text, 10_000), "(".repeat(900)))
        .isTrue();
  }

  @Test
  void anExpressionHasOnlySoManyParts() {
    Reservation memory = Reservation.of(64 << 20);
    String many = IntStream.range(0, 2_000).mapToObj(i -> "a" + i).collect(Collectors.joining("|"));
    assertThat(Operations.run(RegexpAutomata.determinized(memory, many, 10_000), "a77")).isTrue();
    refused("a?".repeat(100_000), "more than [3000] parts");
    refused("a|".repeat(100_000) + "b", "more than [3000] parts");
  }
}
