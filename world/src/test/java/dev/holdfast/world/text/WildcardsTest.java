package dev.holdfast.world.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

final class WildcardsTest {
  @Test
  void aStarIsAnyTextAndNothingElseIsSpecial() {
    assertThat(Wildcards.matches("logs-*-2026", "logs--2026")).isTrue();
    assertThat(Wildcards.matches("logs-*-2026", "logs-a-b-2026")).isTrue();
    assertThat(Wildcards.matches("*", "")).isTrue();
    assertThat(Wildcards.matches("", "a")).isFalse();
    assertThat(Wildcards.matches("a.c", "abc")).isFalse();
    assertThat(Wildcards.matches("a?c", "abc")).isFalse();
    assertThat(Wildcards.matches("*a", "ab")).isFalse();
  }

  @Test
  void matchingByHandIsMatchingByRegularExpression() {
    SplittableRandom random = new SplittableRandom(11);
    int matches = 0;
    for (int i = 0; i < 10_000; i++) {
      String pattern = text(random, "ab*");
      String name = text(random, "ab");
      boolean isMatch = Wildcards.matches(pattern, name);
      assertThat(isMatch)
          .as("%s %s", pattern, name)
          .isEqualTo(Pattern.matches(pattern.replace("*", ".*"), name));
      matches += isMatch ? 1 : 0;
    }
    assertThat(matches).isBetween(500, 9_500);
  }

  private static String text(SplittableRandom random, String letters) {
    StringBuilder text = new StringBuilder();
    for (int length = random.nextInt(8); length > 0; length--) {
      text.append(letters.charAt(random.nextInt(letters.length())));
    }
    return text.toString();
  }
}
