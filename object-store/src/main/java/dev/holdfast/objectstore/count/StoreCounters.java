package dev.holdfast.objectstore.count;

import dev.holdfast.objectstore.Purpose;
import dev.holdfast.objectstore.RequestKind;
import dev.holdfast.objectstore.budget.SpendingPace;
import dev.holdfast.objectstore.retry.StoreHealth;
import dev.holdfast.world.metric.Histogram;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/// Requests to a store since the process began, by purpose and kind.
public final class StoreCounters {
  private final StorePrices prices;
  private final StoreHealth health = new StoreHealth();
  private final Map<Purpose, Map<RequestKind, Cell>> cells = new EnumMap<>(Purpose.class);

  private final LongSupplier nanos;
  private final SpendingPace pace;
  private final IndexRequests byIndex;

  /// Counters that measure no times.
  public StoreCounters(StorePrices prices) {
    this(prices, () -> 0);
  }

  /// @param nanos a clock, for how long requests take
  public StoreCounters(StorePrices prices, LongSupplier nanos) {
    this.prices = prices;
    this.nanos = nanos;
    this.pace = new SpendingPace(nanos, prices.dollars(RequestKind.PUT, 1));
    this.byIndex = new IndexRequests(prices);
    for (Purpose purpose : Purpose.values()) {
      Map<RequestKind, Cell> kinds = new EnumMap<>(RequestKind.class);
      for (RequestKind kind : RequestKind.values()) {
        kinds.put(kind, new Cell(purpose, kind));
      }
      cells.put(purpose, kinds);
    }
  }

  /// What fails of those requests.
  public StoreHealth health() {
    return health;
  }

  /// What those requests cost.
  public StorePrices prices() {
    return prices;
  }

  /// How fast they may cost it: each of them is paid from there.
  public SpendingPace pace() {
    return pace;
  }

  /// Those of single indices.
  public IndexRequests byIndex() {
    return byIndex;
  }

  /// Counts requests that are about to be sent.
  ///
  /// @param key of one object that they are for
  void count(Cell cell, String key, long requests) {
    cell.requests.add(requests);
    pace.spent(cell.isDeferrable, prices.dollars(cell.kind, requests));
    byIndex.count(key, cell.kind, requests);
  }

  /// Counts what has come.
  void read(Cell cell, String key, long bytes) {
    cell.bytesRead.add(bytes);
    byIndex.read(key, bytes);
  }

  long nanoTime() {
    return nanos.getAsLong();
  }

  /// How long requests took, answered or failed, by purpose and kind; without those that had none.
  public List<Times> times() {
    List<Times> times = new ArrayList<>();
    for (Purpose purpose : Purpose.values()) {
      for (RequestKind kind : RequestKind.values()) {
        Histogram.Snapshot seconds = cell(purpose, kind).seconds.snapshot();
        if (seconds.count() > 0) {
          times.add(new Times(purpose, kind, seconds));
        }
      }
    }
    return times;
  }

  /// How long requests of one purpose and kind took.
  public record Times(Purpose purpose, RequestKind kind, Histogram.Snapshot seconds) {}

  Cell cell(Purpose purpose, RequestKind kind) {
    return Objects.requireNonNull(Objects.requireNonNull(cells.get(purpose)).get(kind));
  }

  /// A line for each purpose and kind that had a request, in their order.
  public List<Line> snapshot() {
    List<Line> lines = new ArrayList<>();
    for (Purpose purpose : Purpose.values()) {
      for (RequestKind kind : RequestKind.values()) {
        Cell cell = cell(purpose, kind);
        long requests = cell.requests.sum();
        if (requests > 0) {
          lines.add(
              new Line(
                  purpose,
                  kind,
                  requests,
                  cell.errors.sum(),
                  cell.bytesWritten.sum(),
                  cell.bytesRead.sum(),
                  prices.dollars(kind, requests)));
        }
      }
    }
    return lines;
  }

  /// How often the store was asked, each try counted, and how often it failed.
  ///
  /// @param all that have ended
  public record Tries(long all, long failed) {}

  /// All of them since the process began.
  public Tries tries() {
    long all = 0;
    long failed = 0;
    for (Map<RequestKind, Cell> kinds : cells.values()) {
      for (Cell cell : kinds.values()) {
        failed += cell.errors.sum(); // first: who failed has not ended yet
        all += cell.seconds.snapshot().count();
      }
    }
    return new Tries(all, failed);
  }

  /// Dollars of all requests.
  public double dollars() {
    return snapshot().stream().mapToDouble(Line::dollars).sum();
  }

  /// Requests of one kind, all purposes.
  public long requests(RequestKind kind) {
    return snapshot().stream().filter(line -> line.kind() == kind).mapToLong(Line::requests).sum();
  }

  /// What was asked of the store.
  ///
  /// @param requests all, with those that failed
  /// @param errors those that ended in an exception; "there is no such object" is none
  /// @param bytesWritten sent to the store
  /// @param bytesRead received from the store
  public record Line(
      Purpose purpose,
      RequestKind kind,
      long requests,
      long errors,
      long bytesWritten,
      long bytesRead,
      double dollars) {}

  static final class Cell {
    final LongAdder requests = new LongAdder();
    final LongAdder errors = new LongAdder();
    final LongAdder bytesWritten = new LongAdder();
    final LongAdder bytesRead = new LongAdder();
    final Histogram seconds = Histogram.ofSeconds();

    /// What traces call such a request.
    final String name;

    final RequestKind kind;

    /// Whether it may wait for money.
    final boolean isDeferrable;

    Cell(Purpose purpose, RequestKind kind) {
      this.kind = kind;
      isDeferrable =
          kind == RequestKind.PUT
              && (purpose == Purpose.TRANSLOG || purpose == Purpose.COMMIT_UPLOAD);
      name =
          "store "
              + kind.name().toLowerCase(Locale.ROOT)
              + " "
              + purpose.name().toLowerCase(Locale.ROOT);
    }
  }
}
