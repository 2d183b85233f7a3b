package dev.holdfast.document.date;

import static dev.holdfast.document.date.IsoForm.*;
import static dev.holdfast.document.date.IsoForm.Zone.*;

import dev.holdfast.world.Registry;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Every built-in date format by its name.
final class NamedForms {
  private static final String OPTIONAL = "y[-M[-d[T[H[:m[:s[f]]]][z]]]]";
  private static final Registry<Supplier<DateForm>> ALL = all();

  private NamedForms() {}

  /// The form of that name, or null.
  static @Nullable DateForm of(String name) {
    Supplier<DateForm> form = ALL.get(name);
    return form == null ? null : form.get();
  }

  private static Registry<Supplier<DateForm>> all() {
    Registry<Supplier<DateForm>> all =
        Registry.<Supplier<DateForm>>of("date format")
            .with("epoch_millis", () -> EpochForm.MILLIS)
            .with("epoch_second", () -> EpochForm.SECONDS)
            .with("iso8601", iso(YEAR, FRACTION, MAYBE, OPTIONAL, true))
            .with("strict_date_optional_time_nanos", iso(YEAR, FRACTION, MAYBE, OPTIONAL, true))
            .with("basic_date", basic("yMd"))
            .with("basic_date_time", basic("yMdTHms[f]z"))
            .with("basic_date_time_no_millis", basic("yMdTHmsz"))
            .with("basic_ordinal_date", basic("yD"))
            .with("basic_ordinal_date_time", basic("yDTHms[f]z"))
            .with("basic_ordinal_date_time_no_millis", basic("yDTHmsz"))
            .with("basic_time", basic("Hms[f]z"))
            .with("basic_time_no_millis", basic("Hmsz"))
            .with("basic_t_time", basic("THms[f]z"))
            .with("basic_t_time_no_millis", basic("THmsz"));
    all = both(all, "basic_week_date", "xWwe");
    all = both(all, "basic_week_date_time", "xWweTHms[f]z");
    all = both(all, "basic_week_date_time_no_millis", "xWweTHmsz");
    all = bothIso(all, "date_optional_time", YEAR, FRACTION, MAYBE, OPTIONAL);
    all = bothIso(all, "year", YEAR, YEAR, NEVER, "y");
    all = bothIso(all, "year_month", MONTH, MONTH, NEVER, "y-M");
    all = bothIso(all, "year_month_day", DAY, DAY, NEVER, "y-M-d");
    all = bothIso(all, "date", DAY, DAY, NEVER, "y-M-d");
    all = bothIso(all, "date_hour", HOUR, HOUR, NEVER, "y-M-dTH");
    all = bothIso(all, "date_hour_minute", MINUTE, MINUTE, NEVER, "y-M-dTH:m");
    all = bothIso(all, "date_hour_minute_second", SECOND, SECOND, NEVER, "y-M-dTH:m:s");
    all =
        bothIso(all, "date_hour_minute_second_fraction", FRACTION, FRACTION, NEVER, "y-M-dTH:m:sf");
    all = bothIso(all, "date_hour_minute_second_millis", FRACTION, FRACTION, NEVER, "y-M-dTH:m:sf");
    all = bothIso(all, "date_time", SECOND, FRACTION, ALWAYS, "y-M-dTH:m:s[f]z");
    all = bothIso(all, "date_time_no_millis", SECOND, SECOND, ALWAYS, "y-M-dTH:m:sz");
    all = both(all, "hour", "H");
    all = both(all, "hour_minute", "H:m");
    all = both(all, "hour_minute_second", "H:m:s");
    all = both(all, "hour_minute_second_fraction", "H:m:sf");
    all = both(all, "hour_minute_second_millis", "H:m:sf");
    all = both(all, "time", "H:m:s[f]z");
    all = both(all, "time_no_millis", "H:m:sz");
    all = both(all, "t_time", "TH:m:s[f]z");
    all = both(all, "t_time_no_millis", "TH:m:sz");
    all = both(all, "ordinal_date", "y-D");
    all = both(all, "ordinal_date_time", "y-DTH:m:s[f]z");
    all = both(all, "ordinal_date_time_no_millis", "y-DTH:m:sz");
    all = both(all, "week_date", "x-Ww-e");
    all = both(all, "week_date_time", "x-Ww-eTH:m:s[f]z");
    all = both(all, "week_date_time_no_millis", "x-Ww-eTH:m:sz");
    all = both(all, "weekyear", "x");
    all = both(all, "weekyear_week", "x-Ww");
    all = both(all, "weekyear_week_day", "x-Ww-e");
    return all;
  }

  private static Supplier<DateForm> basic(String notation) {
    return () -> Notation.form(notation, true);
  }

  private static Supplier<DateForm> iso(
      int least, int most, IsoForm.Zone zone, String notation, boolean isStrict) {
    return () -> new IsoForm(least, most, zone, Notation.form(notation, isStrict), isStrict);
  }

  /// Reads all digits, and writes milliseconds: only names that end in `_nanos` write more.
  private static Supplier<DateForm> milli(Supplier<DateForm> form) {
    return () -> new MilliForm(form.get());
  }

  private record MilliForm(DateForm inner) implements DateForm {
    @Override
    public long parse(byte[] utf8, int offset, int length, Reading reading) {
      return inner.parse(utf8, offset, length, reading);
    }

    @Override
    public String format(ZonedDateTime time) {
      return inner.format(time.truncatedTo(ChronoUnit.MILLIS));
    }
  }

  private static Registry<Supplier<DateForm>> both(
      Registry<Supplier<DateForm>> all, String name, String notation) {
    boolean isBasic = name.startsWith("basic_");
    return all.with("strict_" + name, () -> Notation.form(notation, true))
        .with(name, () -> Notation.form(notation, isBasic));
  }

  private static Registry<Supplier<DateForm>> bothIso(
      Registry<Supplier<DateForm>> all,
      String name,
      int least,
      int most,
      IsoForm.Zone zone,
      String notation) {
    return all.with("strict_" + name, milli(iso(least, most, zone, notation, true)))
        .with(name, milli(iso(least, most, zone, notation, false)));
  }
}
