package dev.holdfast.script.runtime;

import dev.holdfast.script.type.Type;
import org.jspecify.annotations.Nullable;

/// Casts of objects of unknown class: implicit ones widen, explicit ones do what they must.
public final class DefCasts {
  private DefCasts() {}

  private static ClassCastException cannot(@Nullable Object value, String how, String wanted) {
    if (value == null) {
      throw new NullPointerException("cannot cast null to " + wanted);
    }
    Type inner = Type.of(value.getClass()).unboxed();
    return new ClassCastException(
        "cannot "
            + how
            + " cast def ["
            + (inner == null ? Type.name(value.getClass()) : inner.name())
            + "] to "
            + wanted);
  }

  public static boolean implicitBoolean(@Nullable Object value) {
    if (value instanceof Boolean is) {
      return is;
    }
    throw cannot(value, "implicitly", "boolean");
  }

  public static boolean explicitBoolean(@Nullable Object value) {
    return implicitBoolean(value);
  }

  public static char stringToChar(String value) {
    return explicitChar(value);
  }

  public static @Nullable String explicitString(@Nullable Object value) {
    return value instanceof Character c ? c.toString() : (String) value;
  }

  public static char implicitChar(@Nullable Object value) {
    if (value instanceof Character c) {
      return c;
    }
    throw cannot(value, "implicitly", "char");
  }

  public static char explicitChar(@Nullable Object value) {
    return switch (value) {
      case Character c -> c;
      case Byte n -> (char) (byte) n;
      case Short n -> (char) (short) n;
      case Integer n -> (char) (int) n;
      case Long n -> (char) (long) n;
      case Float n -> (char) (float) n;
      case Double n -> (char) (double) n;
      case String text when text.length() == 1 -> text.charAt(0);
      case String text ->
          throw new ClassCastException(
              "cannot cast [" + text + "] of length [" + text.length() + "] to [char]");
      case null, default -> throw cannot(value, "explicitly", "char");
    };
  }

  public static byte implicitByte(@Nullable Object value) {
    return switch (value) {
      case Byte n -> n;
      case null, default -> throw cannot(value, "implicitly", "byte");
    };
  }

  public static byte explicitByte(@Nullable Object value) {
    return switch (value) {
      case Number n -> n.byteValue();
      case Character c -> (byte) (char) c;
      case null, default -> throw cannot(value, "explicitly", "byte");
    };
  }

  public static short implicitShort(@Nullable Object value) {
    return switch (value) {
      case Short n -> n;
      case Byte n -> n;
      case null, default -> throw cannot(value, "implicitly", "short");
    };
  }

  public static short explicitShort(@Nullable Object value) {
    return switch (value) {
      case Number n -> n.shortValue();
      case Character c -> (short) (char) c;
      case null, default -> throw cannot(value, "explicitly", "short");
    };
  }

  public static int implicitInt(@Nullable Object value) {
    return switch (value) {
      case Integer n -> n;
      case Short n -> n;
      case Byte n -> n;
      case Character c -> c;
      case null, default -> throw cannot(value, "implicitly", "int");
    };
  }

  public static int explicitInt(@Nullable Object value) {
    return switch (value) {
      case Number n -> n.intValue();
      case Character c -> (int) (char) c;
      case null, default -> throw cannot(value, "explicitly", "int");
    };
  }

  public static long implicitLong(@Nullable Object value) {
    if (value instanceof Long n) {
      return n;
    }
    return switch (value) {
      case Long n -> n;
      case Integer n -> n;
      case Short n -> n;
      case Byte n -> n;
      case Character c -> c;
      case null, default -> throw cannot(value, "implicitly", "long");
    };
  }

  public static long explicitLong(@Nullable Object value) {
    return switch (value) {
      case Number n -> n.longValue();
      case Character c -> (long) (char) c;
      case null, default -> throw cannot(value, "explicitly", "long");
    };
  }

  public static float implicitFloat(@Nullable Object value) {
    return switch (value) {
      case Float n -> n;
      case Long n -> n;
      case Integer n -> n;
      case Short n -> n;
      case Byte n -> n;
      case Character c -> c;
      case null, default -> throw cannot(value, "implicitly", "float");
    };
  }

  public static float explicitFloat(@Nullable Object value) {
    return switch (value) {
      case Number n -> n.floatValue();
      case Character c -> (float) (char) c;
      case null, default -> throw cannot(value, "explicitly", "float");
    };
  }

  public static double implicitDouble(@Nullable Object value) {
    if (value instanceof Double n) {
      return n;
    }
    return switch (value) {
      case Double n -> n;
      case Float n -> n;
      case Long n -> n;
      case Integer n -> n;
      case Short n -> n;
      case Byte n -> n;
      case Character c -> c;
      case null, default -> throw cannot(value, "implicitly", "double");
    };
  }

  public static double explicitDouble(@Nullable Object value) {
    return switch (value) {
      case Number n -> n.doubleValue();
      case Character c -> (double) (char) c;
      case null, default -> throw cannot(value, "explicitly", "double");
    };
  }

  public static @Nullable Object implicitBooleanOrNull(@Nullable Object value) {
    return value == null ? null : (Object) implicitBoolean(value);
  }

  public static @Nullable Object implicitCharOrNull(@Nullable Object value) {
    return value == null ? null : (Object) implicitChar(value);
  }

  public static @Nullable Object implicitByteOrNull(@Nullable Object value) {
    return value == null ? null : (Object) implicitByte(value);
  }

  public static @Nullable Object implicitShortOrNull(@Nullable Object value) {
    return value == null ? null : (Object) implicitShort(value);
  }

  public static @Nullable Object implicitIntOrNull(@Nullable Object value) {
    return value == null ? null : (Object) implicitInt(value);
  }

  public static @Nullable Object implicitLongOrNull(@Nullable Object value) {
    return value == null ? null : (Object) implicitLong(value);
  }

  public static @Nullable Object implicitFloatOrNull(@Nullable Object value) {
    return value == null ? null : (Object) implicitFloat(value);
  }

  public static @Nullable Object implicitDoubleOrNull(@Nullable Object value) {
    return value == null ? null : (Object) implicitDouble(value);
  }

  public static @Nullable Object explicitBooleanOrNull(@Nullable Object value) {
    return value == null ? null : (Object) explicitBoolean(value);
  }

  public static @Nullable Object explicitCharOrNull(@Nullable Object value) {
    return value == null ? null : (Object) explicitChar(value);
  }

  public static @Nullable Object explicitByteOrNull(@Nullable Object value) {
    return value == null ? null : (Object) explicitByte(value);
  }

  public static @Nullable Object explicitShortOrNull(@Nullable Object value) {
    return value == null ? null : (Object) explicitShort(value);
  }

  public static @Nullable Object explicitIntOrNull(@Nullable Object value) {
    return value == null ? null : (Object) explicitInt(value);
  }

  public static @Nullable Object explicitLongOrNull(@Nullable Object value) {
    return value == null ? null : (Object) explicitLong(value);
  }

  public static @Nullable Object explicitFloatOrNull(@Nullable Object value) {
    return value == null ? null : (Object) explicitFloat(value);
  }

  public static @Nullable Object explicitDoubleOrNull(@Nullable Object value) {
    return value == null ? null : (Object) explicitDouble(value);
  }
}
