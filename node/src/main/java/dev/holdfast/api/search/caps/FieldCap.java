package dev.holdfast.api.search.caps;

import java.util.List;

/// What a field can do in one index.
///
/// @param type its family: `keyword` for all that are found as keywords are
record FieldCap(
    String type,
    boolean isMetadata,
    boolean isSearchable,
    boolean isAggregatable,
    SeriesCaps series) {
  /// Of indices that do not have the field.
  static final FieldCap UNMAPPED = new FieldCap("unmapped", false, false, false, SeriesCaps.NONE);

  /// What a field can do in some indices.
  ///
  /// @param indices in the order that was asked for
  record Of(FieldCap cap, List<String> indices) {}
}
