package dev.holdfast.script.type;

import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The type of a value in a script: one of Java's, or `def`, which is known only at run time.
///
/// @param java `Object` for `def`
public record Type(Class<?> java, boolean isDef) {
  public static final Type DEF = new Type(Object.class, true);
  public static final Type BOOLEAN = new Type(boolean.class, false);
  public static final Type INT = new Type(int.class, false);
  public static final Type LONG = new Type(long.class, false);
  public static final Type FLOAT = new Type(float.class, false);
  public static final Type DOUBLE = new Type(double.class, false);
  public static final Type CHAR = new Type(char.class, false);
  public static final Type VOID = new Type(void.class, false);
  public static final Type STRING = new Type(String.class, false);

  private static final Map<Class<?>, Class<?>> BOXES =
      Map.of(
          boolean.class,
          Boolean.class,
          byte.class,
          Byte.class,
          short.class,
          Short.class,
          char.class,
          Character.class,
          int.class,
          Integer.class,
          long.class,
          Long.class,
          float.class,
          Float.class,
          double.class,
          Double.class,
          void.class,
          Void.class);

  private static final Map<Class<?>, Class<?>> PRIMITIVES =
      Map.of(
          Boolean.class,
          boolean.class,
          Byte.class,
          byte.class,
          Short.class,
          short.class,
          Character.class,
          char.class,
          Integer.class,
          int.class,
          Long.class,
          long.class,
          Float.class,
          float.class,
          Double.class,
          double.class);

  /// A type of Java; `Object` is `def`.
  public static Type of(Class<?> java) {
    return java == Object.class ? DEF : new Type(java, false);
  }

  public boolean isPrimitive() {
    return java.isPrimitive();
  }

  public boolean isVoid() {
    return java == void.class;
  }

  /// The class that holds it as an object.
  public Class<?> boxed() {
    return BOXES.getOrDefault(java, java);
  }

  /// What a box holds; itself for a primitive; null for anything else.
  public @Nullable Type unboxed() {
    Class<?> inner = isPrimitive() ? java : PRIMITIVES.get(java);
    return inner == null || inner == void.class ? null : new Type(inner, false);
  }

  /// 1 byte, 2 short, 3 char, 4 int, 5 long, 6 float, 7 double; 0 for what is no primitive number.
  public int rank() {
    return rank(java);
  }

  private static int rank(Class<?> c) {
    if (c == byte.class) {
      return 1;
    } else if (c == short.class) {
      return 2;
    } else if (c == char.class) {
      return 3;
    } else if (c == int.class) {
      return 4;
    } else if (c == long.class) {
      return 5;
    } else if (c == float.class) {
      return 6;
    }
    return c == double.class ? 7 : 0;
  }

  public Type element() {
    Class<?> component = java.getComponentType();
    return of(component == null ? Object.class : component);
  }

  public TypeKind kind() {
    return TypeKind.from(java);
  }

  public ClassDesc desc() {
    return desc(java);
  }

  public static ClassDesc desc(Class<?> of) {
    return ClassDesc.ofDescriptor(of.descriptorString());
  }

  /// As errors show it.
  public String name() {
    return isDef ? "def" : java == Object[].class ? "def[]" : name(java);
  }

  public static String name(Class<?> of) {
    String name = of.getCanonicalName();
    return name == null ? of.getName() : name;
  }
}
