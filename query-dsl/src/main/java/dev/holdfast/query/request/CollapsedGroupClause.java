package dev.holdfast.query.request;

import dev.holdfast.document.FieldType;
import dev.holdfast.query.QueryClause;
import dev.holdfast.query.QueryContext;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.document.SortedNumericDocValuesField;
import org.apache.lucene.document.SortedSetDocValuesField;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/// A search's documents with one value of the field that is collapsed on.
///
/// @param group Long or BytesRef; null for documents without a value
record CollapsedGroupClause(
    QueryClause query, @Nullable QueryClause filter, String field, @Nullable Object group)
    implements QueryClause {
  @Override
  public Query toLucene(QueryContext context) {
    BooleanQuery.Builder all = new BooleanQuery.Builder();
    all.add(query.toLucene(context), Occur.MUST);
    if (filter != null) {
      all.add(filter.toLucene(context), Occur.FILTER);
    }
    String path = context.path(field);
    switch (group) {
      case Long number ->
          all.add(SortedNumericDocValuesField.newSlowExactQuery(path, number), Occur.FILTER);
      case BytesRef term ->
          all.add(SortedSetDocValuesField.newSlowExactQuery(path, term), Occur.FILTER);
      case null, default -> {
        FieldType type = context.type(field);
        if (type != null) {
          all.add(type.existsQuery(path), Occur.MUST_NOT);
        }
      }
    }
    return all.build();
  }

  @Override
  public List<QueryClause> children() {
    List<QueryClause> children = new ArrayList<>();
    children.add(query);
    if (filter != null) {
      children.add(filter);
    }
    return children;
  }
}
