package dev.holdfast.api.search;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.document.FieldType;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
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
  /// @param caps by index
  static void write(ObjectNode to, Map<String, SeriesCaps> caps) {
    if (caps.values().stream().allMatch(SeriesCaps::isDimension)) {
      to.put("time_series_dimension", true);
    }
    String metric = caps.values().iterator().next().metric;
    if (metric != null && !isConflict(caps)) {
      to.put("time_series_metric", metric);
    }
  }

  /// Writes the indices that do not agree.
  static void writeConflicts(ObjectNode to, Map<String, SeriesCaps> caps) {
    List<String> others =
        caps.keySet().stream()
            .filter(index -> !Objects.requireNonNull(caps.get(index)).isDimension)
            .toList();
    if (!others.isEmpty() && others.size() < caps.size()) {
      ArrayNode indices = to.putArray("non_dimension_indices");
      others.forEach(indices::add);
    }
    if (isConflict(caps)) {
      ArrayNode indices = to.putArray("metric_conflicts_indices");
      new TreeSet<>(caps.keySet()).forEach(indices::add);
    }
  }

  private static boolean isConflict(Map<String, SeriesCaps> caps) {
    return caps.values().stream().map(SeriesCaps::metric).distinct().count() > 1;
  }
}
