package dev.holdfast.script.runtime;

import java.lang.reflect.Array;
import java.util.Collection;
import java.util.EventObject;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/// Bounds what lists, maps and arrays mean when they are walked to their leaves, for their text,
/// hash, equality or JSON. Thirty lists that each hold the one before twice are a kilobyte of
/// objects and a billion leaves.
public final class Contents {
  private static final int DEPTH_MAX = 200;

  /// What an element costs at least, as JSON or text.
  private static final int ELEMENT_BYTES = 48;

  private long left = Budget.BYTES_MAX;
  private long visits;

  private Contents() {}

  /// Returns the value, if all that is in it, counted as often as it is met, is within what a
  /// script may allocate.
  ///
  /// @throws ScriptLimitError when it is not, or holds itself
  public static <T extends @Nullable Object> T bounded(T value) {
    if (isContainer(value)) {
      new Contents().walk(value, 0);
    }
    return value;
  }

  /// The same for a method that a script calls: what is walked counts as gone through.
  ///
  /// @throws ScriptLimitError when it is not, or holds itself, or the execution has had its share
  public static <T extends @Nullable Object> T visited(T value) {
    if (isContainer(value)) {
      Contents contents = new Contents();
      contents.walk(value, 0);
      VisitBounds.count(contents.visits);
    }
    return value;
  }

  /// Roughly what a value takes, walked to its leaves.
  ///
  /// @throws ScriptLimitError when that is more than a script may allocate
  public static long bytes(@Nullable Object value) {
    Contents contents = new Contents();
    contents.walk(value, 0);
    return Budget.BYTES_MAX - contents.left;
  }

  private static boolean isContainer(@Nullable Object value) {
    return value instanceof Collection
        || value instanceof Map
        || value instanceof Map.Entry
        || value instanceof Optional
        || value instanceof StringJoiner
        || value instanceof EventObject
        || value instanceof Object[];
  }

  private void walk(@Nullable Object value, int depth) {
    if (depth > DEPTH_MAX) {
      throw new ScriptLimitError(
          "Iterable object is self-referencing itself, or nested too deeply");
    }
    left -= ELEMENT_BYTES;
    visits++;
    switch (value) {
      case CharSequence text -> left -= 2L * text.length();
      case Collection<?> values -> values.forEach(inner -> walk(inner, depth + 1));
      case Map<?, ?> map ->
          map.forEach((key, inner) -> {
            walk(key, depth + 1);
            walk(inner, depth + 1);
          });
      case Map.Entry<?, ?> entry -> {
        walk(entry.getKey(), depth + 1);
        walk(entry.getValue(), depth + 1);
      }
      case StringJoiner joiner -> left -= 2L * joiner.length();
      case EventObject event -> walk(event.getSource(), depth + 1);
      case Optional<?> optional -> optional.ifPresent(inner -> walk(inner, depth + 1));
      case Object[] array -> {
        for (Object inner : array) {
          walk(inner, depth + 1);
        }
      }
      case Object array when array.getClass().isArray() -> left -= 8L * Array.getLength(array);
      case null, default -> {}
    }
    if (left < 0) {
      throw new ScriptLimitError(
          "a list, map or array that means more than ["
              + Budget.BYTES_MAX
              + "] bytes when it is read to its leaves");
    }
  }
}
