package dev.holdfast.document.field;

import dev.holdfast.document.TimeSeries;
import dev.holdfast.document.analysis.Analysis;
import java.util.SortedMap;
import org.apache.lucene.analysis.Analyzer;
import org.jspecify.annotations.Nullable;

/// What a field type may know of its index: analysis, and settings that are defaults of parameters.
///
/// @param settings flat index settings
public record FieldContext(Analysis analysis, SortedMap<String, Object> settings) {
  /// Set where documents are indexed again that were indexed once, and by nobody else.
  public static final String LENIENT = "index.mapping.lenient";

  /// Whether fields that have no `ignore_malformed` ignore what is malformed, too.
  public boolean isLenient() {
    return flag(LENIENT, false);
  }

  public boolean flag(String setting, boolean whenAbsent) {
    Object value = settings.get(setting);
    return value == null ? whenAbsent : Boolean.parseBoolean(value.toString());
  }

  /// Whether a field of numbers does without points: in an index of logs or time series documents
  /// lie in the order of their times, so that the least and greatest values of ranges of documents
  /// find them as well.
  public boolean isSkipped(String field) {
    return field.equals("@timestamp") && TimeSeries.isByTime(settings);
  }

  /// Whether texts have norms where their mapping does not say.
  public boolean hasNorms() {
    return !TimeSeries.isCompact(settings);
  }

  public int number(String setting, int whenAbsent) {
    Object value = settings.get(setting);
    return value == null ? whenAbsent : Integer.parseInt(value.toString());
  }

  /// @param name null or `default` for the index's default
  public Analyzer analyzer(@Nullable String name) {
    if (name == null || name.equals("default")) {
      return analysis.defaultAnalyzer();
    }
    Analyzer analyzer = analysis.analyzer(name);
    if (analyzer == null) {
      throw FieldParameters.mapperParsing(
          "analyzer [" + name + "] has not been configured in mappings");
    }
    return analyzer;
  }
}
