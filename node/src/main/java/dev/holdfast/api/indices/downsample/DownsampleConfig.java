package dev.holdfast.api.indices.downsample;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.http.TimeValue;
import dev.holdfast.world.Json;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.time.Duration;
import java.util.List;

/// How coarse times become, and what becomes of metrics.
///
/// @param text the interval as it was given
/// @param keepsLast whether a gauge keeps its last value, rather than what its values come to
public record DownsampleConfig(String text, Duration interval, boolean keepsLast) {
  private static final String INTERVAL = "fixed_interval";
  private static final String METHOD = "sampling_method";
  private static final List<String> METHODS = List.of("aggregate", "last_value");

  /// @throws Refusal `illegal_argument_exception`
  public static DownsampleConfig read(JsonObject body) {
    String text = body.string(INTERVAL);
    if (text == null) {
      throw Refusal.badArgument("Required [" + INTERVAL + "]");
    }
    String method = body.string(METHOD);
    if (method != null && !METHODS.contains(method)) {
      throw Refusal.badArgument(
          "Unknown value [" + method + "] for [" + METHOD + "], accepted values are " + METHODS);
    }
    if (!text.matches("\\d+(ms|s|m|h|d)")) {
      throw Refusal.badArgument(
          "failed to parse setting ["
              + INTERVAL
              + "] with value ["
              + text
              + "] as a time value: unit is missing or unrecognized");
    }
    Duration interval = TimeValue.parse(INTERVAL, text);
    if (interval.toMillis() <= 0) {
      throw Refusal.badArgument("[" + INTERVAL + "] must be at least [1ms], got [" + text + "]");
    }
    return new DownsampleConfig(text, interval, "last_value".equals(method));
  }

  /// As requests write it.
  public ObjectNode json() {
    ObjectNode json = Json.object().put(INTERVAL, text);
    return keepsLast ? json.put(METHOD, METHODS.getLast()) : json;
  }

  /// @param before of which this one is made
  /// @throws Refusal `illegal_argument_exception` when intervals of the two do not fit
  void requireMultipleOf(DownsampleConfig before) {
    if (interval.compareTo(before.interval) <= 0
        || interval.toMillis() % before.interval.toMillis() != 0) {
      throw Refusal.badArgument(
          "Source index is a downsampled index. Downsampling interval ["
              + text
              + "] must be a multiple of the source index's interval ["
              + before.text
              + "] and greater than it");
    }
    if (keepsLast != before.keepsLast) {
      throw Refusal.badArgument(
          "Source index is a downsampled index. Its [" + METHOD + "] must be kept");
    }
  }
}
