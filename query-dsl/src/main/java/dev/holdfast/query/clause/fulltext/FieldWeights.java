package dev.holdfast.query.clause.fulltext;

import dev.holdfast.document.FieldType;
import dev.holdfast.query.QueryContext;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.text.Wildcards;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The fields that `["title^2", "name.*"]` means for one index.
///
/// @param boosts by path of the field, in the order of the request: an alias is what it stands for
/// @param isLenient whether all fields were meant: then values that don't fit a field are passed
///   over
public record FieldWeights(Map<String, Float> boosts, boolean isLenient) {
  /// @param patterns empty for the index's default fields
  public static FieldWeights resolve(QueryContext context, List<String> patterns) {
    List<String> used = patterns.isEmpty() ? context.mapping().limits().defaultFields() : patterns;
    Map<String, Float> boosts = new LinkedHashMap<>();
    boolean isLenient = false;
    for (String pattern : used) {
      int caret = pattern.indexOf('^');
      String name = caret < 0 ? pattern : pattern.substring(0, caret);
      float boost = caret < 0 ? 1 : boost(pattern, caret);
      isLenient |= name.equals("*");
      if (Wildcards.isPattern(name)) {
        for (String field : context.mapping().matching(name)) {
          if (isForText(context.type(field))) {
            boosts.merge(context.path(field), boost, (a, b) -> a * b);
          }
        }
      } else {
        boosts.merge(context.path(name), boost, (a, b) -> a * b);
      }
    }
    return new FieldWeights(boosts, isLenient);
  }

  /// The fields of a request that names each of them once: what it says last of one counts.
  static List<String> named(List<String> patterns) {
    Map<String, String> last = new LinkedHashMap<>();
    for (String pattern : patterns) {
      int caret = pattern.indexOf('^');
      last.put(caret < 0 ? pattern : pattern.substring(0, caret), pattern);
    }
    return List.copyOf(last.values());
  }

  private static boolean isForText(@org.jspecify.annotations.Nullable FieldType type) {
    return type != null
        && type.isSearchable()
        && (type.hasTerms() || type.values().isNumeric() || type.values().hasOrdinals());
  }

  private static float boost(String pattern, int caret) {
    try {
      return Float.parseFloat(pattern.substring(caret + 1));
    } catch (NumberFormatException e) {
      throw new Refusal(
          ErrorType.NUMBER_FORMAT, "For input string: \"" + pattern.substring(caret + 1) + "\"", e);
    }
  }
}
