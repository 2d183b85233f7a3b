package dev.holdfast.document.field;

import dev.holdfast.document.FieldType.Range;
import dev.holdfast.world.text.Wildcards;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;

/// Queries on values that all documents share.
public final class ConstantQueries {
  private ConstantQueries() {}

  public static Query match(boolean matches) {
    return matches ? MatchAllDocsQuery.INSTANCE : new MatchNoDocsQuery("constant differs");
  }

  /// Whether `value` equals `wanted`, in which `*` stands for any text.
  public static boolean like(String value, String wanted) {
    return wanted.indexOf('*') < 0 ? value.equals(wanted) : Wildcards.matches(wanted, value);
  }

  public static boolean isIn(String value, Range range) {
    int from = range.from() == null ? 1 : value.compareTo(range.from().asText());
    int to = range.to() == null ? -1 : value.compareTo(range.to().asText());
    return (from > 0 || (from == 0 && range.isFromInclusive()))
        && (to < 0 || (to == 0 && range.isToInclusive()));
  }
}
