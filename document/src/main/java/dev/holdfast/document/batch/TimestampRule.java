package dev.holdfast.document.batch;

import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import org.jspecify.annotations.Nullable;

/// Documents of a data stream have one time each (`_data_stream_timestamp` of a mapping).
final class TimestampRule {
  static final String FIELD = "@timestamp";

  private TimestampRule() {}

  /// Checks the document read last.
  ///
  /// @param timestamp counts its values; null when documents need no time
  /// @throws Refusal `document_parsing_exception`
  static void check(@Nullable Sink timestamp) {
    if (timestamp != null && timestamp.counted != 1) {
      String why =
          "data stream timestamp field ["
              + FIELD
              + (timestamp.counted == 0 ? "] is missing" : "] encountered multiple values");
      throw new Refusal(
          ErrorType.DOCUMENT_PARSING, "failed to parse: " + why, Refusal.badArgument(why));
    }
  }
}
