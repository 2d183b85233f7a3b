package dev.holdfast.query.sort;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.NestedDocuments;
import dev.holdfast.query.QueryClause;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.QueryReader;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.MemberLocation;
import dev.holdfast.world.Refusal;
import java.util.Objects;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.join.QueryBitSetProducer;
import org.apache.lucene.search.join.ToChildBlockJoinQuery;
import org.jspecify.annotations.Nullable;

/// The `nested` member of a sort: which nested objects the values are taken from.
///
/// @param filter null for all of the path
/// @param childrenMax how many objects of a document are looked at
/// @param deeper objects inside of these, which have the values; null when these have
record NestedSort(
    String path, @Nullable QueryClause filter, int childrenMax, @Nullable NestedSort deeper) {

  static @Nullable NestedSort parse(@Nullable JsonNode json, QueryReader queries) {
    if (json == null || json.isNull()) {
      return null;
    }
    JsonObject body = JsonObject.of("nested", json);
    String path = body.string("path");
    JsonNode filter = body.take("filter");
    if (json.path("max_children").isNull()) {
      throw new Refusal(
              ErrorType.X_CONTENT_PARSE,
              "Current token (VALUE_NULL) not numeric, can not use numeric value accessors")
          .at(MemberLocation.ofValue(body.node(), "max_children"));
    }
    int max = body.integer("max_children", Integer.MAX_VALUE);
    NestedSort deeper = parse(body.take("nested"), queries);
    body.done();
    if (path == null) {
      throw Refusal.badArgument("Required [path]");
    }
    return new NestedSort(path, filter == null ? null : queries.read(filter), max, deeper);
  }

  /// Refuses a sort without `nested` by what lies in nested objects: no document has its values, so
  /// that all would be equal.
  static void requireNone(String field, QueryContext context) {
    String path = context.mapping().nestedScope(field);
    while (path != null && !path.equals(context.scope())) {
      if (!context.mapping().isInRoot(path)) {
        throw new Refusal(
            ErrorType.QUERY_SHARD,
            "it is mandatory to set the [nested] context on the nested sort field: ["
                + field
                + "].");
      }
      path = context.mapping().nestedScope(path);
    }
  }

  /// The objects of one index, in the objects or documents that are sorted.
  NestedChildren bind(QueryContext context) {
    Query objects = null;
    String outer = null;
    int max = Integer.MAX_VALUE;
    for (NestedSort level = this; level != null; level = level.deeper) {
      if (!context.mapping().isNested(level.path)) {
        throw new Refusal(
            ErrorType.QUERY_SHARD,
            "[nested] failed to find nested object under path [" + level.path + "]");
      }
      BooleanQuery.Builder all = new BooleanQuery.Builder();
      all.add(NestedDocuments.of(level.path), Occur.FILTER);
      if (level.filter != null) {
        all.add(level.filter.toLucene(context.within(level.path)), Occur.FILTER);
      }
      if (objects != null) {
        all.add(
            new ToChildBlockJoinQuery(objects, new QueryBitSetProducer(NestedDocuments.of(outer))),
            Occur.FILTER);
      }
      objects = all.build();
      outer = level.path;
      max = Math.min(max, level.childrenMax);
    }
    return new NestedChildren(
        new QueryBitSetProducer(NestedDocuments.of(context.scope())),
        new QueryBitSetProducer(Objects.requireNonNull(objects)),
        max);
  }
}
