package dev.holdfast.oracle;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Reads templates:
///
/// | written | means |
/// |---|---|
/// | `<name>` | what the rule of that name says |
/// | `<a|b|c>` | one of them |
/// | `<?a>`, `<?a|b>` | there in half of the texts |
/// | `<1..9>`, `<0.00..9.99>` | a number of that range |
/// | `<*1..3 a>` | one to three, with commas between; `<+1..3 a>`: with spaces; `<,1..3 a>`: with bare commas |
/// | `<#>` | a number that comes once in the text: names of members must differ |
/// | `<~1..3 a~b~c>` | one to three times `a`, then `b`, then as many times `c` |
/// | `&lt; &gt; &bar; &nl;` | the characters themselves, a line's end |
final class TemplateParser {
  private static final Pattern NUMBERS =
      Pattern.compile("(-?\\d+(?:\\.\\d+)?)\\.\\.(-?\\d+(?:\\.\\d+)?)");
  private static final Pattern REPEAT =
      Pattern.compile("([*+,])(\\d+)\\.\\.(\\d+) (.*)", Pattern.DOTALL);
  private static final Pattern NESTED =
      Pattern.compile("~(\\d+)\\.\\.(\\d+) ([^~]*)~([^~]*)~([^~]*)", Pattern.DOTALL);
  private static final Pattern NAME = Pattern.compile("[a-z_][a-z0-9_.-]*");

  private int at;

  private TemplateParser() {}

  /// @throws IllegalArgumentException if brackets do not match
  static Template parse(String text) {
    TemplateParser parser = new TemplateParser();
    Template template = parser.sequence(text);
    if (parser.at != text.length()) {
      throw new IllegalArgumentException("a bracket too many at " + parser.at + " of: " + text);
    }
    return template;
  }

  private Template sequence(String whole) {
    List<Template> parts = new ArrayList<>();
    StringBuilder literal = new StringBuilder();
    while (at < whole.length()) {
      char c = whole.charAt(at);
      if (c == '<') {
        int end = closing(whole, at);
        flush(literal, parts);
        parts.add(place(whole.substring(at + 1, end)));
        at = end + 1;
      } else {
        literal.append(c);
        at++;
      }
    }
    flush(literal, parts);
    return parts.size() == 1 ? parts.getFirst() : new Template.Sequence(List.copyOf(parts));
  }

  private static void flush(StringBuilder literal, List<Template> parts) {
    if (!literal.isEmpty()) {
      parts.add(
          new Template.Literal(
              literal
                  .toString()
                  .replace("&lt;", "<")
                  .replace("&gt;", ">")
                  .replace("&bar;", "|")
                  .replace("&nl;", "\n")));
      literal.setLength(0);
    }
  }

  private static Template place(String inside) {
    if (inside.equals("#")) {
      return new Template.Unique();
    }
    if (inside.startsWith("?")) {
      return new Template.Maybe(choice(inside.substring(1)));
    }
    Matcher repeat = REPEAT.matcher(inside);
    if (repeat.matches()) {
      return new Template.Repeat(
          Integer.parseInt(repeat.group(2)),
          Integer.parseInt(repeat.group(3)),
          switch (repeat.group(1)) {
            case "*" -> ", ";
            case "," -> ",";
            default -> " ";
          },
          choice(repeat.group(4)));
    }
    Matcher nested = NESTED.matcher(inside);
    if (nested.matches()) {
      return new Template.Nested(
          Integer.parseInt(nested.group(1)),
          Integer.parseInt(nested.group(2)),
          parse(nested.group(3)),
          parse(nested.group(4)),
          parse(nested.group(5)));
    }
    if (NAME.matcher(inside).matches()) {
      return new Template.Reference(inside);
    }
    return choice(inside);
  }

  private static Template choice(String inside) {
    List<Template> alternatives = new ArrayList<>();
    int depth = 0;
    int from = 0;
    for (int i = 0; i < inside.length(); i++) {
      switch (inside.charAt(i)) {
        case '<' -> depth++;
        case '>' -> depth--;
        case '|' -> {
          if (depth == 0) {
            alternatives.add(alternative(inside.substring(from, i)));
            from = i + 1;
          }
        }
        default -> {}
      }
    }
    alternatives.add(alternative(inside.substring(from)));
    return alternatives.size() == 1
        ? alternatives.getFirst()
        : new Template.Choice(List.copyOf(alternatives));
  }

  private static Template alternative(String inside) {
    Matcher numbers = NUMBERS.matcher(inside);
    return numbers.matches()
        ? new Template.NumberBetween(
            new BigDecimal(numbers.group(1)), new BigDecimal(numbers.group(2)))
        : parse(inside);
  }

  private static int closing(String whole, int open) {
    int depth = 0;
    for (int i = open; i < whole.length(); i++) {
      if (whole.charAt(i) == '<') {
        depth++;
      } else if (whole.charAt(i) == '>' && --depth == 0) {
        return i;
      }
    }
    throw new IllegalArgumentException(
        "a bracket that does not close at " + open + " of: " + whole);
  }
}
