package dev.holdfast.script.runtime;

import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.time.DateTimeException;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.ConcurrentModificationException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;

/// Errors of scripts as Elasticsearch shows them: `script_exception` with the piece of the source
/// and a caret below what failed.
public final class ScriptErrors {
  /// Characters shown before and after the place.
  private static final int AROUND = 25;

  private static final String HERE = "^---- HERE";
  private static final String COMPILED = "dev.holdfast.script.compiled.Script";

  private ScriptErrors() {}

  /// @param offset in characters, of what cannot be compiled
  public static Refusal compile(String source, int offset, ErrorType kind, String reason) {
    int at = Math.min(offset, source.length());
    int start = Math.max(0, at - AROUND);
    int end = Math.min(source.length(), at + AROUND);
    String before = start > 0 ? "... " : "";
    List<String> stack = new ArrayList<>();
    stack.add(before + source.substring(start, end) + (end < source.length() ? " ..." : ""));
    stack.add(" ".repeat(before.length() + at - start) + HERE);
    return located(
        "compile error", source, new Place(at, start, end), stack, new Refusal(kind, reason));
  }

  /// Whether the script is to blame: not for overload, nor for what is wrong with the node or its
  /// objects, which keep their own status.
  static boolean isOfScript(Refusal refusal) {
    return refusal.type() != ErrorType.SCRIPT
        && refusal.type() != ErrorType.TASK_CANCELLED
        && refusal.type().status() < ErrorType.CIRCUIT_BREAKING.status();
  }

  /// An error while a script ran: the frames of the JDK above the script, and the statement that it
  /// happened in.
  ///
  /// @param statements where they begin
  static Refusal runtime(String source, BitSet statements, Throwable error) {
    List<String> stack = new ArrayList<>();
    int line = -1;
    for (StackTraceElement element : error.getStackTrace()) {
      if (element.getClassName().equals(COMPILED)) {
        line = element.getLineNumber();
        break;
      }
      if (element.getClassName().startsWith("java.")
          && !element.getClassName().startsWith("java.lang.invoke.")
          && !element.getClassName().startsWith("java.lang.ClassValue")) {
        stack.add(element.toString());
      }
    }
    Refusal cause =
        error instanceof Refusal refusal
            ? refusal
            : new Refusal(type(error), String.valueOf(error.getMessage()));
    if (error instanceof Explained explained) {
      explained.members().forEach(cause::with);
    }
    int at = Math.min(Math.max(0, line - 1), source.length());
    int start = Math.max(0, statements.previousSetBit(at));
    int next = statements.nextSetBit(at + 1);
    int end = next < 0 ? source.length() : next;
    stack.add(source.substring(start, end));
    stack.add(" ".repeat(at - start) + HERE);
    return located("runtime error", source, new Place(at, start, end), stack, cause);
  }

  private static ErrorType type(Throwable error) {
    return switch (error) {
      case Explained _ -> ErrorType.PAINLESS_EXPLAIN_ERROR;
      case ScriptLimitError limit -> limit.type();
      case StackOverflowError _ -> ErrorType.STACK_OVERFLOW;
      case NullPointerException _ -> ErrorType.NULL_POINTER;
      case ClassCastException _ -> ErrorType.CLASS_CAST;
      case ArithmeticException _ -> ErrorType.ARITHMETIC;
      case StringIndexOutOfBoundsException _ -> ErrorType.STRING_INDEX_OUT_OF_BOUNDS;
      case ArrayIndexOutOfBoundsException _ -> ErrorType.ARRAY_INDEX_OUT_OF_BOUNDS;
      case IndexOutOfBoundsException _ -> ErrorType.INDEX_OUT_OF_BOUNDS;
      case NegativeArraySizeException _ -> ErrorType.NEGATIVE_ARRAY_SIZE;
      case NumberFormatException _ -> ErrorType.NUMBER_FORMAT;
      case IllegalArgumentException _ -> ErrorType.ILLEGAL_ARGUMENT;
      case NoSuchElementException _ -> ErrorType.NO_SUCH_ELEMENT;
      case ConcurrentModificationException _ -> ErrorType.CONCURRENT_MODIFICATION;
      case DateTimeParseException _ -> ErrorType.DATE_TIME_PARSE;
      case DateTimeException _ -> ErrorType.DATE_TIME;
      case UnsupportedOperationException _ -> ErrorType.UNSUPPORTED_OPERATION;
      case IllegalStateException _ -> ErrorType.ILLEGAL_STATE_OF_REQUEST;
      default ->
          error.getClass() == Exception.class ? ErrorType.EXCEPTION_OF_SCRIPT : ErrorType.RUNTIME;
    };
  }

  private record Place(int offset, int start, int end) {}

  private static Refusal located(
      String reason, String source, Place place, List<String> stack, Refusal cause) {
    Map<String, Object> position = new LinkedHashMap<>();
    position.put("offset", place.offset);
    position.put("start", place.start);
    position.put("end", place.end);
    return new Refusal(ErrorType.SCRIPT, reason, cause)
        .with("script_stack", List.copyOf(stack))
        .with("script", source)
        .with("lang", "painless")
        .with("position", position);
  }
}
