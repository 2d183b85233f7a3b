package dev.holdfast.document.field.date;

import dev.holdfast.document.field.FieldParameters;
import dev.holdfast.document.field.FieldParameters.Change;
import java.util.Locale;

/// The `locale` of a date field: in which language its format names months and days.
public final class DateLocale {
  /// The language of a field that names none.
  private static final String WHEN_ABSENT = "en";

  private static final String NONE = "ROOT";

  private DateLocale() {}

  /// Reads `locale` of a mapping, English where it has none.
  public static Locale of(FieldParameters parameters) {
    return parse(parameters.string("locale", WHEN_ABSENT, Change.FIXED));
  }

  /// @param text language, country and variant (`de`, `de_AT`, `de-AT`), or `ROOT`
  static Locale parse(String text) {
    if (text.equalsIgnoreCase(NONE)) {
      return Locale.ROOT;
    }
    String[] parts = text.split("[-_]", 3);
    return Locale.of(parts[0], parts.length > 1 ? parts[1] : "", parts.length > 2 ? parts[2] : "");
  }
}
