package dev.holdfast.simulation.fortnight;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.stream.DataStream;
import dev.holdfast.document.TimeSeries;
import dev.holdfast.query.result.Hit;
import dev.holdfast.simulation.schedule.Alarm;
import dev.holdfast.world.Json;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The documents of all streams, and what a search of a stream must show of them: each that was
/// acknowledged and whose index has not reached its retention, in an index that has become coarser
/// in what it was summed up to.
final class StreamDocuments {
  /// A document may reach an index so long after another took its place: a node has not heard of
  /// it.
  private static final long LATE_MILLIS = 60_000;

  private final Alarm alarm;
  private final SortedMap<String, List<StreamDocument>> documents = new TreeMap<>();
  private long numbers;
  private long acknowledged;
  private long found;

  StreamDocuments(Alarm alarm) {
    this.alarm = alarm;
  }

  private List<StreamDocument> of(String stream) {
    return documents.computeIfAbsent(stream, _ -> new ArrayList<>());
  }

  /// One that somebody is about to write.
  ///
  /// @param series null for one of no series
  StreamDocument begins(String stream, @Nullable String series, long millis) {
    long number = ++numbers;
    StreamDocument begun =
        new StreamDocument(
            stream,
            series == null ? "d" + number : "",
            series == null ? "" : series,
            millis,
            number);
    of(stream).add(begun);
    return begun;
  }

  void acknowledged(StreamDocument document, String index) {
    document.index = index;
    acknowledged++;
  }

  long acknowledged() {
    return acknowledged;
  }

  /// How often a document was looked for and found.
  long found() {
    return found;
  }

  /// Whether searches show a document in an index of a stream.
  boolean areIn(String stream, String index) {
    return of(stream).stream().anyMatch(one -> one.isRefreshed && one.index.equals(index));
  }

  /// What has gone with its index must be older than the retention.
  void left(ClusterState state, StreamPlan plan, long nowMillis) {
    var origins =
        StreamPromises.stream(state, plan.name()).indices().stream()
            .map(StreamPromises::origin)
            .collect(Collectors.toSet());
    for (StreamDocument one : of(plan.name())) {
      if (one.isAcknowledged() && !one.isGone && !origins.contains(one.index)) {
        one.isGone = true;
        long age = nowMillis - one.millis;
        if (age < plan.retentionMillis() - LATE_MILLIS) {
          alarm.violated("an acknowledged document is deleted that is " + age + " ms old " + one);
          return;
        }
      }
    }
  }

  /// A search of a whole stream showed these, with everything refreshed and nobody writing.
  void shown(ClusterState state, StreamPlan plan, List<Hit> hits) {
    if (plan.isSeries()) {
      shownCoarse(state, plan, hits);
      return;
    }
    Map<String, StreamDocument> known = new LinkedHashMap<>();
    of(plan.name()).forEach(one -> known.put(one.id, one));
    Map<String, Integer> times = new HashMap<>();
    for (Hit hit : hits) {
      StreamDocument one = known.get(String.valueOf(hit.id()));
      if (one == null || source(hit).path("n").asLong() != one.number) {
        alarm.violated(
            "a search shows what nobody wrote [index=" + hit.index() + ", id=" + hit.id() + "]");
        return;
      }
      if (times.merge(one.id, 1, Integer::sum) > 1 && !one.isUnsure) {
        alarm.violated("a search shows a document twice " + one);
      }
    }
    for (StreamDocument one : known.values()) {
      if (one.isAcknowledged() && !one.isGone) {
        if (!times.containsKey(one.id)) {
          alarm.violated("an acknowledged document is missing " + one);
          return;
        }
        found++;
      }
    }
  }

  private static JsonNode source(Hit hit) {
    byte[] source = hit.source();
    return source == null ? Json.object() : Json.parse(source);
  }

  /// What documents of a series come to that have the same time.
  private record Sum(long count, long sum, long min, long max, long last) {
    static Sum of(JsonNode source) {
      JsonNode gauge = source.path("n");
      long last = source.path("c").asLong();
      if (!gauge.isObject()) {
        long value = gauge.asLong();
        return new Sum(1, value, value, value, last);
      }
      return new Sum(
          gauge.path("value_count").asLong(),
          gauge.path("sum").asLong(),
          gauge.path("min").asLong(),
          gauge.path("max").asLong(),
          last);
    }

    Sum plus(StreamDocument one) {
      return new Sum(
          count + 1,
          sum + one.number,
          Math.min(min, one.number),
          Math.max(max, one.number),
          Math.max(last, one.number)); // later ones have higher numbers
    }
  }

  private void shownCoarse(ClusterState state, StreamPlan plan, List<Hit> hits) {
    DataStream stream = StreamPromises.stream(state, plan.name());
    Map<String, IndexMetadata> byOrigin = new HashMap<>();
    for (String name : stream.indices()) {
      byOrigin.put(StreamPromises.origin(name), StreamPromises.index(state, name));
    }
    SortedMap<String, Sum> expected = new TreeMap<>();
    for (StreamDocument one : of(plan.name())) {
      IndexMetadata index = byOrigin.get(one.index);
      if (one.isAcknowledged() && index != null) {
        String key = one.index + " " + one.series + " " + coarse(index, one.millis);
        Sum none = new Sum(0, 0, Long.MAX_VALUE, Long.MIN_VALUE, Long.MIN_VALUE);
        expected.put(key, expected.getOrDefault(key, none).plus(one));
        found++;
      }
    }
    SortedMap<String, Sum> shown = new TreeMap<>();
    for (Hit hit : hits) {
      JsonNode source = source(hit);
      String key =
          StreamPromises.origin(hit.index())
              + " "
              + source.path("d").asText()
              + " "
              + StreamSearch.millis(source.path("@timestamp"));
      if (shown.put(key, Sum.of(source)) != null) {
        alarm.violated("a search shows a series twice at one time [" + key + "]");
        return;
      }
    }
    for (String key : expected.keySet()) {
      if (!expected.get(key).equals(shown.remove(key))) {
        alarm.violated(
            "a series does not add up to its documents [" + key + "]: " + expected.get(key));
        return;
      }
    }
    if (!shown.isEmpty()) {
      alarm.violated("a search shows of series what nobody wrote " + shown);
    }
  }

  /// The time that a document has in an index.
  private static long coarse(IndexMetadata index, long millis) {
    long every = StreamPromises.hours(index) * StreamPlan.HOUR;
    long start = TimeSeries.of(index.settings()).startMillis();
    return every == 0 ? millis : Math.max(start, Math.floorDiv(millis, every) * every);
  }
}
