package dev.holdfast.query;

import java.util.List;

/// What is shown of each hit besides its source.
///
/// @param withId whether `_id` and its kin are shown: false after `stored_fields: _none_`
/// @param fields values as mapped, read from the source
/// @param docValueFields values as their columns hold them
public record HitParts(
    boolean withId,
    boolean withVersion,
    boolean withSeqNo,
    boolean withExplanation,
    List<FieldRequest> fields,
    List<FieldRequest> docValueFields) {
  static final HitParts PLAIN = new HitParts(true, false, false, false, List.of(), List.of());

  /// A field, or a pattern of fields, to be shown.
  ///
  /// @param format null for the field's own
  public record FieldRequest(String pattern, @org.jspecify.annotations.Nullable String format) {}
}
