package dev.holdfast.cost;

import dev.holdfast.objectstore.count.StorePrices;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/// The account of what the cluster's requests cost, by day. Nodes say what they have asked for
/// since they began; the account keeps what it has heard of each, so that it can be put down and
/// taken up again, by another node too, and counts nothing twice.
///
/// @param sinceMillis when the first request was sent that it knows of, epoch milliseconds
/// @param days by UTC date, `2026-11-25`
/// @param heard what nodes had said they spent, by ephemeral id
public record CostLedger(
    long sinceMillis, SortedMap<String, Spent> days, SortedMap<String, Spent> heard) {
  /// Days that are kept.
  static final int DAYS_MAX = 62;

  /// Indices that are told apart in a day.
  static final int INDICES_A_DAY_MAX = 100;

  private static final Duration LATELY = Duration.ofDays(30);

  public CostLedger {
    days = Collections.unmodifiableSortedMap(new TreeMap<>(days));
    heard = Collections.unmodifiableSortedMap(new TreeMap<>(heard));
  }

  /// One that knows nothing yet.
  public static CostLedger begin(long sinceMillis) {
    return new CostLedger(sinceMillis, new TreeMap<>(), new TreeMap<>());
  }

  /// With what nodes say now.
  ///
  /// @param day the present one: what came since they were last heard is put down there
  /// @param said by members, by ephemeral id; what is heard of others is forgotten
  /// @param silent members that said nothing, which go on later
  public CostLedger with(String day, Map<String, Spent> said, Iterable<String> silent) {
    Spent today = days.getOrDefault(day, Spent.NONE);
    SortedMap<String, Spent> hearing = new TreeMap<>();
    for (String node : silent) {
      Spent before = heard.get(node);
      if (before != null) {
        hearing.put(node, before);
      }
    }
    for (Map.Entry<String, Spent> one : said.entrySet()) {
      Spent before = heard.getOrDefault(one.getKey(), Spent.NONE);
      today = today.plus(one.getValue().since(before));
      hearing.put(one.getKey(), one.getValue());
    }
    SortedMap<String, Spent> kept = new TreeMap<>(days);
    kept.put(day, today.withIndices(INDICES_A_DAY_MAX));
    while (kept.size() > DAYS_MAX) {
      kept.remove(kept.firstKey());
    }
    return new CostLedger(sinceMillis, kept, hearing);
  }

  /// Of how many of the last days the account knows what was read: of none on which an older build
  /// counted, or nothing ran.
  public int daysOfReads(long nowMillis) {
    return (int) lately(nowMillis).values().stream().filter(CostLedger::isReadCounted).count();
  }

  /// Bytes that are read of an index in a month, by the days that are known.
  public double bytesReadAMonth(String index, long nowMillis) {
    double bytes = 0;
    int known = 0;
    for (Spent day : lately(nowMillis).values()) {
      if (isReadCounted(day)) {
        known++;
        bytes += day.byIndex().getOrDefault(index, Charge.NONE).bytesRead();
      }
    }
    return known == 0 ? 0 : bytes / known * StorePrices.MONTH_DAYS;
  }

  private static boolean isReadCounted(Spent day) {
    return day.total().bytesRead() > 0; // leases are read all day
  }

  private SortedMap<String, Spent> lately(long nowMillis) {
    return days.tailMap(day(nowMillis - LATELY.toMillis()));
  }

  /// As days are called here.
  public static String day(long epochMillis) {
    return Instant.ofEpochMilli(epochMillis).atOffset(ZoneOffset.UTC).toLocalDate().toString();
  }

  /// Of all days that are kept.
  public Spent all() {
    return days.values().stream().reduce(Spent.NONE, Spent::plus);
  }
}
