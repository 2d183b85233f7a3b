package dev.holdfast.api.slm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.http.TimeValue;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// Which of a policy's snapshots may go.
///
/// @param expireMillis age from which one may go; -1: none is too old
/// @param min so many that are whole stay, however old
/// @param max the oldest of more that are whole go, however young
record SnapshotRetention(long expireMillis, int min, int max) {
  /// A snapshot of the policy that is finished.
  ///
  /// @param agesSinceMillis when it was begun, or what the clock of its repository's store says
  ///   instead
  /// @param isWhole whether it has every shard
  record Made(String name, long startMillis, long agesSinceMillis, boolean isWhole) {}

  /// @throws Refusal for numbers that make no sense together
  static void check(ObjectNode json) {
    JsonObject given = JsonObject.ofValues("retention", json);
    String expire = given.string("expire_after");
    if (expire != null && TimeValue.parse("expire_after", expire).toMillis() < 0) {
      throw Refusal.badArgument("expire_after must not be negative, but was: " + expire);
    }
    int min = given.integer("min_count", 1);
    int max = given.integer("max_count", Integer.MAX_VALUE);
    given.done();
    if (min < 1) {
      throw Refusal.badArgument("minimum snapshot count must be at least 1, but was: " + min);
    }
    if (max < 1) {
      throw Refusal.badArgument("maximum snapshot count must be at least 1, but was: " + max);
    }
    if (json.has("min_count") && min > max) {
      throw Refusal.badArgument(
          "minimum snapshot count " + min + " cannot be larger than maximum snapshot count " + max);
    }
  }

  /// @param json that was checked
  static SnapshotRetention of(JsonNode json) {
    return new SnapshotRetention(
        json.has("expire_after")
            ? TimeValue.parse("expire_after", json.path("expire_after").asText()).toMillis()
            : -1,
        json.path("min_count").asInt(0),
        json.path("max_count").asInt(Integer.MAX_VALUE));
  }

  /// Names of those that go, oldest first. One that is not whole goes when it is too old, unless it
  /// is the newest of all.
  List<String> due(List<Made> all, long nowMillis) {
    List<Made> sorted = new ArrayList<>(all);
    sorted.sort(Comparator.comparingLong(Made::startMillis).thenComparing(Made::name));
    int whole = (int) sorted.stream().filter(Made::isWhole).count();
    List<String> due = new ArrayList<>();
    for (int i = 0; i < sorted.size(); i++) {
      Made one = sorted.get(i);
      boolean isExpired = expireMillis >= 0 && nowMillis - one.agesSinceMillis > expireMillis;
      if (one.isWhole) {
        if (whole > max || (isExpired && whole > min)) {
          due.add(one.name);
          whole--;
        }
      } else if (isExpired && i < sorted.size() - 1) {
        due.add(one.name);
      }
    }
    return due;
  }
}
