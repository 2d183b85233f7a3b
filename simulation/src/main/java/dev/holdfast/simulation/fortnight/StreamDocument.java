package dev.holdfast.simulation.fortnight;

import dev.holdfast.world.Json;
import java.nio.charset.StandardCharsets;

/// A document that somebody wants to be in a stream, and what he has been told of it.
final class StreamDocument {
  final String stream;

  /// Empty for none: that of a series is made of what is in it.
  final String id;

  /// The series that it is of; empty for none.
  final String series;

  /// Its time: when somebody began to write it.
  final long millis;

  /// No other has it.
  final long number;

  /// The index that it was acknowledged in; empty before.
  String index = "";

  /// Whether it may have been written without an answer: then it may be there twice.
  boolean isUnsure;

  /// Whether searches show it.
  boolean isRefreshed;

  /// Whether its index was deleted because of its age.
  boolean isGone;

  StreamDocument(String stream, String id, String series, long millis, long number) {
    this.stream = stream;
    this.id = id;
    this.series = series;
    this.millis = millis;
    this.number = number;
  }

  boolean isAcknowledged() {
    return !index.isEmpty();
  }

  byte[] source() {
    var source = Json.object().put("@timestamp", millis).put("n", number);
    if (!series.isEmpty()) {
      source.put("d", series).put("c", number);
    }
    return source.toString().getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public String toString() {
    return "[stream="
        + stream
        + ", index="
        + index
        + ", number="
        + number
        + ", millis="
        + millis
        + (series.isEmpty() ? "" : ", series=" + series)
        + "]";
  }
}
