package dev.holdfast.document.mapping;

import dev.holdfast.document.FieldType;
import dev.holdfast.document.Mapping;
import dev.holdfast.document.TimeSeries;
import dev.holdfast.document.mapping.tree.LeafMapping;
import dev.holdfast.document.mapping.tree.MappingNode;
import dev.holdfast.document.mapping.tree.ObjectMapping;
import dev.holdfast.document.series.SeriesReader;
import dev.holdfast.world.Refusal;
import java.util.List;
import java.util.SortedMap;

/// Where dimensions of time series may be in a mapping, and how many.
final class DimensionRules {
  private static final String LIMIT = "index.mapping.dimension_fields.limit";
  private static final long LIMIT_BY_DEFAULT = 32_768;

  private DimensionRules() {}

  /// @param settings flat index settings
  /// @throws Refusal `illegal_argument_exception`
  static void check(ObjectMapping root, SortedMap<String, Object> settings) {
    Object given = settings.get(LIMIT);
    long limit = given == null ? LIMIT_BY_DEFAULT : Long.parseLong(given.toString());
    if (count(root, root.isNested()) > limit) {
      throw Refusal.badArgument(
          "Limit of total dimension fields [" + limit + "] has been exceeded");
    }
  }

  /// In an index of time series, fields that route are dimensions.
  ///
  /// @throws Refusal `illegal_argument_exception`
  static <M extends Mapping> M routed(M mapping, SortedMap<String, Object> settings) {
    List<String> paths = TimeSeries.is(settings) ? TimeSeries.paths(settings) : List.of();
    for (String path : paths) {
      if (mapping.isObject(path)) {
        throw Refusal.badArgument(
            "All fields that match routing_path must be flattened fields. ["
                + path
                + "] was [object].");
      }
    }
    String other = TimeSeries.is(settings) ? SeriesReader.notDimension(mapping, paths) : null;
    if (other != null) {
      throw Refusal.badArgument(
          "All fields that match routing_path must be configured with [time_series_dimension:"
              + " true] or flattened fields with a list of dimensions in [time_series_dimensions]"
              + " and without the [script] parameter. ["
              + other
              + "] was not a dimension.");
    }
    return mapping;
  }

  private static long count(ObjectMapping object, boolean isNested) {
    long dimensions = 0;
    for (MappingNode member : object.members().values()) {
      dimensions +=
          switch (member) {
            case ObjectMapping inner -> count(inner, isNested || inner.isNested());
            case LeafMapping leaf -> count(leaf, isNested);
          };
    }
    return dimensions;
  }

  private static long count(LeafMapping leaf, boolean isNested) {
    long dimensions = of(leaf.type());
    for (LeafMapping field : leaf.fields().values()) {
      dimensions += of(field.type());
    }
    if (dimensions > 0 && isNested) {
      throw Refusal.badArgument(
          "time_series_dimension can't be configured in nested field [" + leaf.path() + "]");
    }
    return dimensions;
  }

  private static int of(FieldType type) {
    return (type.isDimension() ? 1 : 0) + type.dimensionKeys().size();
  }
}
