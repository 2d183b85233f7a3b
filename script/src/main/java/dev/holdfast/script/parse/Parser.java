package dev.holdfast.script.parse;

import dev.holdfast.script.parse.Tree.Block;
import dev.holdfast.script.parse.Tree.Expression;
import dev.holdfast.script.parse.Tree.Parameter;
import dev.holdfast.script.parse.Tree.Statement;
import dev.holdfast.script.parse.Word.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Reads functions and statements by recursive descent.
public final class Parser {
  private final Tokens tokens;
  private final ExpressionParser expressions;

  private Parser(Tokens tokens) {
    this.tokens = tokens;
    this.expressions = new ExpressionParser(tokens, this);
  }

  /// @param isType whether a name, dotted or not, is that of a type
  /// @throws SyntaxFault when the text is no script
  public static Tree.Script parse(String source, Predicate<String> isType) {
    return new Parser(new Tokens(Lexer.tokens(source), isType)).script();
  }

  private Tree.Script script() {
    List<Tree.Function> functions = new ArrayList<>();
    for (Tree.Function function = function(); function != null; function = function()) {
      functions.add(function);
    }
    List<Statement> statements = new ArrayList<>();
    while (tokens.peek().kind() != Kind.END) {
      if (!tokens.takes(";")) {
        statements.add(statement());
      }
    }
    return new Tree.Script(0, functions, statements);
  }

  private Tree.@Nullable Function function() {
    int mark = tokens.mark();
    int at = tokens.peek().at();
    String returns = tokens.peek().text().equals("void") ? tokens.take().text() : tokens.type();
    if (returns == null || tokens.peek().kind() != Kind.NAME || !tokens.peek(1).is("(")) {
      tokens.reset(mark);
      return null;
    }
    String name = tokens.name();
    tokens.expect("(");
    List<Parameter> parameters = new ArrayList<>();
    while (!tokens.peek().is(")")) {
      if (!parameters.isEmpty()) {
        tokens.expect(",");
      }
      int where = tokens.peek().at();
      String type = tokens.type();
      if (type == null) {
        throw tokens.invalid();
      }
      parameters.add(new Parameter(where, type, tokens.name()));
    }
    tokens.expect(")");
    return new Tree.Function(at, returns, name, parameters, block());
  }

  Block block() {
    int at = tokens.expect("{").at();
    List<Statement> statements = new ArrayList<>();
    while (!tokens.takes("}")) {
      if (!tokens.takes(";")) {
        statements.add(statement());
      }
    }
    return new Block(at, statements);
  }

  private Statement statement() {
    tokens.enter();
    try {
      Word first = tokens.peek();
      int at = first.at();
      if (first.kind() == Kind.KEYWORD) {
        Statement compound =
            switch (first.text()) {
              case "if" -> ifStatement(at);
              case "while" -> whileStatement(at);
              case "for" -> forStatement(at);
              case "try" -> tryStatement(at);
              case "do" -> doStatement(at);
              default -> null;
            };
        if (compound != null) {
          return compound;
        }
      }
      if (first.is("{")) {
        return block();
      }
      Statement simple = simple(at);
      end();
      return simple;
    } finally {
      tokens.leave();
    }
  }

  /// A statement ends with a semicolon, its block or the script.
  private void end() {
    if (!tokens.takes(";") && !tokens.peek().is("}") && tokens.peek().kind() != Kind.END) {
      // Two values side by side are no sequence at all; anything else is a token too many.
      throw tokens.peek().kind() == Kind.SYMBOL
          ? tokens.unexpected("{<EOF>, ';'}")
          : tokens.invalid();
    }
  }

  private Statement simple(int at) {
    Word first = tokens.peek();
    if (first.kind() == Kind.KEYWORD) {
      Statement jump = jump(first.text(), at);
      if (jump != null) {
        return jump;
      }
    }
    Statement declaration = declaration(at);
    return declaration != null ? declaration : new Tree.Run(at, expressions.expression());
  }

  private @Nullable Statement jump(String word, int at) {
    return switch (word) {
      case "continue" -> {
        tokens.take();
        yield new Tree.Continue(at);
      }
      case "break" -> {
        tokens.take();
        yield new Tree.Break(at);
      }
      case "return" -> {
        tokens.take();
        boolean isBare =
            tokens.peek().is(";") || tokens.peek().is("}") || tokens.peek().kind() == Kind.END;
        yield new Tree.Return(at, isBare ? null : expressions.expression());
      }
      case "throw" -> {
        tokens.take();
        yield new Tree.Throw(at, expressions.expression());
      }
      default -> null;
    };
  }

  private @Nullable Statement declaration(int at) {
    int mark = tokens.mark();
    String type = tokens.type();
    if (type == null || tokens.peek().kind() != Kind.NAME) {
      tokens.reset(mark);
      return null;
    }
    List<Tree.Variable> variables = new ArrayList<>();
    do {
      int where = tokens.peek().at();
      String name = tokens.name();
      variables.add(
          new Tree.Variable(where, name, tokens.takes("=") ? expressions.expression() : null));
    } while (tokens.takes(","));
    return new Tree.Declare(at, type, variables);
  }

  private Expression parenthesised() {
    tokens.expect("(");
    Expression value = expressions.expression();
    tokens.expect(")");
    return value;
  }

  private Statement ifStatement(int at) {
    tokens.take();
    Expression condition = parenthesised();
    Statement then = statement();
    Statement otherwise = tokens.takes("else") ? statement() : null;
    return new Tree.If(at, condition, then, otherwise);
  }

  private @Nullable Statement bodyOrEmpty() {
    return tokens.takes(";") ? null : statement();
  }

  private Statement whileStatement(int at) {
    tokens.take();
    return new Tree.While(at, parenthesised(), bodyOrEmpty());
  }

  private Statement doStatement(int at) {
    tokens.take();
    Block body = block();
    tokens.expect("while");
    Statement loop = new Tree.DoWhile(at, body, parenthesised());
    end();
    return loop;
  }

  private Statement forStatement(int at) {
    tokens.take();
    tokens.expect("(");
    Statement each = each(at);
    if (each != null) {
      return each;
    }
    Statement first = tokens.peek().is(";") ? null : simpleFor();
    tokens.expect(";");
    Expression condition = tokens.peek().is(";") ? null : expressions.expression();
    tokens.expect(";");
    Expression after = tokens.peek().is(")") ? null : expressions.expression();
    tokens.expect(")");
    return new Tree.For(at, first, condition, after, bodyOrEmpty());
  }

  private Statement simpleFor() {
    int at = tokens.peek().at();
    Statement declaration = declaration(at);
    return declaration != null ? declaration : new Tree.Run(at, expressions.expression());
  }

  private @Nullable Statement each(int at) {
    int mark = tokens.mark();
    if (tokens.peek().kind() == Kind.NAME && tokens.peek(1).is("in")) {
      String name = tokens.name();
      tokens.take();
      return eachBody(at, null, name);
    }
    String type = tokens.type();
    if (type != null && tokens.peek().kind() == Kind.NAME && tokens.peek(1).is(":")) {
      String name = tokens.name();
      tokens.take();
      return eachBody(at, type, name);
    }
    tokens.reset(mark);
    return null;
  }

  private Statement eachBody(int at, @Nullable String type, String name) {
    Expression values = expressions.expression();
    tokens.expect(")");
    return new Tree.Each(at, type, name, values, statement());
  }

  private Statement tryStatement(int at) {
    tokens.take();
    Block body = block();
    List<Tree.Catch> catches = new ArrayList<>();
    while (tokens.peek().is("catch")) {
      int where = tokens.take().at();
      tokens.expect("(");
      String type = tokens.type();
      if (type == null) {
        throw tokens.invalid();
      }
      String name = tokens.name();
      tokens.expect(")");
      catches.add(new Tree.Catch(where, type, name, block()));
    }
    if (catches.isEmpty()) {
      throw tokens.unexpected("{'catch'}");
    }
    return new Tree.Try(at, body, catches);
  }
}
