package dev.holdfast.attachment;

import dev.holdfast.document.ingest.file.FileProperty;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.TemporalAccessor;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Dates of files in one form, that a date field takes: seconds or fractions, UTC. Files write them
/// with a zone, another one, or none; and some write nonsense.
final class FileDates {
  /// The properties that are dates.
  static final List<FileProperty> OF =
      List.of(
          FileProperty.DATE,
          FileProperty.MODIFIED,
          FileProperty.PRINT_DATE,
          FileProperty.METADATA_DATE);

  private static final DateTimeFormatter FORM =
      new DateTimeFormatterBuilder()
          .append(DateTimeFormatter.ISO_LOCAL_DATE_TIME)
          .appendPattern("[XXX][XX][X]")
          .toFormatter(java.util.Locale.ROOT);

  private FileDates() {}

  /// @return as `2016-03-10T08:25:00Z`; null for what is no date, or none after the year 0
  static @Nullable String normal(String value) {
    try {
      TemporalAccessor parsed = FORM.parseBest(value, OffsetDateTime::from, LocalDateTime::from);
      Instant instant =
          parsed instanceof OffsetDateTime zoned
              ? zoned.toInstant()
              : LocalDateTime.from(parsed).toInstant(ZoneOffset.UTC);
      return instant.atOffset(ZoneOffset.UTC).getYear() < 1
          ? null
          : DateTimeFormatter.ISO_INSTANT.format(instant);
    } catch (DateTimeException e) {
      return null;
    }
  }
}
