package dev.holdfast.chaos.scaling;

import dev.holdfast.chaos.availability.Availability;
import dev.holdfast.chaos.node.Http;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// What a client was answered first, each time after nothing ran.
final class FirstAnswers {
  private static final long MEDIAN_MILLIS_GOAL = 1_000;
  private static final long P99_MILLIS_GOAL = 2_000;

  private final List<Long> goodMillis = new ArrayList<>();
  private final Map<Kind, Integer> counts = new EnumMap<>(Kind.class);

  /// What an answer to a search may be.
  enum Kind {
    GOOD,
    /// Another status than 200: nobody held the request until somebody could do it.
    REFUSED,
    /// Shards failed, or the time was over.
    PARTIAL,
    /// Another number of documents than were acknowledged.
    WRONG
  }

  /// @param documents that were acknowledged
  static Kind of(Http.Reply reply, long documents) {
    if (reply.status() != 200) {
      return Kind.REFUSED;
    }
    if (reply.body().path("timed_out").asBoolean(true)
        || reply.body().at("/_shards/failed").asInt(1) > 0) {
      return Kind.PARTIAL;
    }
    return reply.body().at("/hits/total/value").asLong(-1) == documents ? Kind.GOOD : Kind.WRONG;
  }

  void add(Kind kind, long millis) {
    counts.merge(kind, 1, Integer::sum);
    if (kind == Kind.GOOD) {
      goodMillis.add(millis);
    }
  }

  int count(Kind kind) {
    return counts.getOrDefault(kind, 0);
  }

  boolean isAllGood() {
    return counts.keySet().stream().allMatch(kind -> kind == Kind.GOOD);
  }

  /// For people, a line each.
  List<String> report() {
    List<String> lines = new ArrayList<>();
    List<String> kinds = new ArrayList<>();
    for (Kind kind : Kind.values()) {
      kinds.add(kind.name().toLowerCase(Locale.ROOT) + " " + count(kind));
    }
    lines.add("answers: " + String.join(", ", kinds));
    if (!goodMillis.isEmpty()) {
      List<Long> sorted = goodMillis.stream().sorted().toList();
      long median = sorted.get(sorted.size() / 2);
      long p99 = sorted.get((int) Math.min(sorted.size() - 1L, sorted.size() * 99L / 100));
      lines.add("first answer, median / p99 / longest: " + Availability.spread(goodMillis) + " ms");
      lines.add(
          "goals: median "
              + against(median, MEDIAN_MILLIS_GOAL)
              + ", p99 "
              + against(p99, P99_MILLIS_GOAL));
    }
    return lines;
  }

  private static String against(long millis, long goal) {
    return goal + " ms " + (millis <= goal ? "met" : "missed");
  }
}
