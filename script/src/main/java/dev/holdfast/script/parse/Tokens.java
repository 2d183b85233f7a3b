package dev.holdfast.script.parse;

import dev.holdfast.script.parse.Word.Kind;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The words of a script while they are read, and which of them name types.
final class Tokens {
  /// Parts within parts: the stack of the parser and of the compiler bounds them.
  private static final int DEPTH_MAX = 200;

  private static final int DIMENSIONS_MAX = 255;

  /// No type has a longer name: what is longer need not be looked up, part by part.
  private static final int NAME_PARTS_MAX = 10;

  private static final Set<String> PRIMITIVES =
      Set.of("def", "boolean", "byte", "short", "char", "int", "long", "float", "double");

  private final List<Word> tokens;
  private final Predicate<String> isType;
  private int next;
  private int depth;

  Tokens(List<Word> tokens, Predicate<String> isType) {
    this.tokens = tokens;
    this.isType = isType;
  }

  Word peek() {
    return tokens.get(next);
  }

  Word peek(int ahead) {
    return tokens.get(Math.min(next + ahead, tokens.size() - 1));
  }

  Word take() {
    Word token = tokens.get(next);
    if (next < tokens.size() - 1) {
      next++;
    }
    return token;
  }

  int mark() {
    return next;
  }

  void reset(int mark) {
    next = mark;
  }

  boolean takes(String symbol) {
    boolean isIt = peek().is(symbol);
    if (isIt) {
      take();
    }
    return isIt;
  }

  Word expect(String symbol) {
    if (!peek().is(symbol)) {
      throw unexpected("{'" + symbol + "'}");
    }
    return take();
  }

  String name() {
    if (peek().kind() != Kind.NAME) {
      throw unexpected("{ID}");
    }
    return take().text();
  }

  SyntaxFault unexpected(String wanted) {
    Word token = peek();
    return new SyntaxFault(
        token.at(),
        token.kind() == Kind.END
            ? "unexpected end of script."
            : "unexpected token ['" + token.shown() + "'] was expecting one of [" + wanted + "].");
  }

  SyntaxFault invalid() {
    Word token = peek();
    return token.kind() == Kind.END
        ? new SyntaxFault(token.at(), "unexpected end of script.")
        : new SyntaxFault(token.at(), "invalid sequence of tokens near ['" + token.shown() + "'].");
  }

  void enter() {
    if (++depth > DEPTH_MAX) {
      throw new SyntaxFault(
          peek().at(), "the script is nested deeper than [" + DEPTH_MAX + "] levels");
    }
  }

  void leave() {
    depth--;
  }

  /// Takes the name of a type where one stands, with its packages and brackets.
  ///
  /// @return null, with nothing taken, where none does
  @Nullable String type() {
    int mark = next;
    String base = baseType();
    if (base == null) {
      return null;
    }
    StringBuilder type = new StringBuilder(base);
    int dimensions = 0;
    while (peek().is("[") && peek(1).is("]")) {
      take();
      take();
      type.append("[]");
      requireDimensions(++dimensions, peek().at());
    }
    if (type.isEmpty()) {
      next = mark;
    }
    return type.toString();
  }

  /// The machine's limit: an array of more dimensions has no class.
  static void requireDimensions(int dimensions, int at) {
    if (dimensions > DIMENSIONS_MAX) {
      throw new SyntaxFault(at, "an array has at most [" + DIMENSIONS_MAX + "] dimensions");
    }
  }

  /// The same without brackets.
  @Nullable String baseType() {
    int mark = next;
    if (peek().kind() != Kind.NAME) {
      return null;
    }
    String name = take().text();
    if (PRIMITIVES.contains(name)) {
      return name;
    }
    // The longest run of dotted names that is a type.
    String longest = isType.test(name) ? name : null;
    int end = longest == null ? mark : next;
    StringBuilder dotted = new StringBuilder(name);
    int parts = 1;
    while (parts++ < NAME_PARTS_MAX && peek().is(".") && peek(1).kind() == Kind.NAME) {
      take();
      dotted.append('.').append(take().text());
      if (isType.test(dotted.toString())) {
        longest = dotted.toString();
        end = next;
      }
    }
    next = end;
    return longest;
  }

  static boolean isPrimitive(String type) {
    return PRIMITIVES.contains(type);
  }

  /// Whether something of the value is asked for that has just been read: a member, an element.
  boolean asksOfValue() {
    Word next = peek();
    return next.is(".") || next.is("?.") || next.is("[") || next.is("::");
  }
}
