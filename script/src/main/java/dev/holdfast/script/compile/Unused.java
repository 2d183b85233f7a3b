package dev.holdfast.script.compile;

import dev.holdfast.script.parse.Tree;
import dev.holdfast.script.parse.Tree.Expression;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What is said of a value that stands where a statement should, and does nothing.
final class Unused {
  private static final Map<String, String> OPERATIONS =
      Map.ofEntries(
          Map.entry("*", "multiplication"),
          Map.entry("/", "division"),
          Map.entry("%", "remainder"),
          Map.entry("+", "addition"),
          Map.entry("-", "subtraction"),
          Map.entry("=~", "find"),
          Map.entry("==~", "match"),
          Map.entry("<<", "left shift"),
          Map.entry(">>", "right shift"),
          Map.entry(">>>", "unsigned shift"),
          Map.entry("<", "less than"),
          Map.entry("<=", "less than or equals"),
          Map.entry(">", "greater than"),
          Map.entry(">=", "greater than or equals"),
          Map.entry("==", "equals"),
          Map.entry("!=", "not equals"),
          Map.entry("===", "reference equals"),
          Map.entry("!==", "reference not equals"),
          Map.entry("&", "bitwise and"),
          Map.entry("^", "bitwise xor"),
          Map.entry("|", "boolean or"),
          Map.entry("&&", "boolean and"),
          Map.entry("||", "boolean or"),
          Map.entry("!", "boolean not"),
          Map.entry("~", "bitwise not"));

  private Unused() {}

  /// The reason of the error, in Elasticsearch's words.
  static String reason(Expression value) {
    return "not a statement: "
        + switch (value) {
          case Tree.Literal literal -> constant(literal.value()) + " not used";
          case Tree.Name name -> "variable [" + name.name() + "] not used";
          case Tree.Regex(int _, String pattern, String flags) ->
              "regex constant [" + pattern + "] with flags [" + flags + "] not used";
          case Tree.Member _ -> "result of dot operator [.] not used";
          case Tree.Index _ -> "result of brace operator not used";
          default -> "result not used from " + made(value);
        };
  }

  private static String made(Expression value) {
    return switch (value) {
      case Tree.Binary binary -> operation(binary.operator());
      case Tree.Unary unary -> operation(unary.operator());
      case Tree.Conditional _ -> "conditional operation [?:]";
      case Tree.Elvis _ -> "elvis operation [?:]";
      case Tree.Cast cast -> "explicit cast with target type [" + cast.type() + "]";
      case Tree.InstanceOf test -> "instanceof with target type [" + test.type() + "]";
      case Tree.ListOf _ -> "list initializer";
      case Tree.MapOf _ -> "map initializer";
      case Tree.NewArray _ -> "new array";
      default -> "expression";
    };
  }

  private static String operation(String operator) {
    return OPERATIONS.getOrDefault(operator, "") + " operation [" + operator + "]";
  }

  private static String constant(@Nullable Object value) {
    return switch (value) {
      case null -> "null constant";
      case Number number -> "numeric constant [" + number + "]";
      case Boolean is -> "boolean constant [" + is + "]";
      default -> "string constant [" + value + "]";
    };
  }
}
