package dev.holdfast.script.compile;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_String;

import dev.holdfast.script.parse.SyntaxFault;
import dev.holdfast.script.runtime.DefMath;
import dev.holdfast.script.runtime.Text;
import dev.holdfast.script.type.Type;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.Map;

/// Arithmetic, comparison, logic and patterns: of numbers where the types are known, through
/// [DefMath] where they are not.

final class Operators {
  static final ClassDesc DEF_MATH = Type.desc(DefMath.class);
  static final ClassDesc TEXT = Type.desc(Text.class);

  private static final Map<String, String> NAMES =
      Map.ofEntries(
          Map.entry("+", "add"),
          Map.entry("-", "subtract"),
          Map.entry("*", "multiply"),
          Map.entry("/", "divide"),
          Map.entry("%", "remainder"),
          Map.entry("&", "and"),
          Map.entry("|", "or"),
          Map.entry("^", "xor"),
          Map.entry("<<", "left"),
          Map.entry(">>", "right"),
          Map.entry(">>>", "unsignedRight"),
          Map.entry("<", "less"),
          Map.entry("<=", "lessOrEqual"),
          Map.entry(">", "greater"),
          Map.entry(">=", "greaterOrEqual"));

  private Operators() {}

  static Value binary(int at, String operator, Value left, Value right) {
    return switch (operator) {
      case "&&", "||" -> logic(at, operator.equals("&&"), left, right);
      case "==", "!=", "===", "!==" -> Comparisons.equal(at, operator, left, right);
      case "<", "<=", ">", ">=" -> Comparisons.compare(at, operator, left, right);
      case "<<", ">>", ">>>" -> shift(at, operator, left, right);
      case "&", "|", "^" -> bits(at, operator, left, right);
      case "+" -> isText(left, right) ? concat(at, left, right) : numbers(at, "+", left, right);
      default -> numbers(at, operator, left, right);
    };
  }

  private static boolean isText(Value left, Value right) {
    boolean isText = left.type().java() == String.class || right.type().java() == String.class;
    return isText && !left.type().isVoid() && !right.type().isVoid();
  }

  static SyntaxFault mismatch(int at, String operator, Value left, Value right) {
    return new SyntaxFault(
        at,
        SyntaxFault.Kind.CLASS_CAST,
        "Cannot apply ["
            + operator
            + "] operation to types ["
            + left.type().name()
            + "] and ["
            + right.type().name()
            + "].");
  }

  private static Value numbers(int at, String operator, Value left, Value right) {
    Type type = Casts.promoted(left.type(), right.type());
    if (type == null || left.type().isVoid() || right.type().isVoid()) {
      throw mismatch(at, operator, left, right);
    }
    if (type.isDef()) {
      return onDef(at, operator, left, right, Type.DEF);
    }
    Code a = Casts.to(type, left, true).code();
    Code b = Casts.to(type, right, true).code();
    return new Value(
        at,
        type,
        to -> {
          line(to, at);
          a.write(to);
          b.write(to);
          arithmetic(to, operator, type.kind());
        });
  }

  /// Says where in the source what follows may fail. Like Elasticsearch's compiler, operators and
  /// calls say so before their operands, so that an error is shown at the last operand that has a
  /// place of its own.
  static void line(CodeBuilder to, int at) {
    to.lineNumber(Math.min(at + 1, 65535));
  }

  private static void arithmetic(CodeBuilder to, String operator, TypeKind kind) {
    switch (operator + kind) {
      case "+INT" -> to.iadd();
      case "-INT" -> to.isub();
      case "*INT" -> to.imul();
      case "/INT" -> to.idiv();
      case "%INT" -> to.irem();
      case "&INT" -> to.iand();
      case "|INT" -> to.ior();
      case "^INT" -> to.ixor();
      case "<<INT" -> to.ishl();
      case ">>INT" -> to.ishr();
      case ">>>INT" -> to.iushr();
      case "+LONG" -> to.ladd();
      case "-LONG" -> to.lsub();
      case "*LONG" -> to.lmul();
      case "/LONG" -> to.ldiv();
      case "%LONG" -> to.lrem();
      case "&LONG" -> to.land();
      case "|LONG" -> to.lor();
      case "^LONG" -> to.lxor();
      case "<<LONG" -> to.lshl();
      case ">>LONG" -> to.lshr();
      case ">>>LONG" -> to.lushr();
      case "+FLOAT" -> to.fadd();
      case "-FLOAT" -> to.fsub();
      case "*FLOAT" -> to.fmul();
      case "/FLOAT" -> to.fdiv();
      case "%FLOAT" -> to.frem();
      case "+DOUBLE" -> to.dadd();
      case "-DOUBLE" -> to.dsub();
      case "*DOUBLE" -> to.dmul();
      case "/DOUBLE" -> to.ddiv();
      case "%DOUBLE" -> to.drem();
      default -> throw new IllegalStateException("no such operator [" + operator + kind + "]");
    }
  }

  static Value onDef(int at, String operator, Value left, Value right, Type returns) {
    Code a = Casts.to(Type.DEF, left, false).code();
    Code b = Casts.to(Type.DEF, right, false).code();
    String name = NAMES.get(operator);
    return new Value(
        at,
        returns,
        to -> {
          line(to, at);
          a.write(to);
          b.write(to);
          to.invokestatic(DEF_MATH, name, MethodTypeDesc.of(returns.desc(), CD_Object, CD_Object));
        });
  }

  private static Value shift(int at, String operator, Value left, Value right) {
    if (left.type().isDef() || right.type().isDef()) {
      return onDef(at, operator, left, right, Type.DEF);
    }
    Type type = Casts.promoted(left.type(), Type.INT);
    Type by = Casts.promoted(right.type(), Type.INT);
    if (type == null || by == null || type.rank() > 5 || by.rank() > 5) {
      throw mismatch(at, operator, left, right);
    }
    Code a = Casts.to(type, left, true).code();
    Code b = Casts.to(Type.INT, right, true).code();
    return new Value(
        at,
        type,
        to -> {
          a.write(to);
          b.write(to);
          arithmetic(to, operator, type.kind());
        });
  }

  private static Value bits(int at, String operator, Value left, Value right) {
    Type a = left.type().unboxed();
    Type b = right.type().unboxed();
    if (a != null && b != null && a.java() == boolean.class && b.java() == boolean.class) {
      Code x = Casts.to(Type.BOOLEAN, left, false).code();
      Code y = Casts.to(Type.BOOLEAN, right, false).code();
      return new Value(
          at,
          Type.BOOLEAN,
          to -> {
            x.write(to);
            y.write(to);
            arithmetic(to, operator, TypeKind.INT);
          });
    }
    Type type = Casts.promoted(left.type(), right.type());
    if (type == null || type.rank() > 5) {
      throw mismatch(at, operator, left, right);
    }
    return numbers(at, operator, left, right);
  }

  private static Value logic(int at, boolean isAnd, Value left, Value right) {
    Code a = Casts.to(Type.BOOLEAN, left, false).code();
    Code b = Casts.to(Type.BOOLEAN, right, false).code();
    return new Value(
        at,
        Type.BOOLEAN,
        to -> {
          a.write(to);
          to.ifThenElse(
              isAnd ? Opcode.IFNE : Opcode.IFEQ,
              inner -> b.write(inner),
              inner -> inner.loadConstant(isAnd ? 0 : 1));
        });
  }

  private static Value concat(int at, Value left, Value right) {
    Code a = text(left);
    Code b = text(right);
    return new Value(
        at,
        Type.STRING,
        to -> {
          line(to, at);
          a.write(to);
          b.write(to);
          to.invokestatic(TEXT, "concat", MethodTypeDesc.of(CD_String, CD_String, CD_String));
        });
  }

  private static Code text(Value value) {
    Code boxed = Casts.to(Type.DEF, value, false).code();
    return to -> {
      boxed.write(to);
      to.invokestatic(TEXT, "of", MethodTypeDesc.of(CD_String, CD_Object));
    };
  }

  static Value unary(int at, String operator, Value operand) {
    Type type = operand.type();
    if (operator.equals("!")) {
      Code code = Casts.to(Type.BOOLEAN, operand, false).code();
      return new Value(
          at,
          Type.BOOLEAN,
          to -> {
            code.write(to);
            to.loadConstant(1).ixor();
          });
    }
    Type number = type.isDef() ? Type.DEF : Casts.promoted(type, Type.INT);
    if (number == null || (operator.equals("~") && number.rank() > 5)) {
      throw new SyntaxFault(
          at,
          SyntaxFault.Kind.CLASS_CAST,
          "cannot apply the "
              + name(operator)
              + " operator ["
              + operator
              + "] to the type ["
              + type.name()
              + "]");
    }
    if (number.isDef()) {
      return new Value(
          at,
          Type.DEF,
          to -> {
            line(to, at);
            operand.code().write(to);
            to.invokestatic(DEF_MATH, word(operator), MethodTypeDesc.of(CD_Object, CD_Object));
          });
    }
    Code code = Casts.to(number, operand, true).code();
    return new Value(
        at,
        number,
        to -> {
          code.write(to);
          if (operator.equals("-")) {
            negate(to, number.kind());
          } else if (operator.equals("~")) {
            if (number.rank() == 5) {
              to.loadConstant(-1L).lxor();
            } else {
              to.loadConstant(-1).ixor();
            }
          }
        });
  }

  private static String name(String operator) {
    return operator.equals("-") ? "subtraction" : operator.equals("~") ? "bitwise not" : "addition";
  }

  private static String word(String operator) {
    return operator.equals("-") ? "negate" : operator.equals("~") ? "complement" : "plus";
  }

  private static void negate(CodeBuilder to, TypeKind kind) {
    switch (kind) {
      case LONG -> to.lneg();
      case FLOAT -> to.fneg();
      case DOUBLE -> to.dneg();
      default -> to.ineg();
    }
  }

  /// `text =~ pattern` (anywhere) and `text ==~ pattern` (all of it).
  static Value find(int at, boolean isAll, Value text, Value pattern) {
    Type patterns = Type.of(java.util.regex.Pattern.class);
    Code a = Casts.to(Type.DEF, text, false).code();
    Code b = Casts.to(patterns, pattern, false).code();
    return new Value(
        at,
        Type.BOOLEAN,
        to -> {
          line(to, at);
          a.write(to);
          b.write(to);
          to.invokestatic(
              TEXT,
              isAll ? "matches" : "find",
              MethodTypeDesc.of(ConstantDescs.CD_boolean, CD_Object, patterns.desc()));
        });
  }
}
