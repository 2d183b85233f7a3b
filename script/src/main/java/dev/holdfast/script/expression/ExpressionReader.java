package dev.holdfast.script.expression;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Reads one expression, by precedence of operators, and writes Painless: every piece is a double,
/// and what is true is 1.
final class ExpressionReader {
  private static final int DEPTH_MAX = 200;

  private static final Pattern NUMBER =
      Pattern.compile("0[xX][0-9a-fA-F]+|(?:\\d+(?:\\.\\d*)?|\\.\\d+)(?:[eE][+-]?\\d+)?");
  private static final Pattern NAME = Pattern.compile("[A-Za-z_$][A-Za-z0-9_$]*");
  private static final Pattern FIELD =
      Pattern.compile(
          "doc\\[(?:'([^']*)'|\"([^\"]*)\")]((?:\\.[A-Za-z]+)*)(\\(\\))?", Pattern.DOTALL);

  /// Operators by how tightly they bind, the loosest first.
  private static final List<List<String>> BINARY =
      List.of(
          List.of("||"),
          List.of("&&"),
          List.of("|"),
          List.of("^"),
          List.of("&"),
          List.of("==", "!="),
          List.of("<=", ">=", "<", ">"),
          List.of("<<", ">>>", ">>"),
          List.of("+", "-"),
          List.of("*", "/", "%"));

  /// Functions by name, and how many numbers they take.
  private static final Map<String, Integer> FUNCTIONS =
      Map.ofEntries(
          Map.entry("abs", 1),
          Map.entry("acos", 1),
          Map.entry("acosh", 1),
          Map.entry("asin", 1),
          Map.entry("asinh", 1),
          Map.entry("atan", 1),
          Map.entry("atan2", 2),
          Map.entry("atanh", 1),
          Map.entry("ceil", 1),
          Map.entry("cos", 1),
          Map.entry("cosh", 1),
          Map.entry("exp", 1),
          Map.entry("floor", 1),
          Map.entry("haversin", 4),
          Map.entry("ln", 1),
          Map.entry("log10", 1),
          Map.entry("logn", 2),
          Map.entry("max", 2),
          Map.entry("min", 2),
          Map.entry("pow", 2),
          Map.entry("sin", 1),
          Map.entry("sinh", 1),
          Map.entry("sqrt", 1),
          Map.entry("tan", 1),
          Map.entry("tanh", 1));

  private static final String VALUES = "org.elasticsearch.script.expression.ExpressionValues";

  private final String text;
  private final Predicate<String> isParameter;
  private final Set<String> variables;
  private int at;
  private int depth;

  /// @param variables that the context has
  ExpressionReader(String text, Predicate<String> isParameter, Set<String> variables) {
    this.text = text;
    this.isParameter = isParameter;
    this.variables = variables;
  }

  String whole() {
    String made = conditional();
    space();
    if (at < text.length()) {
      throw fault("unexpected token [" + text.charAt(at) + "]");
    }
    return made;
  }

  private ExpressionFault fault(String reason) {
    return new ExpressionFault(at, "Failed to parse expression: " + reason);
  }

  private void space() {
    while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
      at++;
    }
  }

  private boolean accept(String token) {
    space();
    if (text.startsWith(token, at)) {
      at += token.length();
      return true;
    }
    return false;
  }

  private void require(String token) {
    if (!accept(token)) {
      throw fault("expected [" + token + "]");
    }
  }

  private String conditional() {
    if (++depth > DEPTH_MAX) {
      throw fault("nested too deeply");
    }
    String condition = binary(0);
    if (accept("?")) {
      String yes = conditional();
      require(":");
      String no = conditional();
      condition = "(" + condition + " != 0.0 ? " + yes + " : " + no + ")";
    }
    depth--;
    return condition;
  }

  private String binary(int level) {
    if (level == BINARY.size()) {
      return unary();
    }
    String left = binary(level + 1);
    while (true) {
      String operator = operator(level);
      if (operator.isEmpty()) {
        return left;
      }
      String right = binary(level + 1);
      left = "(" + joined(left, operator, right) + ")";
    }
  }

  private String operator(int level) {
    space();
    for (String candidate : BINARY.get(level)) {
      if (text.startsWith(candidate, at) && !isLonger(candidate)) {
        at += candidate.length();
        return candidate;
      }
    }
    return "";
  }

  /// Whether what begins like an operator is a longer one.
  private boolean isLonger(String candidate) {
    int after = at + candidate.length();
    char next = after < text.length() ? text.charAt(after) : ' ';
    return switch (candidate) {
      case "|", "&" -> next == candidate.charAt(0);
      case "<", ">" -> next == candidate.charAt(0) || next == '=';
      default -> false;
    };
  }

  private static String joined(String left, String operator, String right) {
    return switch (operator) {
      case "||", "&&" -> left + " != 0.0 " + operator + " " + right + " != 0.0 ? 1.0 : 0.0";
      case "|", "^", "&" -> "(double) ((long) " + left + " " + operator + " (long) " + right + ")";
      case "<<", ">>", ">>>" ->
          "(double) ((long) " + left + " " + operator + " (int) (long) " + right + ")";
      case "==", "!=", "<", "<=", ">", ">=" -> left + " " + operator + " " + right + " ? 1.0 : 0.0";
      default -> left + " " + operator + " " + right;
    };
  }

  private String unary() {
    if (++depth > DEPTH_MAX) {
      throw fault("nested too deeply");
    }
    String made;
    if (accept("!")) {
      made = "(" + unary() + " == 0.0 ? 1.0 : 0.0)";
    } else if (accept("~")) {
      made = "((double) ~((long) " + unary() + "))";
    } else if (accept("-")) {
      made = "(0.0 - " + unary() + ")";
    } else if (accept("+")) {
      made = unary();
    } else {
      made = primary();
    }
    depth--;
    return made;
  }

  private String primary() {
    if (accept("(")) {
      String inner = conditional();
      require(")");
      return "(" + inner + ")";
    }
    Matcher number = matcher(NUMBER);
    if (number.lookingAt()) {
      at = number.end();
      return "(" + number(number.group()) + ")";
    }
    Matcher field = matcher(FIELD);
    if (field.lookingAt()) {
      String name = field.group(1) == null ? field.group(2) : field.group(1);
      String made = field(name, field.group(3), field.group(4) != null);
      at = field.end();
      return made;
    }
    Matcher name = matcher(NAME);
    if (!name.lookingAt()) {
      throw fault(
          at < text.length() ? "unexpected token [" + text.charAt(at) + "]" : "unexpected end");
    }
    return named(name.group(), name.end());
  }

  private Matcher matcher(Pattern pattern) {
    return pattern.matcher(text).region(at, text.length());
  }

  private static String number(String written) {
    double value =
        written.startsWith("0x") || written.startsWith("0X")
            ? Long.parseLong(written.substring(2), 16)
            : Double.parseDouble(written);
    return Double.isInfinite(value) ? "Double.POSITIVE_INFINITY" : Double.toString(value) + "d";
  }

  private String named(String name, int end) {
    if (name.equals("_score") || name.equals("_value")) {
      if (!variables.contains(name)) {
        throw fault("Unknown variable [" + name + "]");
      }
      at = end;
      return name.equals("_score") ? "_score" : VALUES + ".number(_value)";
    }
    if (end < text.length() && text.charAt(end) == '(') {
      return function(name, end);
    }
    if (!isParameter.test(name)) {
      throw fault("Unknown variable [" + name + "]");
    }
    at = end;
    return VALUES + ".number(params['" + name + "'])";
  }

  private String function(String name, int end) {
    Integer arity = FUNCTIONS.get(name);
    if (arity == null) {
      throw fault("Unrecognized function call (" + name + ").");
    }
    at = end + 1;
    List<String> arguments = new ArrayList<>();
    while (!accept(")")) {
      if (!arguments.isEmpty()) {
        require(",");
      }
      arguments.add(conditional());
    }
    if (arguments.size() != arity) {
      throw fault(
          "Expected ("
              + arity
              + ") arguments for function call ("
              + name
              + "), but found ("
              + arguments.size()
              + ").");
    }
    return VALUES + "." + name + "(" + String.join(", ", arguments) + ")";
  }

  private String field(String name, String members, boolean isCall) {
    if (!variables.contains("doc")) {
      throw fault("Unknown variable [doc]");
    }
    if (name.contains("'") || name.contains("\\")) {
      throw fault("a field of that name cannot be named");
    }
    String member = members.isEmpty() ? "value" : members.substring(1);
    if (!ExpressionValues.isMember(member, isCall)) {
      throw fault(
          "Member "
              + (isCall ? "method" : "variable")
              + " ["
              + member
              + "] does not exist for field ["
              + name
              + "]");
    }
    return VALUES + ".of(doc, '" + name + "', '" + (isCall ? member + "()" : member) + "')";
  }
}
