package dev.holdfast.document.date;

import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.time.DateTimeException;
import java.time.ZoneId;

/// Time zones as requests name them: `Europe/Paris`, `+01:00`, `UTC`, `Z`.
public final class ZoneIds {
  private ZoneIds() {}

  /// @throws Refusal `illegal_argument_exception` when there is no such zone
  public static ZoneId parse(String text) {
    try {
      return ZoneId.of(text.equals("utc") ? "UTC" : text, ZoneId.SHORT_IDS).normalized();
    } catch (DateTimeException notAZone) {
      throw new Refusal(
          ErrorType.ILLEGAL_ARGUMENT, "unknown time-zone ID: [" + text + "]", notAZone);
    }
  }
}
