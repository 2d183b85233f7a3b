package dev.holdfast.query.parse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.query.request.Collapse;
import dev.holdfast.query.request.SearchExtras;
import dev.holdfast.query.sort.SortSpec;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.util.List;

/// What a search cannot ask for beside what else it asks for.
final class SearchChecks {
  private SearchChecks() {}

  /// @throws Refusal for what cannot be shown of hits
  static void requireShowable(ObjectNode given, StoredFieldsRequest stored) {
    JsonNode shown = given.get("_source");
    boolean isDisabled = stored.isNone();
    if (isDisabled && given.hasNonNull("fields")) {
      throw validation("[stored_fields] cannot be disabled when using the [fields] option");
    }
    if (isDisabled && shown != null && asksForSource(shown)) {
      throw validation("[stored_fields] cannot be disabled if [_source] is requested");
    }
  }

  /// @throws Refusal for what hits cannot be sorted by
  static void requireSortable(ObjectNode given, SearchExtras extras, List<SortSpec> sorts) {
    Collapse collapse = extras.collapse();
    if (!extras.rescores().isEmpty() && !sorts.isEmpty()) {
      throw Refusal.badArgument("Cannot use [sort] option in conjunction with [rescore].");
    }
    if (collapse != null && given.has("search_after")) {
      boolean isSortedByGroup =
          sorts.size() == 1 && sorts.getFirst().field().equals(collapse.field());
      if (!isSortedByGroup) {
        throw Refusal.badArgument(
            "Cannot use [collapse] in conjunction with [search_after] unless the search is sorted"
                + " on the same field. Multiple sort fields are not allowed.");
      }
    }
  }

  private static boolean asksForSource(JsonNode shown) {
    return !shown.isBoolean() || shown.booleanValue();
  }

  static Refusal validation(String fault) {
    return new Refusal(ErrorType.ACTION_REQUEST_VALIDATION, "Validation Failed: 1: " + fault + ";");
  }
}
