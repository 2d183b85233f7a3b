package dev.holdfast.script.parse;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a script says, each part with the offset of its first character (of its dot or bracket, for
/// what is taken out of another value). Types are names here.
public sealed interface Tree {
  int at();

  /// What has a value.
  sealed interface Expression extends Tree {}

  /// What is done.
  sealed interface Statement extends Tree {}

  record Literal(int at, @Nullable Object value) implements Expression {}

  record Name(int at, String name) implements Expression {}

  /// The name of a type, where a static member of it is meant.
  record TypeName(int at, String name) implements Expression {}

  record ListOf(int at, List<Expression> values) implements Expression {}

  record MapOf(int at, List<Expression> keys, List<Expression> values) implements Expression {}

  record Regex(int at, String pattern, String flags) implements Expression {}

  record Unary(int at, String operator, Expression operand) implements Expression {}

  record Binary(int at, String operator, Expression left, Expression right) implements Expression {}

  record Conditional(int at, Expression condition, Expression then, Expression otherwise)
      implements Expression {}

  record Elvis(int at, Expression value, Expression otherwise) implements Expression {}

  record InstanceOf(int at, Expression value, String type) implements Expression {}

  record Cast(int at, String type, Expression value) implements Expression {}

  /// @param operator empty for a plain assignment, else what is before the `=`
  record Assign(int at, Expression target, String operator, Expression value)
      implements Expression {}

  record Increment(int at, Expression target, boolean isUp, boolean isBefore)
      implements Expression {}

  record Member(int at, Expression target, String name, boolean isSafe) implements Expression {}

  record Index(int at, Expression target, Expression index) implements Expression {}

  /// @param target null for a function of the script or its context
  record Call(
      int at, @Nullable Expression target, String name, List<Expression> arguments, boolean isSafe)
      implements Expression {}

  record New(int at, String type, List<Expression> arguments) implements Expression {}

  /// @param type of an element
  /// @param values null where sizes are given
  record NewArray(
      int at, String type, List<Expression> sizes, int depth, @Nullable List<Expression> values)
      implements Expression {}

  record Lambda(int at, List<Parameter> parameters, Block body) implements Expression {}

  /// `Type::method`, `value::method`, `this::function`; `new` for a constructor.
  record Reference(int at, @Nullable Expression target, String method) implements Expression {}

  /// @param type null where it is left out, as in a lambda
  record Parameter(int at, @Nullable String type, String name) {}

  record Block(int at, List<Statement> statements) implements Statement {}

  record If(int at, Expression condition, Statement then, @Nullable Statement otherwise)
      implements Statement {}

  record While(int at, Expression condition, @Nullable Statement body) implements Statement {}

  record DoWhile(int at, Statement body, Expression condition) implements Statement {}

  record For(
      int at,
      @Nullable Statement first,
      @Nullable Expression condition,
      @Nullable Expression after,
      @Nullable Statement body)
      implements Statement {}

  /// @param type null for `for (x in y)`
  record Each(int at, @Nullable String type, String name, Expression values, Statement body)
      implements Statement {}

  record Declare(int at, String type, List<Variable> variables) implements Statement {}

  record Variable(int at, String name, @Nullable Expression value) {}

  record Run(int at, Expression expression) implements Statement {}

  record Return(int at, @Nullable Expression value) implements Statement {}

  record Throw(int at, Expression value) implements Statement {}

  record Break(int at) implements Statement {}

  record Continue(int at) implements Statement {}

  record Try(int at, Block body, List<Catch> catches) implements Statement {}

  record Catch(int at, String type, String name, Block body) {}

  record Function(int at, String returns, String name, List<Parameter> parameters, Block body)
      implements Tree {}

  record Script(int at, List<Function> functions, List<Statement> statements) implements Tree {}
}
