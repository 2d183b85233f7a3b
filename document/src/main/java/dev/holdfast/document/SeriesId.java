package dev.holdfast.document;

import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/// The `_id` of a document of a time series: its series, its time and what routes it. So the same
/// measurement has the same id, however often it is sent, and the id alone says the shard.
///
/// As text: base64 (URL) of the series' bytes, the time from the latest to the earliest (8 bytes),
/// and the hash that routes (4 bytes).
///
/// @param series the bytes of `_tsid`
/// @param time the doc value of `@timestamp`
/// @param routing hash of the dimensions that route
@SuppressWarnings("ArrayRecordComponent") // a carrier, never compared
public record SeriesId(byte[] series, long time, int routing) {
  /// Of [#series].
  public static final int SERIES_BYTES = 24;

  private static final int BYTES = SERIES_BYTES + Long.BYTES + Integer.BYTES;

  private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();

  /// The `_id`.
  public String text() {
    return ENCODER.encodeToString(
        ByteBuffer.allocate(BYTES)
            .put(series)
            .putLong(Long.MAX_VALUE - time)
            .putInt(routing)
            .array());
  }

  /// `_tsid` as text.
  public static String text(BytesRef series) {
    return ENCODER.encodeToString(
        Arrays.copyOfRange(series.bytes, series.offset, series.offset + series.length));
  }

  /// The bytes of a `_tsid` that is given as text.
  ///
  /// @throws Refusal `illegal_argument_exception`
  public static BytesRef bytes(String series) {
    try {
      return new BytesRef(Base64.getUrlDecoder().decode(series));
    } catch (IllegalArgumentException e) {
      throw new Refusal(
          ErrorType.ILLEGAL_ARGUMENT, "[" + series + "] is no [_tsid]: " + e.getMessage(), e);
    }
  }

  /// @return null for an id that is none of a time series
  public static @Nullable SeriesId of(String id) {
    byte[] bytes;
    try {
      bytes = Base64.getUrlDecoder().decode(id);
    } catch (IllegalArgumentException _) {
      return null;
    }
    if (bytes.length != BYTES) {
      return null;
    }
    ByteBuffer parts = ByteBuffer.wrap(bytes);
    byte[] series = new byte[SERIES_BYTES];
    parts.get(series);
    return new SeriesId(series, Long.MAX_VALUE - parts.getLong(), parts.getInt());
  }

  /// @param index for the message
  /// @throws Refusal `resource_not_found_exception` for an id that no document there can have
  public static SeriesId require(String id, String index) {
    SeriesId series = of(id);
    if (series == null) {
      throw new Refusal(
          ErrorType.RESOURCE_NOT_FOUND,
          "invalid id [" + id + "] for index [" + index + "] in time_series mode");
    }
    return series;
  }
}
