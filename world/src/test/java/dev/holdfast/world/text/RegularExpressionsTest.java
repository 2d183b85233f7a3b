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

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          abc                    | 1
          (a?){9}b*c+?           | 9
          (foo)?(bar)?(baz)*x    | 1
          \\d{4}-\\d{2}T[01]{9}   | 1
          (?:){99}               | 99
          (?:(?:){9}a){9}        | 9
          ((?:){9}){8}+          | 72
          (?=(?:){9}){8}x        | 72
          (?:^){7}               | 7
          \\b{6}                 | 6
          \\b{g}{6}              | 6
          (a)\\1{5}              | 5
          (?<n>a)\\k<n>{5}       | 5
          a{2}{5}                | 5
          \\Qa{9}(){9}\\E         | 1
          \\c(x{9}(?:){3}        | 3
          [(?:){9}[^]]b]{9}      | 1
          [](?:){9}]{9}          | 1
          \\x{41}{9}\\p{L}{9}     | 1
          """)
  void countsStepsThatLookAtNoCharacter(String expression, int steps) {
    assertThat(EmptyMatches.steps(expression, 0)).isEqualTo(steps);
  }

  @Test
  void waysToMatchNothingMultiply() {
    assertThat(EmptyMatches.steps("(|)(|)x", 0)).isEqualTo(4);
    String four = "(|)(|)";
    assertThat(EmptyMatches.steps(four + "x" + four + "|a" + four, 0)).isEqualTo(4);
    assertThat(EmptyMatches.steps("(a*)?(?:b*)*x", 0)).isEqualTo(4);
    assertThat(EmptyMatches.steps("(?>" + four + ")" + four + "x", 0)).isEqualTo(4);
    assertThat(EmptyMatches.steps("(?=" + four + four + "x)a", 0)).isEqualTo(16);
    assertThat(EmptyMatches.steps("(?x) ( # ){9}\n ) {3}", 0)).isEqualTo(3);
    assertThat(EmptyMatches.steps(" ( # ){9}\n ) {3}", Pattern.COMMENTS)).isEqualTo(3);
    assertThat(EmptyMatches.steps("((?x) # ){9}\n )#{3}(?:){3}", 0)).isEqualTo(3);
  }

  @Test
  void whatNobodyCouldStopIsNoExpression() {
    assertThatThrownBy(() -> RegularExpressions.compile("(?=){2147483647}", 0))
        .isInstanceOf(PatternSyntaxException.class)
        .hasMessageContaining("may match nothing");
    assertThatThrownBy(() -> RegularExpressions.compile("(|)".repeat(60) + "x", 0))
        .isInstanceOf(PatternSyntaxException.class);
    String marks = "e\u0301\u0302\u0303\u0304\u0305\u0306\u0307";
    assertThatThrownBy(() -> RegularExpressions.compile(marks, Pattern.CANON_EQ))
        .isInstanceOf(PatternSyntaxException.class)
        .hasMessageContaining("marks upon one character");
    assertThat(RegularExpressions.compile(marks, 0)).isNotNull();
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
