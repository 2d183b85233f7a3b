package dev.holdfast.script.compile;

import static java.lang.constant.ConstantDescs.CD_Object;

import dev.holdfast.script.parse.SyntaxFault;
import dev.holdfast.script.runtime.DefCasts;
import dev.holdfast.script.runtime.Text;
import dev.holdfast.script.type.Type;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import org.jspecify.annotations.Nullable;

/// Which value may stand where another type is wanted, and what that takes.
final class Casts {
  static final ClassDesc DEF_CASTS = Type.desc(DefCasts.class);

  private Casts() {}

  /// @param isExplicit whether the script says so; narrowing needs it
  /// @throws SyntaxFault when there is no such cast
  static Value to(Type wanted, Value value, boolean isExplicit) {
    Type from = value.type();
    if (from.equals(wanted)) {
      return value;
    }
    if (from.isVoid()) {
      throw impossible(value, wanted);
    }
    if (value.constant() instanceof Nothing && wanted.isPrimitive()) {
      throw new SyntaxFault(
          value.at(), "Cannot cast null to a primitive type [" + wanted.name() + "].");
    }
    Code cast = code(from, wanted, isExplicit);
    if (cast == null) {
      if (value.constant() instanceof Nothing && !wanted.isPrimitive()) {
        cast = to -> to.checkcast(wanted.desc());
      } else {
        throw impossible(value, wanted);
      }
    }
    Code located =
        from.isDef() && wanted.java() != Object.class
            ? value.code().then(to -> Operators.line(to, value.at())).then(cast)
            : value.code().then(cast);
    return new Value(value.at(), wanted, located, value.constant());
  }

  /// The constant `null`.
  enum Nothing {
    NULL
  }

  private static SyntaxFault impossible(Value value, Type wanted) {
    return new SyntaxFault(
        value.at(),
        SyntaxFault.Kind.CLASS_CAST,
        "Cannot cast from [" + value.type().name() + "] to [" + wanted.name() + "].");
  }

  private static @Nullable Code code(Type from, Type wanted, boolean isExplicit) {
    if (wanted.java() == Object.class) {
      return box(from);
    }
    if (from.isDef()) {
      return fromDef(wanted, isExplicit);
    }
    if (wanted.rank() > 0 && from.unboxed() != null) {
      return toNumber(from, wanted, isExplicit);
    }
    if (wanted.java() == boolean.class && from.java() == Boolean.class) {
      return to -> unbox(to, from);
    }
    if (from.isPrimitive()) {
      return fromPrimitive(from, wanted, isExplicit);
    }
    if (isExplicit
        && from.java() == String.class
        && wanted.unboxed() != null
        && wanted.unboxed().java() == char.class) {
      return to -> {
        to.invokestatic(
            DEF_CASTS,
            "stringToChar",
            MethodTypeDesc.of(ConstantDescs.CD_char, ConstantDescs.CD_String));
        if (!wanted.isPrimitive()) {
          box(to, Type.CHAR);
        }
      };
    }
    if (isExplicit && from.java() == Character.class && wanted.java() == String.class) {
      return Casts::stringOf;
    }
    if (wanted.java().isAssignableFrom(from.java())) {
      return _ -> {};
    }
    boolean isDownwards = from.java().isAssignableFrom(wanted.java());
    return isExplicit && isDownwards ? to -> to.checkcast(wanted.desc()) : null;
  }

  private static void stringOf(CodeBuilder to) {
    to.invokestatic(
        Type.desc(Text.class), "of", MethodTypeDesc.of(ConstantDescs.CD_String, CD_Object));
  }

  private static Code fromDef(Type wanted, boolean isExplicit) {
    Type primitive = wanted.unboxed();
    if (primitive != null) {
      String name =
          (isExplicit ? "explicit" : "implicit")
              + primitive.java().getName().substring(0, 1).toUpperCase(java.util.Locale.ROOT)
              + primitive.java().getName().substring(1);
      boolean isBox = !wanted.isPrimitive();
      return to -> {
        if (isBox) {
          to.invokestatic(DEF_CASTS, name + "OrNull", MethodTypeDesc.of(CD_Object, CD_Object));
          to.checkcast(wanted.desc());
        } else {
          to.invokestatic(DEF_CASTS, name, MethodTypeDesc.of(wanted.desc(), CD_Object));
        }
      };
    }
    if (isExplicit && wanted.java() == String.class) {
      return to ->
          to.invokestatic(
              DEF_CASTS, "explicitString", MethodTypeDesc.of(ConstantDescs.CD_String, CD_Object));
    }
    return to -> to.checkcast(wanted.desc());
  }

  private static @Nullable Code toNumber(Type from, Type wanted, boolean isExplicit) {
    Type inner = from.unboxed();
    if (inner == null || inner.rank() == 0 || (!isExplicit && !widens(inner, wanted))) {
      return null;
    }
    return to -> {
      if (!from.isPrimitive()) {
        unbox(to, from);
      }
      convert(to, inner, wanted);
    };
  }

  /// Whether every value of one number type is near enough one of another.
  static boolean widens(Type from, Type to) {
    if (from.java() == to.java()) {
      return true;
    }
    if (to.rank() == 3 || from.rank() == 3) {
      return from.rank() == 3 && to.rank() > 3;
    }
    return from.rank() < to.rank();
  }

  private static @Nullable Code fromPrimitive(Type from, Type wanted, boolean isExplicit) {
    if (wanted.java().isAssignableFrom(from.boxed())) {
      return box(from);
    }
    Type inner = wanted.isPrimitive() ? null : wanted.unboxed();
    if (inner != null
        && inner.rank() > 0
        && from.rank() > 0
        && (isExplicit || widens(from, inner))) {
      return to -> {
        convert(to, from, inner);
        box(to, inner);
      };
    }
    if (isExplicit && from.java() == char.class && wanted.java() == String.class) {
      return to -> {
        box(to, from);
        stringOf(to);
      };
    }
    return null;
  }

  static Code box(Type from) {
    return to -> box(to, from);
  }

  static void box(CodeBuilder to, Type from) {
    if (from.isPrimitive() && !from.isVoid()) {
      ClassDesc box = Type.desc(from.boxed());
      to.invokestatic(box, "valueOf", MethodTypeDesc.of(box, from.desc()));
    }
  }

  private static void unbox(CodeBuilder to, Type from) {
    Type inner = from.unboxed();
    if (inner != null) {
      to.invokevirtual(
          from.desc(), inner.java().getName() + "Value", MethodTypeDesc.of(inner.desc()));
    }
  }

  private static void convert(CodeBuilder to, Type from, Type wanted) {
    TypeKind a = from.kind().asLoadable();
    TypeKind b = wanted.kind().asLoadable();
    if (a != b) {
      to.conversion(a, b);
    }
    if (wanted.rank() < 4 && wanted.rank() != from.rank()) {
      to.conversion(TypeKind.INT, wanted.kind());
    }
  }

  /// The type that both sides of an arithmetic operator are brought to; null for none.
  static @Nullable Type promoted(Type left, Type right) {
    if (left.isDef() || right.isDef()) {
      return Type.DEF;
    }
    Type a = left.unboxed();
    Type b = right.unboxed();
    if (a == null || b == null || a.rank() == 0 || b.rank() == 0) {
      return null;
    }
    int rank = Math.max(4, Math.max(a.rank(), b.rank()));
    return rank == 7 ? Type.DOUBLE : rank == 6 ? Type.FLOAT : rank == 5 ? Type.LONG : Type.INT;
  }

  /// The type of a value that is one of two.
  static Type common(Type left, Type right) {
    if (left.equals(right)) {
      return left;
    }
    Type number = promoted(left, right);
    if (left.isPrimitive() && right.isPrimitive() && number != null) {
      return left.rank() < 4 && right.rank() < 4 ? Type.INT : number;
    }
    Class<?> a = left.boxed();
    Class<?> b = right.boxed();
    if (a.isAssignableFrom(b)) {
      return Type.of(a);
    }
    return b.isAssignableFrom(a) ? Type.of(b) : Type.DEF;
  }
}
