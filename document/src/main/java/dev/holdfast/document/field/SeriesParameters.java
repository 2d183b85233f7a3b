package dev.holdfast.document.field;

import dev.holdfast.document.field.FieldParameters.Change;
import dev.holdfast.world.Refusal;
import java.util.List;

/// What a field is to time series: a dimension, by which series are told apart, or a metric, which
/// is measured. Both are read from doc values and never change.
public final class SeriesParameters {
  public static final String DIMENSION = "time_series_dimension";
  public static final String DIMENSIONS = "time_series_dimensions";
  public static final String METRIC = "time_series_metric";

  private static final List<String> NUMBERS = List.of("gauge", "counter");
  private static final List<String> SUMMARIES = List.of("gauge");
  private static final List<String> PLACES = List.of("position");

  private SeriesParameters() {}

  /// Reads whether a field is a dimension.
  ///
  /// @throws Refusal when it cannot be one
  public static boolean dimension(FieldParameters parameters, boolean hasDocValues) {
    boolean isDimension = parameters.bool(DIMENSION, false, Change.FIXED);
    if (isDimension && !hasDocValues) {
      throw Refusal.badArgument("Field [" + DIMENSION + "] requires that [doc_values] is true");
    }
    return isDimension;
  }

  /// Reads what a number measures, and that it is no dimension then.
  ///
  /// @throws Refusal when it cannot be a metric
  public static void numberMetric(FieldParameters parameters, boolean hasDocValues) {
    boolean isDimension = dimension(parameters, hasDocValues);
    if (metric(parameters, NUMBERS, hasDocValues) && isDimension) {
      throw Refusal.badArgument(
          "Field [" + DIMENSION + "] cannot be set in conjunction with field [" + METRIC + "]");
    }
  }

  /// Reads whether a place is the position of something.
  ///
  /// @throws Refusal when it cannot be a metric
  public static void placeMetric(FieldParameters parameters, boolean hasDocValues) {
    boolean _ = metric(parameters, PLACES, hasDocValues);
  }

  /// Reads whether what several measurements come to is a metric.
  ///
  /// @throws Refusal when it cannot be one
  public static void summaryMetric(FieldParameters parameters) {
    boolean _ = metric(parameters, SUMMARIES, true);
  }

  private static boolean metric(
      FieldParameters parameters, List<String> choices, boolean hasDocValues) {
    String metric = parameters.string(METRIC, Change.FIXED);
    if (metric == null) {
      return false;
    }
    if (!choices.contains(metric)) {
      throw FieldParameters.mapperParsing(
          "Unknown value ["
              + metric
              + "] for field ["
              + METRIC
              + "] - accepted values are "
              + choices);
    }
    if (!hasDocValues) {
      throw Refusal.badArgument("Field [" + METRIC + "] requires that [doc_values] is true");
    }
    return true;
  }

  /// Reads which keys of a `flattened` field are dimensions.
  ///
  /// @param isWhole whether every value has a term and a doc value
  /// @throws Refusal when they cannot be
  public static List<String> keys(FieldParameters parameters, boolean isWhole) {
    List<String> keys = parameters.texts(DIMENSIONS, Change.FIXED);
    if (!keys.isEmpty() && !isWhole) {
      throw Refusal.badArgument(
          "Field [" + DIMENSIONS + "] requires that [index] and [doc_values] are true");
    }
    if (!keys.isEmpty() && parameters.has("ignore_above")) {
      throw Refusal.badArgument(
          "Field [ignore_above] cannot be set in conjunction with field [" + DIMENSIONS + "]");
    }
    return keys;
  }
}
