package dev.holdfast.objectstore.count;

import dev.holdfast.objectstore.RequestKind;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAdder;

/// Requests for blobs of single indices, as keys name them. Files of the log hold operations of all
/// indices, and the cluster state is everybody's: they are nobody's here.
public final class IndexRequests {
  /// Indices that are told apart; requests of further ones are counted together.
  public static final int INDICES_MAX = 1000;

  /// What the rest is called: no uuid.
  public static final String REST = "other";

  /// `shards/<hash>/<index uuid>/…`.
  private static final String FOLDER = "shards/";

  private final StorePrices prices;
  private final Map<String, Cell> cells = new ConcurrentHashMap<>();

  IndexRequests(StorePrices prices) {
    this.prices = prices;
  }

  /// @param requests all, with those that failed
  /// @param bytesRead received from the store
  public record Sum(long requests, double dollars, long bytesRead) {}

  private static final class Cell {
    final LongAdder requests = new LongAdder();
    final DoubleAdder dollars = new DoubleAdder();
    final LongAdder bytesRead = new LongAdder();
  }

  void count(String key, RequestKind kind, long requests) {
    String index = index(key);
    if (!index.isEmpty()) {
      Cell cell = cell(index);
      cell.requests.add(requests);
      cell.dollars.add(prices.dollars(kind, requests));
    }
  }

  /// Counts what was read of an object.
  void read(String key, long bytes) {
    String index = index(key);
    if (!index.isEmpty()) {
      cell(index).bytesRead.add(bytes);
    }
  }

  private Cell cell(String index) {
    Cell cell = cells.get(index);
    if (cell != null) {
      return cell;
    }
    String name = cells.size() < INDICES_MAX ? index : REST;
    return cells.computeIfAbsent(name, _ -> new Cell());
  }

  /// The uuid of the index that an object is of; empty for none.
  public static String index(String key) {
    if (!key.startsWith(FOLDER)) {
      return "";
    }
    int begin = key.indexOf('/', FOLDER.length()) + 1;
    int end = key.indexOf('/', begin);
    return begin > 0 && end > begin ? key.substring(begin, end) : "";
  }

  /// By uuid, since the process began.
  public SortedMap<String, Sum> sums() {
    SortedMap<String, Sum> sums = new TreeMap<>();
    cells.forEach((index, cell) ->
        sums.put(index, new Sum(cell.requests.sum(), cell.dollars.sum(), cell.bytesRead.sum())));
    return sums;
  }
}
