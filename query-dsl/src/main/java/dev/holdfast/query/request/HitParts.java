package dev.holdfast.query.request;

import dev.holdfast.query.highlight.HighlightRequest;
import dev.holdfast.query.script.ScriptField;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What is shown of each hit besides its source.
///
/// @param withId whether `_id` and its kin are shown: false after `stored_fields: _none_`
/// @param fields values as mapped, read from the source
/// @param docValueFields values as their columns hold them
/// @param storedFields names of fields mapped with `store`
/// @param scriptFields values that scripts make
/// @param highlight null for none
public record HitParts(
    boolean withId,
    boolean withVersion,
    boolean withSeqNo,
    boolean withExplanation,
    List<FieldRequest> fields,
    List<FieldRequest> docValueFields,
    List<String> storedFields,
    List<ScriptField> scriptFields,
    @Nullable HighlightRequest highlight) {
  public static final HitParts PLAIN =
      new HitParts(true, false, false, false, List.of(), List.of(), List.of(), List.of(), null);

  /// The same with or without `_id` and its kin.
  public HitParts withIds(boolean shown) {
    return new HitParts(
        shown,
        withVersion,
        withSeqNo,
        withExplanation,
        fields,
        docValueFields,
        storedFields,
        scriptFields,
        highlight);
  }

  /// A field, or a pattern of fields, to be shown.
  ///
  /// @param format null for the field's own
  /// @param withUnmapped whether members that no field is mapped for are shown too
  public record FieldRequest(String pattern, @Nullable String format, boolean withUnmapped) {}
}
