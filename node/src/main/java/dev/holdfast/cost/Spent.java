package dev.holdfast.cost;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.objectstore.count.IndexRequests;
import dev.holdfast.objectstore.count.StoreCounters;
import dev.holdfast.world.Json;
import java.util.Collections;
import java.util.Comparator;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/// Requests of a time, or of a node since it began.
///
/// @param byPurpose all of them
/// @param byIndex those of them that are for one index, by its uuid
public record Spent(SortedMap<String, Charge> byPurpose, SortedMap<String, Charge> byIndex) {
  static final Spent NONE = new Spent(new TreeMap<>(), new TreeMap<>());

  public Spent {
    byPurpose = Collections.unmodifiableSortedMap(new TreeMap<>(byPurpose));
    byIndex = Collections.unmodifiableSortedMap(new TreeMap<>(byIndex));
  }

  /// Of this process.
  public static Spent of(StoreCounters counters) {
    SortedMap<String, Charge> byPurpose = new TreeMap<>();
    for (StoreCounters.Line line : counters.snapshot()) {
      byPurpose.merge(
          line.purpose().label(),
          new Charge(line.requests(), line.dollars(), line.bytesRead()),
          Charge::plus);
    }
    SortedMap<String, Charge> byIndex = new TreeMap<>();
    counters
        .byIndex()
        .sums()
        .forEach((index, sum) ->
            byIndex.put(index, new Charge(sum.requests(), sum.dollars(), sum.bytesRead())));
    return new Spent(byPurpose, byIndex);
  }

  Spent plus(Spent other) {
    return new Spent(plus(byPurpose, other.byPurpose), plus(byIndex, other.byIndex));
  }

  private static SortedMap<String, Charge> plus(
      Map<String, Charge> one, Map<String, Charge> other) {
    SortedMap<String, Charge> sum = new TreeMap<>(one);
    other.forEach((name, more) -> sum.merge(name, more, Charge::plus));
    return sum;
  }

  Spent since(Spent before) {
    return new Spent(since(byPurpose, before.byPurpose), since(byIndex, before.byIndex));
  }

  private static SortedMap<String, Charge> since(
      Map<String, Charge> now, Map<String, Charge> before) {
    SortedMap<String, Charge> since = new TreeMap<>();
    now.forEach((name, sum) -> {
      Charge more = sum.since(before.getOrDefault(name, Charge.NONE));
      if (!more.isNone()) {
        since.put(name, more);
      }
    });
    return since;
  }

  /// The dearest indices, the rest together.
  Spent withIndices(int max) {
    if (byIndex.size() <= max) {
      return this;
    }
    SortedMap<String, Charge> kept = new TreeMap<>();
    Charge rest = byIndex.getOrDefault(IndexRequests.REST, Charge.NONE);
    int count = 0;
    Comparator<Map.Entry<String, Charge>> dearest =
        Comparator.comparingDouble((Map.Entry<String, Charge> e) -> e.getValue().dollars())
            .reversed()
            .thenComparing(Map.Entry::getKey);
    for (Map.Entry<String, Charge> one : byIndex.entrySet().stream().sorted(dearest).toList()) {
      if (one.getKey().equals(IndexRequests.REST)) {
        continue;
      }
      if (count++ < max - 1) {
        kept.put(one.getKey(), one.getValue());
      } else {
        rest = rest.plus(one.getValue());
      }
    }
    kept.put(IndexRequests.REST, rest);
    return new Spent(byPurpose, kept);
  }

  /// All purposes.
  public Charge total() {
    return Charge.of(byPurpose);
  }

  public ObjectNode json() {
    ObjectNode json = Json.object();
    json.set("by_purpose", Charge.json(byPurpose));
    json.set("by_index", Charge.json(byIndex));
    return json;
  }

  /// What [#json] gave.
  public static Spent read(JsonNode json) {
    return new Spent(Charge.read(json.path("by_purpose")), Charge.read(json.path("by_index")));
  }
}
