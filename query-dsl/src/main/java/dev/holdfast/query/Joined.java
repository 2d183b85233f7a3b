package dev.holdfast.query;

import dev.holdfast.document.FieldType;
import dev.holdfast.document.MappedField;
import dev.holdfast.document.Relations;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;
import org.jspecify.annotations.Nullable;

/// What the queries over parents and children need to know of an index.
///
/// @param field the index's `join` field
public record Joined(String field, Relations relations) {
  /// @return null when the index has no `join` field
  public static @Nullable Joined of(QueryContext context) {
    for (MappedField field : context.mapping().fields()) {
      FieldType type = field.type();
      Relations relations = type.relations();
      if (relations != null && field.path().indexOf('#') < 0) {
        return new Joined(field.path(), relations);
      }
    }
    return null;
  }

  /// Documents of one kind.
  public Query kind(String kind) {
    return new TermQuery(new Term(field, kind));
  }

  /// Lucene's field of the ids of the parents of one kind.
  public String ids(String parentKind) {
    return field + "#" + parentKind;
  }

  static Refusal unknown(String query, String kind) {
    return new Refusal(
        ErrorType.QUERY_SHARD,
        "[" + query + "] no join field has been configured for [" + kind + "]");
  }
}
