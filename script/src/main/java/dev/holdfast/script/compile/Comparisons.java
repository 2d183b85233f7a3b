package dev.holdfast.script.compile;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_boolean;

import dev.holdfast.script.type.Type;
import java.lang.classfile.Label;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.constant.MethodTypeDesc;

/// Which of two values is equal to the other, less or greater.

final class Comparisons {
  private Comparisons() {}

  static Value equal(int at, String operator, Value left, Value right) {
    boolean isSame = operator.length() == 3;
    boolean isNot = operator.startsWith("!");
    Type number = Casts.promoted(left.type(), right.type());
    boolean isAnyPrimitive = left.type().isPrimitive() || right.type().isPrimitive();
    boolean isPrimitive = left.type().isPrimitive() && right.type().isPrimitive();
    boolean isBoolean = left.type().java() == boolean.class && right.type().java() == boolean.class;
    if (left.type().isVoid()
        || right.type().isVoid()
        || (isPrimitive && !isBoolean && number == null)) {
      throw Operators.mismatch(at, operator, left, right);
    }
    if (isBoolean) {
      return branch(
          at, left.code(), right.code(), TypeKind.INT, isNot ? Opcode.IF_ICMPNE : Opcode.IF_ICMPEQ);
    }
    if (number != null && !number.isDef() && isAnyPrimitive && (!isSame || isPrimitive)) {
      Code a = Casts.to(number, left, true).code();
      Code b = Casts.to(number, right, true).code();
      return branch(at, a, b, number.kind(), isNot ? Opcode.IFNE : Opcode.IFEQ);
    }
    Code a = Casts.to(Type.DEF, left, false).code();
    Code b = Casts.to(Type.DEF, right, false).code();
    return new Value(
        at,
        Type.BOOLEAN,
        to -> {
          a.write(to);
          b.write(to);
          to.invokestatic(
              Operators.DEF_MATH,
              isSame ? "same" : "equal",
              MethodTypeDesc.of(CD_boolean, CD_Object, CD_Object));
          if (isNot) {
            to.loadConstant(1).ixor();
          }
        });
  }

  static Value compare(int at, String operator, Value left, Value right) {
    Type type = Casts.promoted(left.type(), right.type());
    if (type == null || left.type().isVoid() || right.type().isVoid()) {
      throw Operators.mismatch(at, operator, left, right);
    }
    if (type.isDef()) {
      return Operators.onDef(at, operator, left, right, Type.BOOLEAN);
    }
    Opcode test =
        switch (operator) {
          case "<" -> Opcode.IFLT;
          case "<=" -> Opcode.IFLE;
          case ">" -> Opcode.IFGT;
          default -> Opcode.IFGE;
        };
    Code a = Casts.to(type, left, true).code();
    Code b = Casts.to(type, right, true).code();
    return branch(at, a, b, type.kind(), test);
  }

  /// Compares two numbers, or two booleans as int, and leaves whether the test holds.
  private static Value branch(int at, Code a, Code b, TypeKind kind, Opcode test) {
    return new Value(
        at,
        Type.BOOLEAN,
        to -> {
          a.write(to);
          b.write(to);
          // What is no number makes every comparison false, but for "not equal".
          boolean isUp = test == Opcode.IFLT || test == Opcode.IFLE;
          switch (kind) {
            case LONG -> to.lcmp();
            case FLOAT -> {
              if (isUp) {
                to.fcmpg();
              } else {
                to.fcmpl();
              }
            }
            case DOUBLE -> {
              if (isUp) {
                to.dcmpg();
              } else {
                to.dcmpl();
              }
            }
            default -> {}
          }
          Label yes = to.newLabel();
          Label end = to.newLabel();
          to.branch(kind == TypeKind.INT ? ofInts(test) : test, yes);
          to.loadConstant(0).goto_(end);
          to.labelBinding(yes).loadConstant(1);
          to.labelBinding(end);
        });
  }

  private static Opcode ofInts(Opcode test) {
    return switch (test) {
      case IFEQ -> Opcode.IF_ICMPEQ;
      case IFNE -> Opcode.IF_ICMPNE;
      case IFLT -> Opcode.IF_ICMPLT;
      case IFLE -> Opcode.IF_ICMPLE;
      case IFGT -> Opcode.IF_ICMPGT;
      case IFGE -> Opcode.IF_ICMPGE;
      default -> test;
    };
  }
}
