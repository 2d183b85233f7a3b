package dev.holdfast.document.field;

import dev.holdfast.document.MetadataFields;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;

/// The `exists` of fields that have neither doc values nor norms: their names are terms.
public final class FieldNames {
  private FieldNames() {}

  public static Query exists(String field) {
    return new ConstantScoreQuery(new TermQuery(new Term(MetadataFields.FIELD_NAMES, field)));
  }
}
