package dev.holdfast.world.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.world.Refusal;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RegularExpressionsTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          a(b)(c)d      | 1
          a(b(c))d      | 2
          \\((\\((       | 2
          [(((](a)      | 1
          []((](a)      | 1
          [^]((](a)     | 1
          [a[b[c]]](d)  | 3
          \\Q((((\\E(a)   | 1
          )))(a         | 1
          """)
  void countsHowDeepGroupsAndClassesLie(String expression, int depth) {
    assertThat(RegularExpressions.depth(expression)).isEqualTo(depth);
  }

  private static String nested(int depth) {
    return "(".repeat(depth) + "a" + ")".repeat(depth);
  }

  @Test
  void whatNestsDeeperThanTheStackReachesIsNoExpression() {
    assertThat(RegularExpressions.compile(nested(RegularExpressions.DEPTH_MAX), 0).matcher("a"))
        .matches(matcher -> matcher.matches());
    assertThatThrownBy(() -> RegularExpressions.compile(nested(100_000), 0))
        .isInstanceOf(PatternSyntaxException.class)
        .hasMessageContaining("nest deeper than [250]");
    assertThat(RegularExpressions.compile(nested(1_000), Pattern.LITERAL)).isNotNull();
    assertThat(RegularExpressions.compile("(a)".repeat(1_000), 0)).isNotNull();
  }

  @Test
  void anExpressionOfTooManyPartsIsNone() {
    assertThatThrownBy(() -> RegularExpressions.compile("a?b?".repeat(500_000), 0))
        .isInstanceOf(PatternSyntaxException.class)
        .hasMessageContaining("too many parts");
  }

  @Test
  void aTextThatIsTooLongForARepeatedGroupIsRefused() {
    Pattern repeated = Pattern.compile("(a|b)*c");
    BoundedText text = new BoundedText("ab".repeat(500_000));

    assertThatThrownBy(() -> BoundedText.find(repeated.matcher(text)))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("the text is too long for the expression [(a|b)*c]");
    assertThatThrownBy(() -> text.matches(repeated)).isInstanceOf(Refusal.class);
    assertThatThrownBy(() -> text.split(repeated, 0)).isInstanceOf(Refusal.class);
    assertThatThrownBy(() -> text.replaced(repeated, "", true)).isInstanceOf(Refusal.class);
  }
}
