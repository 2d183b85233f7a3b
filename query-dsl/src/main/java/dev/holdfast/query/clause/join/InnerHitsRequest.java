package dev.holdfast.query.clause.join;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.query.QueryClause;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.request.InnerHitMembers;
import dev.holdfast.query.request.SearchSource;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The `inner_hits` of a `nested`, `has_child` or `has_parent` query.
///
/// @param name null for the path or kind
/// @param search without a query
public record InnerHitsRequest(@Nullable String name, SearchSource search) {
  private static final int SIZE_DEFAULT = 3;

  /// @param read reads a search body
  /// @return null when absent
  public static @Nullable InnerHitsRequest parse(
      @Nullable JsonNode given, Function<ObjectNode, SearchSource> read) {
    if (given == null || given.isNull()) {
      return null;
    }
    JsonObject options = JsonObject.ofKinds("inner_hits", given);
    InnerHitMembers.requireKnown(options);
    String name = options.string("name");
    boolean _ = options.bool("ignore_unmapped", false);
    ObjectNode body = options.node().deepCopy();
    body.remove(List.of("name", "ignore_unmapped"));
    if (!body.has("size")) {
      body.put("size", SIZE_DEFAULT);
    }
    return new InnerHitsRequest(name, read.apply(body));
  }

  /// The search for what is inside.
  public SearchSource search(QueryClause query) {
    return search.asking(query);
  }

  void checkWindow(QueryContext context, String shownName) {
    int window = search.from() + search.size();
    int max = context.mapping().limits().innerWindowMax();
    if (window > max) {
      throw Refusal.badArgument(
          "Inner result window is too large, the inner hit definition's ["
              + shownName
              + "]'s from + size must be less than or equal to: ["
              + max
              + "] but was ["
              + window
              + "]. This limit can be set by changing the [index.max_inner_result_window] index"
              + " level setting.");
    }
  }
}
