package dev.holdfast.script.expression;

import dev.holdfast.script.type.Shape;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/// An expression as the Painless that means the same.
public final class ExpressionText {
  /// Contexts whose result is a number, with what it is there; `%s` stands for a double.
  private static final Map<String, String> CONTEXTS =
      Map.of(
          "aggs", "return %s;",
          "aggregation_selector", "return (%s) != 0.0;",
          "bucket_aggregation", "return %s;",
          "field", "return %s;",
          "filter", "return (%s) != 0.0;",
          "number_sort", "return %s;",
          "score", "return %s;",
          "terms_set", "def made = %s; return made;");

  /// Whose variables are what buckets have, which nobody knows before.
  private static final Set<String> OPEN = Set.of("aggregation_selector", "bucket_aggregation");

  private ExpressionText() {}

  /// Whether a context, by name, takes expressions.
  public static boolean isContext(String name) {
    return CONTEXTS.containsKey(name);
  }

  /// @param params names that the request gives values for
  /// @throws Refusal 400 for a context that takes no expressions, `script_exception` for what is
  ///   none
  public static String painless(String text, Shape shape, Set<String> params) {
    String form = CONTEXTS.get(shape.name());
    if (form == null) {
      throw Refusal.badArgument(
          "expression engine does not know how to handle script context [" + shape.name() + "]");
    }
    try {
      ExpressionReader reader =
          new ExpressionReader(
              text,
              name -> OPEN.contains(shape.name()) || params.contains(name),
              shape.variables().keySet());
      return String.format(Locale.ROOT, form, reader.whole());
    } catch (ExpressionFault e) {
      throw new Refusal(
              ErrorType.SCRIPT,
              "compile error",
              new Refusal(ErrorType.ILLEGAL_ARGUMENT, String.valueOf(e.getMessage())))
          .with("script_stack", List.of(text, " ".repeat(e.offset()) + "^---- HERE"))
          .with("script", text)
          .with("lang", "expression");
    }
  }
}
