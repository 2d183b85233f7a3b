package dev.holdfast.query.clause.join;

import dev.holdfast.document.FieldType;
import dev.holdfast.document.MappedField;
import dev.holdfast.document.Relations;
import dev.holdfast.query.QueryContext;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;
import org.jspecify.annotations.Nullable;

/// What the queries over parents and children need to know of an index.
///
/// @param field the index's `join` field
public record JoinField(String field, Relations relations) {
  /// @return null when the index has no `join` field
  public static @Nullable JoinField of(QueryContext context) {
    for (MappedField field : context.mapping().fields()) {
      FieldType type = field.type();
      Relations relations = type.relations();
      if (relations != null && field.path().indexOf('#') < 0) {
        return new JoinField(field.path(), relations);
      }
    }
    return null;
  }

  /// Documents of one kind.
  public Query kind(String kind) {
    return new TermQuery(new Term(field, kind));
  }

  /// Documents of one kind that match a query, and its scores.
  Query kind(String kind, Query query) {
    return new BooleanQuery.Builder().add(query, Occur.MUST).add(kind(kind), Occur.FILTER).build();
  }

  /// Lucene's field of the ids of the parents of one kind.
  public String ids(String parentKind) {
    return field + "#" + parentKind;
  }

  /// Refuses a query about a kind that the index does not have on the side asked for.
  ///
  /// @param joined null when the index has no `join` field
  /// @param side `child` or `parent`
  static Refusal unknown(@Nullable JoinField joined, String query, String kind, String side) {
    return new Refusal(
        ErrorType.QUERY_SHARD,
        joined == null
            ? "[" + query + "] no join field has been configured"
            : "["
                + query
                + "] join field ["
                + joined.field
                + "] doesn't hold ["
                + kind
                + "] as a "
                + side);
  }
}
