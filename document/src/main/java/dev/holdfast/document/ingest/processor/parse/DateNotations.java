package dev.holdfast.document.ingest.processor.parse;

import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.MissingResourceException;
import java.util.concurrent.ConcurrentHashMap;

/// The forms in which a processor reads dates, each made when a document first needs it: making one
/// takes many times as long as reading a date, and which are needed, documents may say.
final class DateNotations {
  /// Documents may name any language; beyond so many all are made anew.
  private static final int MADE_MAX = 256;

  private final Map<Key, DateNotation> made = new ConcurrentHashMap<>();

  private record Key(String format, Locale locale) {}

  DateNotation of(String format, Locale locale) {
    Key key = new Key(format, locale);
    DateNotation known = made.get(key);
    if (known == null) {
      known = DateNotation.of(format, locale);
      if (made.size() >= MADE_MAX) {
        made.clear();
      }
      made.put(key, known);
    }
    return known;
  }

  /// Reads a date in the first of some formats that can.
  ///
  /// @param zone of dates that name none
  /// @throws Refusal `illegal_argument_exception` when none can
  Instant read(String text, List<String> formats, Locale locale, ZoneId zone, long nowMillis) {
    Refusal last = null;
    for (String format : formats) {
      try {
        return of(format, locale).read(text, zone, nowMillis);
      } catch (Refusal e) {
        last = e;
      }
    }
    throw new Refusal(ErrorType.ILLEGAL_ARGUMENT, "unable to parse date [" + text + "]", last);
  }

  /// A language, and perhaps a country: `de`, `de-CH`, `de_CH`; `root` for none.
  ///
  /// @throws Refusal `illegal_argument_exception` for one that there is not
  static Locale locale(String name) {
    if (name.isEmpty() || name.equalsIgnoreCase("root")) {
      return Locale.ROOT;
    }
    Locale locale = Locale.forLanguageTag(name.replace('_', '-'));
    try {
      String _ = locale.getISO3Country();
      if (!locale.getISO3Language().isEmpty()) {
        return locale;
      }
    } catch (MissingResourceException e) {
      throw new Refusal(ErrorType.ILLEGAL_ARGUMENT, unknown(name), e);
    }
    throw Refusal.badArgument(unknown(name));
  }

  private static String unknown(String locale) {
    return "Unknown language or country: [" + locale + "]";
  }
}
