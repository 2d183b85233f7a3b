package dev.holdfast.api.indices.lifecycle;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.http.TimeValue;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// When the indices of a stream of time series become coarser, and how coarse: `downsampling` of a
/// lifecycle, `[{"after", "fixed_interval"}]`, and `downsampling_method`.
public final class DownsamplingRounds {
  static final String ROUNDS = "downsampling";
  static final String METHOD = "downsampling_method";

  private static final int ROUNDS_MAX = 10;
  private static final Duration INTERVAL_MIN = Duration.ofMinutes(5);
  private static final List<String> METHODS = List.of("aggregate", "last_value");

  private DownsamplingRounds() {}

  /// @param after it was followed by another index
  /// @param text the interval as it was given
  private record Round(Duration after, String afterText, Duration interval, String text) {
    static Round read(JsonNode given) {
      if (!given.isObject()) {
        throw new Refusal(
            ErrorType.X_CONTENT_PARSE,
            "[downsampling_round] Expected START_OBJECT but was: " + given);
      }
      JsonObject body = JsonObject.of("downsampling_round", given);
      String interval = body.string("fixed_interval");
      String after = body.string("after");
      body.done();
      if (interval == null) {
        throw Refusal.badArgument("Required [fixed_interval]");
      }
      if (after == null) {
        throw Refusal.badArgument("Required [after]");
      }
      if (!interval.matches("\\d{1,18}(ms|s|m|h|d)")) {
        throw Refusal.badArgument(
            "failed to parse setting [fixed_interval] with value ["
                + interval
                + "] as a time value: unit is missing or unrecognized");
      }
      Duration length = TimeValue.parse("fixed_interval", interval);
      if (length.compareTo(INTERVAL_MIN) < 0) {
        throw Refusal.badArgument(
            "A downsampling round must have a fixed interval of at least five minutes but found: "
                + interval);
      }
      return new Round(TimeValue.parse("after", after), after, length, interval);
    }

    void requireAfter(Round before) {
      if (after.compareTo(before.after) < 0) {
        throw Refusal.badArgument(
            "A downsampling round must have a later 'after' value than the proceeding, "
                + afterText
                + " is not after "
                + before.afterText
                + ".");
      }
      if (interval.compareTo(before.interval) <= 0) {
        throw unlike(before, "greater than");
      }
      if (interval.toMillis() % before.interval.toMillis() != 0) {
        throw unlike(before, "a multiple of");
      }
    }

    private Refusal unlike(Round before, String what) {
      return Refusal.badArgument(
          "Downsampling interval ["
              + text
              + "] must be "
              + what
              + " the source index interval ["
              + before.text
              + "].");
    }

    ObjectNode json() {
      return Json.object().put("after", afterText).put("fixed_interval", text);
    }
  }

  /// Checks what a lifecycle says of it, and keeps it.
  ///
  /// @throws Refusal `illegal_argument_exception`, `x_content_parse_exception`
  static void read(JsonObject lifecycle, ObjectNode kept) {
    JsonNode given = lifecycle.take(ROUNDS);
    String method = lifecycle.string(METHOD);
    if (method != null && !METHODS.contains(method)) {
      throw Refusal.badArgument(
          "Sampling method [" + method + "] is not one of the accepted methods " + METHODS + ".");
    }
    if (given == null || given.isNull()) {
      if (method != null) {
        throw Refusal.badArgument(
            "Downsampling method can only be set when there is at least one downsampling round.");
      }
      return;
    }
    if (!given.isArray()) {
      throw new Refusal(
          ErrorType.X_CONTENT_PARSE,
          "[data_stream_lifecycle] downsampling doesn't support values of type: "
              + JsonObject.token(given));
    }
    ArrayNode rounds = kept.putArray(ROUNDS);
    rounds(given).forEach(round -> rounds.add(round.json()));
    if (method != null) {
      kept.put(METHOD, method);
    }
  }

  private static List<Round> rounds(JsonNode given) {
    if (given.isEmpty()) {
      throw Refusal.badArgument(
          "Downsampling configuration should have at least one round configured.");
    }
    if (given.size() > ROUNDS_MAX) {
      throw Refusal.badArgument(
          "Downsampling configuration supports maximum "
              + ROUNDS_MAX
              + " configured rounds. Found: "
              + given.size());
    }
    List<Round> rounds = new ArrayList<>();
    for (JsonNode each : given) {
      Round round = Round.read(each);
      if (!rounds.isEmpty()) {
        round.requireAfter(rounds.getLast());
      }
      rounds.add(round);
    }
    return rounds;
  }

  /// What an index is to be downsampled as by now: the last round that is due, as requests of
  /// `_downsample` say it; null for none.
  ///
  /// @param lifecycle of its stream
  /// @param sinceMillis it was followed by another index
  public static @Nullable ObjectNode due(@Nullable ObjectNode lifecycle, long sinceMillis) {
    ObjectNode due = null;
    JsonNode given = lifecycle == null ? null : lifecycle.get(ROUNDS);
    for (Round round : given == null || given.isNull() ? List.<Round>of() : rounds(given)) {
      if (sinceMillis >= round.after.toMillis()) {
        due = Json.object().put("fixed_interval", round.text);
      }
    }
    if (due != null && lifecycle != null && lifecycle.hasNonNull(METHOD)) {
      due.put("sampling_method", lifecycle.path(METHOD).asText());
    }
    return due;
  }

  /// Adds what a lifecycle says of it to how the lifecycle is shown.
  static void show(ObjectNode lifecycle, ObjectNode shown) {
    for (String name : List.of(ROUNDS, METHOD)) {
      if (lifecycle.hasNonNull(name)) {
        shown.set(name, lifecycle.get(name));
      }
    }
  }
}
