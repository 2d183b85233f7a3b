package dev.holdfast.api.indices.settings;

import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.world.Refusal;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// What the settings of an index say of its lifecycle policy.
///
/// @param settings flat
public record LifecycleSettings(Map<String, Object> settings) {
  public static final String NAME = "index.lifecycle.name";
  public static final String INDEXING_COMPLETE = "index.lifecycle.indexing_complete";

  private static final String ORIGINATION_DATE = "index.lifecycle.origination_date";
  private static final String PARSE_ORIGINATION_DATE = "index.lifecycle.parse_origination_date";
  private static final String ROLLOVER_ALIAS = "index.lifecycle.rollover_alias";
  public static final String PREFER_ILM = "index.lifecycle.prefer_ilm";
  private static final String SKIP = "index.lifecycle.skip";

  /// Those that mean nothing without a policy. The others say what the index is, for the next one
  /// and for the lifecycle of its stream.
  public static final Set<String> OF_POLICY = Set.of(NAME, ROLLOVER_ALIAS, SKIP);

  /// A date in the name of an index, before an optional number.
  private static final Pattern DATED = Pattern.compile("^.*-(\\d{4}\\.\\d{2}\\.\\d{2})(-[\\d]+)?$");

  private static final DateTimeFormatter DAY =
      DateTimeFormatter.ofPattern("uuuu.MM.dd", Locale.ROOT);

  /// The lines of the table of settings.
  static IndexSetting.Table declared(IndexSetting.Table table) {
    String reader = "LifecycleSettings";
    return table
        .read(NAME, true, ValueCheck.TEXT, reader)
        .read(ROLLOVER_ALIAS, true, ValueCheck.TEXT, reader)
        .read(INDEXING_COMPLETE, true, ValueCheck.BOOL, reader)
        .read(ORIGINATION_DATE, true, ValueCheck.whole(-1, Long.MAX_VALUE), reader)
        .read(PARSE_ORIGINATION_DATE, true, ValueCheck.BOOL, reader)
        .read(PREFER_ILM, true, ValueCheck.BOOL, reader)
        .read(SKIP, true, ValueCheck.BOOL, reader);
  }

  public static LifecycleSettings of(IndexMetadata index) {
    return new LifecycleSettings(index.settings());
  }

  /// The name of the policy; null for none.
  public @Nullable String policy() {
    String name = text(NAME, "");
    return name.isEmpty() ? null : name;
  }

  /// The alias that a rollover moves on; empty for none.
  public String rolloverAlias() {
    return text(ROLLOVER_ALIAS, "");
  }

  /// Whether nobody writes to the index any more, so that it need not be rolled over.
  public boolean isIndexingComplete() {
    return is(INDEXING_COMPLETE, false);
  }

  /// Whether the policy wins where the data stream has a lifecycle too.
  public boolean prefersPolicy() {
    return is(PREFER_ILM, true);
  }

  /// Whether the policy is not to be followed for now.
  public boolean isSkipped() {
    return is(SKIP, false);
  }

  /// What the age of the index is counted from, milliseconds; -1 when no setting says it.
  ///
  /// @param index its name
  public long originationMillis(String index) {
    long given = originationMillis();
    return given >= 0 || !is(PARSE_ORIGINATION_DATE, false) ? given : parsed(index);
  }

  /// The same, whatever its name says: data streams count so.
  public long originationMillis() {
    return Long.parseLong(text(ORIGINATION_DATE, "-1"));
  }

  /// @throws Refusal `illegal_argument_exception` when the date is to be in the name of the index
  ///   and is not
  public void requireDate(String index) {
    if (is(PARSE_ORIGINATION_DATE, false)) {
      long _ = parsed(index);
    }
  }

  private static long parsed(String index) {
    Matcher dated = DATED.matcher(index);
    if (!dated.matches()) {
      throw Refusal.badArgument(
          "index name [" + index + "] does not match pattern '" + DATED.pattern() + "'");
    }
    try {
      return LocalDate.parse(dated.group(1), DAY)
          .atStartOfDay(ZoneOffset.UTC)
          .toInstant()
          .toEpochMilli();
    } catch (DateTimeException e) {
      throw Refusal.badArgument(
          "failed to parse date field [" + dated.group(1) + "] with format [uuuu.MM.dd]");
    }
  }

  private boolean is(String name, boolean whenAbsent) {
    return text(name, Boolean.toString(whenAbsent)).equals("true");
  }

  private String text(String name, String whenAbsent) {
    Object value = settings.get(name);
    return value == null || value instanceof List<?> || value instanceof IndexSettings.Reset
        ? whenAbsent
        : value.toString();
  }
}
