package dev.holdfast.world.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

final class BoundedTextTest {
  private static final Pattern ENDLESS = Pattern.compile("(.*)(.*)(.*)(.*)(.*)b");

  @Test
  void anExpressionThatBacktracksWithoutEndIsRefused() {
    BoundedText text = new BoundedText("a".repeat(255));

    assertThatThrownBy(() -> ENDLESS.matcher(text).find())
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("takes too long");
  }

  @Test
  void manyTextsThatBelongTogetherAreRefusedTogether() {
    BoundedText.Looks looks = new BoundedText.Looks();
    Pattern slow = Pattern.compile("(.*)(.*)(.*)c");

    assertThatThrownBy(
            () -> {
              for (int i = 0; i < 1_000_000; i++) {
                slow.matcher(new BoundedText("ab".repeat(9), looks)).matches();
              }
            })
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("takes too long");
  }

  @Test
  void aLongTextMayBeLookedAtAsOftenAsItIsLong() {
    Pattern word = Pattern.compile("[a-z]+ ");
    String text = "word ".repeat(2_000_000);

    assertThat(new BoundedText(text).replaced(word, "w", true)).hasSize(2_000_000);
  }

  @Test
  void replacesAsAMatcherDoes() {
    Pattern pattern = Pattern.compile("(b)(\\d)");

    assertThat(new BoundedText("ab1b2c").replaced(pattern, "$2$1", true)).isEqualTo("a1b2bc");
    assertThat(new BoundedText("ab1b2c").replaced(pattern, "$2$1", false)).isEqualTo("a1bb2c");
    assertThat(new BoundedText("abc").replaced(pattern, "x", true)).isEqualTo("abc");
  }

  @Test
  void aReplacementThatNamesNoGroupIsRefused() {
    for (String replacement : List.of("$9", "$", "${x}", "\\")) {
      assertThatThrownBy(
              () -> new BoundedText("a").replaced(Pattern.compile("(a)"), replacement, true))
          .as(replacement)
          .isInstanceOfSatisfying(
              Refusal.class, e -> assertThat(e.type()).isEqualTo(ErrorType.ILLEGAL_ARGUMENT));
    }
  }

  @Test
  void aReplacementThatGrowsWithoutEndIsRefused() {
    BoundedText text = new BoundedText("a".repeat(20_000));

    assertThatThrownBy(() -> text.replaced(Pattern.compile("a"), "b".repeat(1_000), true))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("characters longer");
  }
}
