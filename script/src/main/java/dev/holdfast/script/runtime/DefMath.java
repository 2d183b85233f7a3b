package dev.holdfast.script.runtime;

import org.jspecify.annotations.Nullable;

/// Arithmetic and comparison of objects of unknown class, promoted as Java promotes numbers.
@SuppressWarnings({"ReferenceEquality", "ShortCircuitBoolean"}) // what scripts ask for
public final class DefMath {
  private DefMath() {}

  private static ClassCastException cannot(
      String operator, @Nullable Object a, @Nullable Object b) {
    if (a == null || b == null) {
      throw new NullPointerException(
          "cannot apply [" + operator + "] operation to a null reference");
    }
    return new ClassCastException(
        "Cannot apply ["
            + operator
            + "] operation to types ["
            + a.getClass().getCanonicalName()
            + "] and ["
            + b.getClass().getCanonicalName()
            + "].");
  }

  private static ClassCastException cannot(String operator, @Nullable Object a) {
    if (a == null) {
      throw new NullPointerException(
          "cannot apply [" + operator + "] operation to a null reference");
    }
    return new ClassCastException(
        "Cannot apply ["
            + operator
            + "] operation to type ["
            + a.getClass().getCanonicalName()
            + "].");
  }

  /// What a compound assignment makes, of the class that was there before: `x += 1.5` leaves an
  /// `Integer` an `Integer`.
  ///
  /// @throws ClassCastException when it cannot be one
  public static @Nullable Object asBefore(@Nullable Object made, @Nullable Object before) {
    if (before == null || made == null || made.getClass() == before.getClass()) {
      return made;
    }
    if (rank(made) == 0) {
      return before.getClass().cast(made);
    }
    return switch (before) {
      case Integer _ -> (Object) whole(made);
      case Long _ -> (Object) large(made);
      case Double _ -> (Object) decimal(made);
      case Float _ -> (Object) single(made);
      case Short _ -> (Object) (short) whole(made);
      case Byte _ -> (Object) (byte) whole(made);
      case Character _ -> (Object) (char) whole(made);
      default -> before.getClass().cast(made);
    };
  }

  /// 7 double, 6 float, 5 long, 4 anything smaller, 0 no number.
  private static int rank(@Nullable Object value) {
    // No switch over patterns, here and below: tests of classes are what is optimised away when the
    // class is known.
    if (value instanceof Double) {
      return 7;
    }
    if (value instanceof Long) {
      return 5;
    }
    if (value instanceof Integer) {
      return 4;
    }
    if (value instanceof Float) {
      return 6;
    }
    return value instanceof Short || value instanceof Byte || value instanceof Character ? 4 : 0;
  }

  private static int rank(@Nullable Object a, @Nullable Object b) {
    int x = rank(a);
    int y = rank(b);
    return x == 0 || y == 0 ? 0 : Math.max(x, y);
  }

  private static double decimal(@Nullable Object value) {
    if (value instanceof Double n) {
      return n;
    }
    if (value instanceof Integer n) {
      return n;
    }
    if (value instanceof Long n) {
      return n;
    }
    return value instanceof Number n
        ? n.doubleValue()
        : value instanceof Character c ? c : Double.NaN;
  }

  private static float single(@Nullable Object value) {
    return value instanceof Number n
        ? n.floatValue()
        : value instanceof Character c ? c : Float.NaN;
  }

  private static long large(@Nullable Object value) {
    if (value instanceof Long n) {
      return n;
    }
    if (value instanceof Integer n) {
      return n;
    }
    return value instanceof Number n ? n.longValue() : value instanceof Character c ? c : 0;
  }

  private static int whole(@Nullable Object value) {
    if (value instanceof Integer n) {
      return n;
    }
    return value instanceof Number n ? n.intValue() : value instanceof Character c ? c : 0;
  }

  public static Object add(@Nullable Object a, @Nullable Object b) {
    return switch (rank(a, b)) {
      case 7 -> (Object) (decimal(a) + decimal(b));
      case 6 -> (Object) (single(a) + single(b));
      case 5 -> (Object) (large(a) + large(b));
      case 4 -> (Object) (whole(a) + whole(b));
      default -> join(a, b);
    };
  }

  public static Object subtract(@Nullable Object a, @Nullable Object b) {
    return switch (rank(a, b)) {
      case 7 -> (Object) (decimal(a) - decimal(b));
      case 6 -> (Object) (single(a) - single(b));
      case 5 -> (Object) (large(a) - large(b));
      case 4 -> (Object) (whole(a) - whole(b));
      default -> throw cannot("-", a, b);
    };
  }

  public static Object multiply(@Nullable Object a, @Nullable Object b) {
    return switch (rank(a, b)) {
      case 7 -> (Object) (decimal(a) * decimal(b));
      case 6 -> (Object) (single(a) * single(b));
      case 5 -> (Object) (large(a) * large(b));
      case 4 -> (Object) (whole(a) * whole(b));
      default -> throw cannot("*", a, b);
    };
  }

  public static Object divide(@Nullable Object a, @Nullable Object b) {
    return switch (rank(a, b)) {
      case 7 -> (Object) (decimal(a) / decimal(b));
      case 6 -> (Object) (single(a) / single(b));
      case 5 -> (Object) (large(a) / large(b));
      case 4 -> (Object) (whole(a) / whole(b));
      default -> throw cannot("/", a, b);
    };
  }

  public static Object remainder(@Nullable Object a, @Nullable Object b) {
    return switch (rank(a, b)) {
      case 7 -> (Object) (decimal(a) % decimal(b));
      case 6 -> (Object) (single(a) % single(b));
      case 5 -> (Object) (large(a) % large(b));
      case 4 -> (Object) (whole(a) % whole(b));
      default -> throw cannot("%", a, b);
    };
  }

  private static Object join(@Nullable Object a, @Nullable Object b) {
    if (a instanceof String || b instanceof String) {
      return Text.concat(Text.of(a), Text.of(b));
    }
    throw cannot("+", a, b);
  }

  public static Object and(@Nullable Object a, @Nullable Object b) {
    if (a instanceof Boolean x && b instanceof Boolean y) {
      return x & y;
    }
    return switch (rank(a, b)) {
      case 5 -> (Object) (large(a) & large(b));
      case 4 -> (Object) (whole(a) & whole(b));
      default -> throw cannot("&", a, b);
    };
  }

  public static Object or(@Nullable Object a, @Nullable Object b) {
    if (a instanceof Boolean x && b instanceof Boolean y) {
      return x | y;
    }
    return switch (rank(a, b)) {
      case 5 -> (Object) (large(a) | large(b));
      case 4 -> (Object) (whole(a) | whole(b));
      default -> throw cannot("|", a, b);
    };
  }

  public static Object xor(@Nullable Object a, @Nullable Object b) {
    if (a instanceof Boolean x && b instanceof Boolean y) {
      return x ^ y;
    }
    return switch (rank(a, b)) {
      case 5 -> (Object) (large(a) ^ large(b));
      case 4 -> (Object) (whole(a) ^ whole(b));
      default -> throw cannot("^", a, b);
    };
  }

  public static Object left(@Nullable Object a, @Nullable Object b) {
    int by = rank(b);
    return switch (by == 4 || by == 5 ? rank(a) : 0) {
      case 5 -> (Object) (large(a) << (int) large(b));
      case 4 -> (Object) (whole(a) << (int) large(b));
      default -> throw cannot("<<", a, b);
    };
  }

  public static Object right(@Nullable Object a, @Nullable Object b) {
    int by = rank(b);
    return switch (by == 4 || by == 5 ? rank(a) : 0) {
      case 5 -> (Object) (large(a) >> (int) large(b));
      case 4 -> (Object) (whole(a) >> (int) large(b));
      default -> throw cannot(">>", a, b);
    };
  }

  public static Object unsignedRight(@Nullable Object a, @Nullable Object b) {
    int by = rank(b);
    return switch (by == 4 || by == 5 ? rank(a) : 0) {
      case 5 -> (Object) (large(a) >>> (int) large(b));
      case 4 -> (Object) (whole(a) >>> (int) large(b));
      default -> throw cannot(">>>", a, b);
    };
  }

  public static boolean less(@Nullable Object a, @Nullable Object b) {
    return switch (rank(a, b)) {
      case 7 -> decimal(a) < decimal(b);
      case 6 -> single(a) < single(b);
      case 5, 4 -> large(a) < large(b);
      default -> throw cannot("<", a, b);
    };
  }

  public static boolean lessOrEqual(@Nullable Object a, @Nullable Object b) {
    return switch (rank(a, b)) {
      case 7 -> decimal(a) <= decimal(b);
      case 6 -> single(a) <= single(b);
      case 5, 4 -> large(a) <= large(b);
      default -> throw cannot("<=", a, b);
    };
  }

  public static boolean greater(@Nullable Object a, @Nullable Object b) {
    return switch (rank(a, b)) {
      case 7 -> decimal(a) > decimal(b);
      case 6 -> single(a) > single(b);
      case 5, 4 -> large(a) > large(b);
      default -> throw cannot(">", a, b);
    };
  }

  public static boolean greaterOrEqual(@Nullable Object a, @Nullable Object b) {
    return switch (rank(a, b)) {
      case 7 -> decimal(a) >= decimal(b);
      case 6 -> single(a) >= single(b);
      case 5, 4 -> large(a) >= large(b);
      default -> throw cannot(">=", a, b);
    };
  }

  /// By value: numbers of different classes are equal when their promoted values are.
  public static boolean equal(@Nullable Object a, @Nullable Object b) {
    if (a == b && !(a instanceof Double) && !(a instanceof Float)) {
      return true;
    }
    if (a == null || b == null) {
      return false;
    }
    return switch (rank(a, b)) {
      case 7 -> decimal(a) == decimal(b);
      case 6 -> single(a) == single(b);
      case 5, 4 -> large(a) == large(b);
      default -> {
        VisitBounds.countTexts(a, b);
        yield a.equals(Contents.visited(b));
      }
    };
  }

  public static boolean same(@Nullable Object a, @Nullable Object b) {
    return a == b;
  }

  public static Object negate(@Nullable Object a) {
    return switch (rank(a)) {
      case 7 -> (Object) (-decimal(a));
      case 6 -> (Object) (-single(a));
      case 5 -> (Object) (-large(a));
      case 4 -> (Object) (-whole(a));
      default -> throw cannot("-", a);
    };
  }

  public static Object complement(@Nullable Object a) {
    return switch (rank(a)) {
      case 5 -> (Object) ~large(a);
      case 4 -> (Object) ~whole(a);
      default -> throw cannot("~", a);
    };
  }

  public static Object plus(@Nullable Object a) {
    return switch (rank(a)) {
      case 7 -> (Object) (+decimal(a));
      case 6 -> (Object) (+single(a));
      case 5 -> (Object) (+large(a));
      case 4 -> (Object) (+whole(a));
      default -> throw cannot("+", a);
    };
  }
}
