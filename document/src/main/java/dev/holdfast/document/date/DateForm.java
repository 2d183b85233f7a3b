package dev.holdfast.document.date;

import java.time.ZonedDateTime;

/// One way to read and write dates; a format is one or several, tried in order.
interface DateForm {
  /// What [#parse] answers for a text that is not of this form.
  long NOT_A_DATE = Long.MIN_VALUE;

  /// The instant that the bytes mean in the reading's unit, or [#NOT_A_DATE].
  long parse(byte[] utf8, int offset, int length, Reading reading);

  /// The time as text.
  String format(ZonedDateTime time);
}
