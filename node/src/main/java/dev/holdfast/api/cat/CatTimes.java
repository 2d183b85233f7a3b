package dev.holdfast.api.cat;

import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/// The two columns with which some tables begin: the time now, for machines and for people.
final class CatTimes {
  private CatTimes() {}

  static CatTable columns(CatTable table) {
    return table
        .column("epoch", "t,time", "seconds since 1970-01-01 00:00:00")
        .column("timestamp", "ts,hms,hhmmss", "time in HH:MM:SS");
  }

  static String epoch(long millis) {
    return Long.toString(millis / 1000);
  }

  static String timestamp(long millis) {
    LocalTime time = Instant.ofEpochMilli(millis).atZone(ZoneOffset.UTC).toLocalTime();
    return DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT)
        .format(time.truncatedTo(ChronoUnit.SECONDS));
  }
}
