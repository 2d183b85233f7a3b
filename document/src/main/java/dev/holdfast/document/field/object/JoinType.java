package dev.holdfast.document.field.object;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.FieldColumns;
import dev.holdfast.document.FieldType;
import dev.holdfast.document.Relations;
import dev.holdfast.document.ValuesKind;
import dev.holdfast.document.column.ColumnTypes;
import dev.holdfast.document.field.FieldContext;
import dev.holdfast.document.field.FieldParameters;
import dev.holdfast.document.field.FieldParameters.Change;
import dev.holdfast.document.field.ParameterizedField;
import dev.holdfast.document.field.TermText;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.FieldExistsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermInSetQuery;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TermRangeQuery;
import org.jspecify.annotations.Nullable;

/// `join`: relates documents of one shard as parents and children. The kind of a document is a
/// keyword; the ids of the parents of each kind are a field of their own (`f#kind`).
public final class JoinType implements ParameterizedField {
  private final FieldParameters parameters;
  private final Relations relations;
  private final @Nullable String parentKind;

  public JoinType(FieldParameters parameters, FieldContext context) {
    this.parameters = parameters;
    JsonNode json = parameters.any("relations", Change.ALLOWED);
    parameters.bool("eager_global_ordinals", true, Change.ALLOWED);
    parameters.done();
    SortedMap<String, List<String>> children = new TreeMap<>();
    if (json != null) {
      json.properties()
          .forEach(relation -> children.put(relation.getKey(), kinds(relation.getValue())));
    }
    relations = new Relations(children);
    parentKind = null;
  }

  /// The field of the ids of parents of one kind.
  private JoinType(JoinType join, String parentKind) {
    parameters = join.parameters;
    relations = join.relations;
    this.parentKind = parentKind;
  }

  private static List<String> kinds(JsonNode json) {
    List<String> kinds = new ArrayList<>();
    if (json.isArray()) {
      json.forEach(kind -> kinds.add(kind.asText()));
    } else {
      kinds.add(json.asText());
    }
    return kinds;
  }

  @Override
  public FieldParameters parameters() {
    return parameters;
  }

  @Override
  public SortedMap<String, FieldType> parts() {
    SortedMap<String, FieldType> ids = new TreeMap<>();
    if (parentKind == null) {
      relations.children().keySet().forEach(kind -> ids.put("#" + kind, new JoinType(this, kind)));
    }
    return ids;
  }

  @Override
  public @Nullable Relations relations() {
    return parentKind == null ? relations : null;
  }

  @Override
  public boolean readsObjects() {
    return true;
  }

  @Override
  public FieldColumns newColumns(String field) {
    return new JoinColumns(
        parameters.field(),
        field,
        parentKind == null
            ? ColumnTypes.terms(IndexOptions.DOCS, true, false)
            : ColumnTypes.singleTerms(),
        relations,
        parentKind);
  }

  @Override
  public boolean isSearchable() {
    return true;
  }

  @Override
  public ValuesKind values() {
    return ValuesKind.KEYWORD;
  }

  @Override
  public Query termQuery(String field, JsonNode value, long nowMillis) {
    return new TermQuery(new Term(field, TermText.of(value)));
  }

  @Override
  public Query termsQuery(String field, List<JsonNode> values, long nowMillis) {
    return new TermInSetQuery(field, values.stream().map(TermText::of).toList());
  }

  @Override
  public Query rangeQuery(String field, Range range, long nowMillis) {
    return new TermRangeQuery(
        field,
        TermText.orNull(range.from()),
        TermText.orNull(range.to()),
        range.from() == null || range.isFromInclusive(),
        range.to() == null || range.isToInclusive());
  }

  @Override
  public Query existsQuery(String field) {
    return new FieldExistsQuery(field);
  }

  @Override
  public boolean hasTerms() {
    return true;
  }
}
