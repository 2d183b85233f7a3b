package dev.holdfast.script.runtime;

import java.lang.reflect.Array;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.text.DateFormatSymbols;
import java.text.DecimalFormatSymbols;
import java.text.Format;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Calendar;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Counts what methods and constructors of the JDK have made for a script, after they did: each
/// makes no more than a few times what it was given, which has been counted before.
public final class Made {
  private static final int TEXT_BYTES = 40;
  private static final int OBJECT_BYTES = 32;
  private static final int ARRAY_BYTES = 16;
  private static final int NODE_BYTES = 32;
  private static final int ENTRY_BYTES = 64;
  private static final int CALENDAR_BYTES = 640;
  private static final int SYMBOLS_BYTES = 512;
  private static final int FORMAT_BYTES = 2048;

  private Made() {}

  /// @param result what a method has answered
  /// @throws ScriptLimitError when the execution has had its share
  public static void count(@Nullable Object result) {
    long bytes = bytes(result);
    if (bytes > 0) {
      Budget.charge(bytes);
    }
  }

  /// Counts a text that a method is about to read.
  public static void read(@Nullable String text) {
    VisitBounds.count(text == null ? 0 : text.length());
  }

  /// The same as a filter of what a method answers.
  public static @Nullable Object counted(@Nullable Object result) {
    count(result);
    return result;
  }

  private static long bytes(@Nullable Object result) {
    return switch (result) {
      case null -> 0;
      case String text -> TEXT_BYTES + 2L * text.length();
      case Enum<?> _ -> 0;
      case BigInteger number -> OBJECT_BYTES + number.bitLength() / Byte.SIZE;
      case BigDecimal number -> OBJECT_BYTES + number.precision();
      case Number _ -> 0;
      case Boolean _ -> 0;
      case Character _ -> 0;
      case CharSequence text -> TEXT_BYTES + 2L * text.length();
      case Object[] array -> ofArray(array);
      case ArrayList<?> list -> OBJECT_BYTES + 8L * list.size();
      case Collection<?> collection -> OBJECT_BYTES + (long) NODE_BYTES * collection.size();
      case Map<?, ?> map -> OBJECT_BYTES + (long) ENTRY_BYTES * map.size();
      case BitSet bits -> OBJECT_BYTES + bits.size() / Byte.SIZE;
      case Calendar _ -> CALENDAR_BYTES;
      case Format _ -> FORMAT_BYTES;
      case DecimalFormatSymbols _ -> SYMBOLS_BYTES;
      case DateFormatSymbols _ -> SYMBOLS_BYTES;
      default -> result.getClass().isArray() ? ofNumbers(result) : OBJECT_BYTES;
    };
  }

  private static long ofNumbers(Object array) {
    Class<?> type = array.getClass().componentType();
    int bytes =
        type == long.class || type == double.class
            ? Long.BYTES
            : type == int.class || type == float.class
                ? Integer.BYTES
                : type == byte.class || type == boolean.class ? Byte.BYTES : Short.BYTES;
    return ARRAY_BYTES + (long) bytes * Array.getLength(array);
  }

  private static long ofArray(Object[] array) {
    long bytes = ARRAY_BYTES + 8L * array.length;
    if (array instanceof Object[][] rows) {
      for (Object[] row : rows) {
        bytes += row == null ? 0 : ofArray(row);
      }
    }
    return bytes;
  }
}
