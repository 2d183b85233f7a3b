package dev.holdfast.query.parse;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.query.QueryReader;
import dev.holdfast.world.Refusal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The `stored_fields` of a search.
///
/// @param isNone `_none_` is asked for: hits without their source and metadata
/// @param names of fields; `_source` is none of them
record StoredFieldsRequest(boolean isNone, List<String> names) {
  private static final String NONE = "_none_";

  /// @param given a name, a list of names or `_none_`, in a list or not; null when absent
  /// @throws Refusal where `_none_` is one of several, and for what are no names
  static StoredFieldsRequest of(@Nullable JsonNode given) {
    List<String> names = new ArrayList<>();
    if (given != null && given.isArray()) {
      for (JsonNode name : given) {
        if (name.isContainerNode()) {
          throw Refusal.badArgument("[stored_fields] expected text but found " + name);
        }
        names.add(name.asText());
      }
    } else if (given != null && given.isTextual()) {
      names.add(given.asText());
    } else if (given != null) {
      throw QueryReader.parsing(
          "Expected [VALUE_STRING] or [START_ARRAY] in [stored_fields] but found [" + given + "]");
    }
    if (!names.contains(NONE)) {
      names.remove("_source");
      return new StoredFieldsRequest(false, List.copyOf(names));
    }
    if (names.size() > 1) {
      throw Refusal.badArgument("cannot combine _none_ with other fields");
    }
    return new StoredFieldsRequest(true, List.of());
  }
}
