package dev.holdfast.script.parse;

import dev.holdfast.script.parse.Tree.Block;
import dev.holdfast.script.parse.Tree.Expression;
import dev.holdfast.script.parse.Tree.Parameter;
import dev.holdfast.script.parse.Word.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Reads expressions by the strength of their operators (Pratt).
final class ExpressionParser {
  private static final Map<String, Integer> STRENGTH =
      Map.ofEntries(
          Map.entry("*", 12),
          Map.entry("/", 12),
          Map.entry("%", 12),
          Map.entry("+", 11),
          Map.entry("-", 11),
          Map.entry("=~", 10),
          Map.entry("==~", 10),
          Map.entry("<<", 9),
          Map.entry(">>", 9),
          Map.entry(">>>", 9),
          Map.entry("<", 8),
          Map.entry("<=", 8),
          Map.entry(">", 8),
          Map.entry(">=", 8),
          Map.entry("instanceof", 8),
          Map.entry("==", 7),
          Map.entry("!=", 7),
          Map.entry("===", 7),
          Map.entry("!==", 7),
          Map.entry("&", 6),
          Map.entry("^", 5),
          Map.entry("|", 4),
          Map.entry("&&", 3),
          Map.entry("||", 2));

  private static final Set<String> ASSIGNMENTS =
      Set.of("=", "+=", "-=", "*=", "/=", "%=", "&=", "^=", "|=", "<<=", ">>=", ">>>=");

  private final Tokens tokens;
  private final Parser statements;

  ExpressionParser(Tokens tokens, Parser statements) {
    this.tokens = tokens;
    this.statements = statements;
  }

  /// An assignment, a conditional, or anything that binds stronger.
  Expression expression() {
    tokens.enter();
    try {
      int at = tokens.peek().at();
      Expression lambda = lambda();
      if (lambda != null) {
        return lambda;
      }
      Expression left = binary(1);
      Word next = tokens.peek();
      if (next.is("?")) {
        tokens.take();
        Expression then = expression();
        tokens.expect(":");
        return new Tree.Conditional(at, left, then, expression());
      }
      if (next.is("?:")) {
        tokens.take();
        return new Tree.Elvis(at, left, expression());
      }
      if (next.kind() == Kind.SYMBOL && ASSIGNMENTS.contains(next.text())) {
        if (!isTarget(left)) {
          throw new SyntaxFault(at, "invalid assignment: cannot assign a value to this expression");
        }
        tokens.take();
        String operator = next.text().substring(0, next.text().length() - 1);
        return new Tree.Assign(at, left, operator, expression());
      }
      return left;
    } finally {
      tokens.leave();
    }
  }

  private static boolean isTarget(Expression value) {
    return value instanceof Tree.Name
        || value instanceof Tree.Member
        || value instanceof Tree.Index;
  }

  private Expression binary(int weakest) {
    int at = tokens.peek().at();
    Expression left = unary();
    while (true) {
      Word operator = tokens.peek();
      boolean isOne = operator.kind() == Kind.SYMBOL || operator.kind() == Kind.KEYWORD;
      Integer strength = isOne ? STRENGTH.get(operator.text()) : null;
      if (strength == null || strength < weakest) {
        return left;
      }
      tokens.take();
      if (operator.text().equals("instanceof")) {
        String type = tokens.type();
        if (type == null) {
          throw tokens.invalid();
        }
        left = new Tree.InstanceOf(at, left, type);
      } else {
        left = new Tree.Binary(at, operator.text(), left, binary(strength + 1));
      }
    }
  }

  private Expression unary() {
    tokens.enter();
    try {
      Word first = tokens.peek();
      if (first.is("++") || first.is("--")) {
        tokens.take();
        Expression target = postfix();
        requireTarget(first, target);
        return new Tree.Increment(first.at(), target, first.is("++"), true);
      }
      if (first.is("!") || first.is("~") || first.is("+") || first.is("-")) {
        tokens.take();
        if (first.is("-") && tokens.peek().kind() == Kind.INTEGER) {
          int mark = tokens.mark();
          Expression number = NumberText.literal(tokens.take(), true);
          if (!tokens.asksOfValue()) {
            return number;
          }
          tokens.reset(mark); // what is asked of it is asked of it without the sign
        }
        return new Tree.Unary(first.at(), first.text(), unary());
      }
      Expression cast = cast();
      if (cast != null) {
        return cast;
      }
      Expression value = postfix();
      Word after = tokens.peek();
      if (after.is("++") || after.is("--")) {
        tokens.take();
        requireTarget(first, value);
        return new Tree.Increment(first.at(), value, after.is("++"), false);
      }
      return value;
    } finally {
      tokens.leave();
    }
  }

  private static void requireTarget(Word at, Expression target) {
    if (!isTarget(target)) {
      throw new SyntaxFault(
          at.at(), "invalid assignment: cannot assign a value to this expression");
    }
  }

  private @Nullable Expression cast() {
    int mark = tokens.mark();
    int at = tokens.peek().at();
    if (!tokens.takes("(")) {
      return null;
    }
    String type = tokens.type();
    if (type != null && tokens.takes(")")) {
      Word next = tokens.peek();
      boolean beginsValue =
          switch (next.kind()) {
            case NAME, INTEGER, DECIMAL, STRING, REGEX -> true;
            case KEYWORD -> Set.of("new", "this", "true", "false", "null").contains(next.text());
            case SYMBOL ->
                next.is("(")
                    || next.is("[")
                    || next.is("!")
                    || next.is("~")
                    || (Tokens.isPrimitive(type)
                        && Set.of("+", "-", "++", "--").contains(next.text()));
            case END -> false;
          };
      if (beginsValue) {
        return new Tree.Cast(at, type, unary());
      }
    }
    tokens.reset(mark);
    return null;
  }

  private Expression postfix() {
    return afterwards(primary());
  }

  private Expression afterwards(Expression first) {
    Expression value = first;
    while (true) {
      Word next = tokens.peek();
      if (next.is(".") || next.is("?.")) {
        tokens.take();
        Word member = tokens.peek();
        if (member.kind() != Kind.NAME && member.kind() != Kind.INTEGER) {
          throw tokens.invalid();
        }
        tokens.take();
        value =
            tokens.peek().is("(") && member.kind() == Kind.NAME
                ? new Tree.Call(next.at(), value, member.text(), arguments(), next.is("?."))
                : new Tree.Member(next.at(), value, member.text(), next.is("?."));
      } else if (next.is("[")) {
        tokens.take();
        Expression index = expression();
        tokens.expect("]");
        value = new Tree.Index(next.at(), value, index);
      } else if (next.is("::")) {
        // Of what else, it would be compiled anew for each number of parameters: 5^n times.
        if (!(value instanceof Tree.Name) && !(value instanceof Tree.TypeName)) {
          throw tokens.invalid();
        }
        tokens.take();
        String method = tokens.takes("new") ? "new" : tokens.name();
        value = new Tree.Reference(value.at(), value, method);
      } else {
        return value;
      }
    }
  }

  private List<Expression> arguments() {
    tokens.expect("(");
    List<Expression> arguments = new ArrayList<>();
    while (!tokens.takes(")")) {
      if (!arguments.isEmpty()) {
        tokens.expect(",");
      }
      arguments.add(expression());
    }
    return arguments;
  }

  private Expression primary() {
    Word token = tokens.peek();
    return switch (token.kind()) {
      case INTEGER, DECIMAL -> NumberText.literal(tokens.take(), false);
      case STRING -> new Tree.Literal(token.at(), tokens.take().text());
      case REGEX -> {
        tokens.take();
        yield new Tree.Regex(token.at(), token.text(), token.extra());
      }
      case NAME -> named(token);
      case KEYWORD -> keyword(token);
      case SYMBOL -> symbol(token);
      case END -> throw tokens.invalid();
    };
  }

  private Expression named(Word token) {
    int mark = tokens.mark();
    String type = tokens.type();
    if (type != null && (tokens.peek().is(".") || tokens.peek().is("::"))) {
      return new Tree.TypeName(token.at(), type);
    }
    tokens.reset(mark);
    tokens.take();
    return tokens.peek().is("(")
        ? new Tree.Call(token.at(), null, token.text(), arguments(), false)
        : new Tree.Name(token.at(), token.text());
  }

  private Expression keyword(Word token) {
    return switch (token.text()) {
      case "true", "false", "null" -> {
        tokens.take();
        Object value = token.text().equals("null") ? null : (Object) token.text().equals("true");
        yield new Tree.Literal(token.at(), value);
      }
      case "new" -> {
        tokens.take();
        yield creation(token.at());
      }
      case "this" -> {
        tokens.take();
        if (!tokens.takes("::")) {
          throw tokens.invalid();
        }
        yield new Tree.Reference(token.at(), null, tokens.name());
      }
      default -> throw tokens.invalid();
    };
  }

  private Expression creation(int at) {
    String type = tokens.baseType();
    if (type == null) {
      throw new SyntaxFault(at, "cannot resolve type [" + tokens.peek().shown() + "].");
    }
    if (tokens.peek().is("(")) {
      return new Tree.New(at, type, arguments());
    }
    List<Expression> sizes = new ArrayList<>();
    int depth = 0;
    while (tokens.takes("[")) {
      Tokens.requireDimensions(++depth, at);
      if (!tokens.peek().is("]") && sizes.size() == depth - 1) {
        sizes.add(expression());
      }
      tokens.expect("]");
    }
    if (depth == 0) {
      throw tokens.invalid();
    }
    if (!sizes.isEmpty()) {
      return new Tree.NewArray(at, type, sizes, depth, null);
    }
    tokens.expect("{");
    List<Expression> values = new ArrayList<>();
    while (!tokens.takes("}")) {
      if (!values.isEmpty()) {
        tokens.expect(",");
      }
      values.add(expression());
    }
    return new Tree.NewArray(at, type, List.of(), depth, values);
  }

  private Expression symbol(Word token) {
    if (token.is("(")) {
      tokens.take();
      Expression inner = expression();
      tokens.expect(")");
      return inner;
    }
    if (!token.is("[")) {
      throw tokens.invalid();
    }
    tokens.take();
    if (tokens.takes(":")) {
      tokens.expect("]");
      return new Tree.MapOf(token.at(), List.of(), List.of());
    }
    List<Expression> keys = new ArrayList<>();
    List<Expression> values = new ArrayList<>();
    boolean isMap = false;
    while (!tokens.takes("]")) {
      if (!keys.isEmpty()) {
        tokens.expect(",");
      }
      keys.add(expression());
      isMap |= keys.size() == 1 && tokens.peek().is(":");
      if (isMap) {
        tokens.expect(":");
        values.add(expression());
      }
    }
    return isMap ? new Tree.MapOf(token.at(), keys, values) : new Tree.ListOf(token.at(), keys);
  }

  /// A lambda where one begins: `x ->`, `(a, int b) ->`.
  private @Nullable Expression lambda() {
    Word first = tokens.peek();
    int mark = tokens.mark();
    List<Parameter> parameters = new ArrayList<>();
    if (first.kind() == Kind.NAME && tokens.peek(1).is("->")) {
      tokens.take();
      parameters.add(new Parameter(first.at(), null, first.text()));
    } else if (first.is("(")) {
      tokens.take();
      while (!tokens.peek().is(")")) {
        if (!parameters.isEmpty() && !tokens.takes(",")) {
          tokens.reset(mark);
          return null;
        }
        int at = tokens.peek().at();
        String type =
            tokens.peek(1).kind() == Kind.NAME || tokens.peek(1).is(".") || tokens.peek(1).is("[")
                ? tokens.type()
                : null;
        if (tokens.peek().kind() != Kind.NAME) {
          tokens.reset(mark);
          return null;
        }
        parameters.add(new Parameter(at, type, tokens.name()));
      }
      tokens.take();
    }
    if (!tokens.peek().is("->")) {
      tokens.reset(mark);
      return null;
    }
    int at = tokens.take().at();
    if (tokens.peek().is("{")) {
      return new Tree.Lambda(first.at(), parameters, statements.block());
    }
    Expression value = expression();
    return new Tree.Lambda(
        first.at(), parameters, new Block(at, List.of(new Tree.Run(first.at(), value))));
  }
}
