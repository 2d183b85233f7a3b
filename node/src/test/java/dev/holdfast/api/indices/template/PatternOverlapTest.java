package dev.holdfast.api.indices.template;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.world.Refusal;
import dev.holdfast.world.text.Wildcards;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class PatternOverlapTest {
  @Test
  void findsANameThatBothMean() {
    assertThat(new PatternOverlap().of("logs-*", "logs-web-*")).isTrue();
    assertThat(new PatternOverlap().of("*-web", "logs-*")).isTrue();
    assertThat(new PatternOverlap().of("a*b*c", "*x*")).isTrue();
    assertThat(new PatternOverlap().of("same", "same")).isTrue();
    assertThat(new PatternOverlap().of("*", "")).isTrue();
  }

  @Test
  void findsNoneWhereThereIsNone() {
    assertThat(new PatternOverlap().of("logs-*", "metrics-*")).isFalse();
    assertThat(new PatternOverlap().of("*a", "*b")).isFalse();
    assertThat(new PatternOverlap().of("ab", "a")).isFalse();
    assertThat(new PatternOverlap().of("a*", "")).isFalse();
  }

  /// All texts of so many of these letters, and shorter ones.
  private static List<String> texts(String letters, int lengthMax) {
    List<String> all = new ArrayList<>(List.of(""));
    int from = 0;
    for (int length = 1; length <= lengthMax; length++) {
      int end = all.size();
      for (; from < end; from++) {
        for (char letter : letters.toCharArray()) {
          all.add(all.get(from) + letter);
        }
      }
    }
    return all;
  }

  /// A name that both of two patterns mean has no more letters than they have.
  @Test
  void aNameIsFoundWhereThereIsOne() {
    List<String> names = texts("ab", 6);
    for (String a : texts("ab*", 3)) {
      for (String b : texts("ab*", 3)) {
        boolean isMeant =
            names.stream()
                .anyMatch(name -> Wildcards.matches(a, name) && Wildcards.matches(b, name));

        assertThat(new PatternOverlap().of(a, b)).as("[%s] [%s]", a, b).isEqualTo(isMeant);
      }
    }
  }

  @Test
  void thoseThatTakeTooLongAreRefused() {
    String longer = "*" + "a".repeat(100_000);
    List<String> many = IntStream.range(0, 200).mapToObj(i -> "same-" + i + "-*").toList();
    List<String> others = IntStream.range(0, 200).mapToObj(i -> "same-x" + i + "*").toList();

    assertThatThrownBy(() -> new PatternOverlap().of(longer, longer + "b"))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("too many or too long");
    assertThatThrownBy(() -> new PatternOverlap(100_000).of(many, others))
        .isInstanceOf(Refusal.class);
    assertThat(new PatternOverlap().of(many, others)).isFalse();
  }
}
