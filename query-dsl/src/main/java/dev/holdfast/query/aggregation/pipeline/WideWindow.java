package dev.holdfast.query.aggregation.pipeline;

import dev.holdfast.script.ScriptSource;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// A function over a window of hundreds of numbers or more that moves on by one: a step costs the
/// same however wide the window is. Sums are differences of sums from the first number on, of twice
/// the digits of a double.
final class WideWindow {
  /// Narrower ones are given to the script.
  static final int NARROW_MAX = 256;

  /// Of larger ones the squares are no numbers.
  private static final double LARGEST = 1e150;

  private final Kind kind;
  private final PreciseSums sums;
  private final PreciseSums squares;
  private final Outermost least;
  private final Outermost greatest;

  /// The functions that need not look at all numbers again.
  private enum Kind {
    MAX,
    MIN,
    SUM,
    AVERAGE,
    DEVIATION
  }

  private WideWindow(double[] numbers, Kind kind) {
    this.kind = kind;
    double middle = kind == Kind.DEVIATION ? Arrays.stream(numbers).average().orElse(0) : 0;
    this.sums = new PreciseSums(numbers, n -> n - middle);
    this.squares = new PreciseSums(numbers, n -> (n - middle) * (n - middle));
    this.least = new Outermost(numbers, (a, b) -> a <= b);
    this.greatest = new Outermost(numbers, (a, b) -> a >= b);
  }

  /// @param numbers all that windows are cut from
  /// @return null where the script looks at each window itself
  static @Nullable WideWindow of(ScriptSource script, int window, double[] numbers) {
    if (window <= NARROW_MAX || numbers.length <= NARROW_MAX) {
      return null;
    }
    Kind kind = script.lang().equals(ScriptSource.PAINLESS) ? kind(script.text()) : null;
    boolean isPlain = Arrays.stream(numbers).allMatch(n -> Math.abs(n) < LARGEST);
    return kind == null || !isPlain ? null : new WideWindow(numbers, kind);
  }

  private static @Nullable Kind kind(String text) {
    return switch (text.replaceAll("^\\s*return\\s|[\\s;]", "")) {
      case "MovingFunctions.max(values)" -> Kind.MAX;
      case "MovingFunctions.min(values)" -> Kind.MIN;
      case "MovingFunctions.sum(values)" -> Kind.SUM;
      case "MovingFunctions.unweightedAvg(values)" -> Kind.AVERAGE;
      case "MovingFunctions.stdDev(values,MovingFunctions.unweightedAvg(values))" -> Kind.DEVIATION;
      default -> null;
    };
  }

  /// Of the numbers from `from` to before `to`, neither of which is before those of the last call.
  double over(int from, int to) {
    int count = to - from;
    if (count == 0) {
      return kind == Kind.SUM ? 0 : Double.NaN;
    }
    return switch (kind) {
      case MAX -> greatest.of(from, to);
      case MIN -> least.of(from, to);
      case SUM -> sums.of(from, to);
      case AVERAGE -> sums.of(from, to) / count;
      case DEVIATION -> deviation(from, to);
    };
  }

  private double deviation(int from, int to) {
    if (least.of(from, to) == greatest.of(from, to)) {
      return 0;
    }
    int count = to - from;
    double mean = sums.of(from, to) / count;
    return Math.sqrt(Math.max(0, squares.of(from, to) / count - mean * mean));
  }

  /// The least or greatest of a window: those that may still become it wait in a line.
  private static final class Outermost {
    private interface Order {
      boolean isBefore(double a, double b);
    }

    private final double[] numbers;
    private final Order order;
    private final int[] line;
    private int first;
    private int end;
    private int seen;

    Outermost(double[] numbers, Order order) {
      this.numbers = numbers;
      this.order = order;
      this.line = new int[numbers.length];
    }

    double of(int from, int to) {
      while (seen < to) {
        while (end > first && order.isBefore(numbers[seen], numbers[line[end - 1]])) {
          end--;
        }
        line[end++] = seen++;
      }
      while (line[first] < from) {
        first++;
      }
      return numbers[line[first]];
    }
  }
}
