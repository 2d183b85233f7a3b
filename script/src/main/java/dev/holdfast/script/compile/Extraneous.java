package dev.holdfast.script.compile;

import dev.holdfast.script.parse.SyntaxFault;
import dev.holdfast.script.parse.Tree;
import dev.holdfast.script.parse.Tree.Expression;
import dev.holdfast.script.parse.Tree.Statement;
import org.jspecify.annotations.Nullable;

/// Refuses what Elasticsearch refuses though it could run: choices that are none, loops that never
/// run or never run twice, blocks without a statement.
final class Extraneous {
  private Extraneous() {}

  static void refuse(Tree.If choice) {
    if (isConstant(choice.condition(), true)
        || isConstant(choice.condition(), false)
        || isEmpty(choice.then())) {
      throw fault(choice.at(), "extraneous if block");
    }
    if (choice.otherwise() != null && isEmpty(choice.otherwise())) {
      throw fault(choice.at(), "extraneous else block.");
    }
  }

  /// @param kind of loop, such as `while`
  /// @param body null for a semicolon in its place
  static void refuse(
      int at, String kind, @Nullable Expression condition, @Nullable Statement body) {
    boolean isEmpty = body == null || isEmpty(body);
    boolean mayBeEmpty = kind.equals("while") || kind.equals("for");
    if (isConstant(condition, false) || (isEmpty && !mayBeEmpty)) {
      throw fault(at, "extraneous " + kind + " loop");
    }
    if (isEmpty && isConstant(condition, true)) {
      throw fault(at, "no paths escape from " + kind + " loop");
    }
  }

  /// @param body of a loop, which a `continue` may begin again
  static void refuse(int at, String kind, Loop loop, Done body) {
    if (body.endsFlow() && !loop.continues) {
      throw fault(at, "extraneous " + kind + " loop");
    }
  }

  static void refuse(Tree.Try attempt) {
    if (isEmpty(attempt.body())) {
      throw fault(attempt.at(), "extraneous try statement");
    }
  }

  /// @param at of the end of a script, or the beginning of a function
  static SyntaxFault function(int at, String name, int parameters) {
    return fault(
        at,
        "invalid function definition: found no statements for function ["
            + name
            + "] with ["
            + parameters
            + "] parameters");
  }

  static boolean isConstant(@Nullable Expression condition, boolean value) {
    return condition instanceof Tree.Literal literal
        && Boolean.valueOf(value).equals(literal.value());
  }

  private static boolean isEmpty(Statement body) {
    return body instanceof Tree.Block block && block.statements().isEmpty();
  }

  private static SyntaxFault fault(int at, String reason) {
    return new SyntaxFault(at, reason);
  }
}
