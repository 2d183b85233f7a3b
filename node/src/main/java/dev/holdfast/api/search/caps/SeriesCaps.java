package dev.holdfast.api.search.caps;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.document.FieldType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a field is to the time series of an index; other indices have neither dimensions nor
/// metrics, whatever their mappings say.
///
/// @param metric null for none
record SeriesCaps(boolean isDimension, @Nullable String metric) {
  static final SeriesCaps NONE = new SeriesCaps(false, null);

  static SeriesCaps of(FieldType type) {
    return new SeriesCaps(type.isDimension() || !type.dimensionKeys().isEmpty(), type.metric());
  }

  /// Writes what all indices agree on.
  ///
  /// @param caps of one type, at least one
  static void write(ObjectNode to, List<FieldCap.Of> caps) {
    if (caps.stream().allMatch(one -> one.cap().series().isDimension)) {
      to.put("time_series_dimension", true);
    }
    String metric = caps.getFirst().cap().series().metric;
    if (metric != null && !isConflict(caps)) {
      to.put("time_series_metric", metric);
    }
  }

  /// Whether indices say different metrics.
  static boolean isConflict(List<FieldCap.Of> caps) {
    return caps.stream().map(one -> one.cap().series().metric).distinct().count() > 1;
  }
}
