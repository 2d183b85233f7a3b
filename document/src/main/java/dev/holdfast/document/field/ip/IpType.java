package dev.holdfast.document.field.ip;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.FieldColumns;
import dev.holdfast.document.ValueFormat;
import dev.holdfast.document.ValuesKind;
import dev.holdfast.document.column.ColumnTypes;
import dev.holdfast.document.field.FieldContext;
import dev.holdfast.document.field.FieldNames;
import dev.holdfast.document.field.FieldParameters;
import dev.holdfast.document.field.FieldParameters.Change;
import dev.holdfast.document.field.ParameterizedField;
import dev.holdfast.document.field.PointColumns;
import dev.holdfast.document.field.QueryFaults;
import dev.holdfast.document.field.SeriesParameters;
import dev.holdfast.document.field.TermText;
import dev.holdfast.document.scan.JsonValue;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.time.ZoneId;
import java.util.List;
import java.util.function.Supplier;
import org.apache.lucene.search.FieldExistsQuery;
import org.apache.lucene.search.Query;
import org.jspecify.annotations.Nullable;

/// `ip`: addresses of both families as points and sorted-set doc values of 16 bytes.
public final class IpType implements ParameterizedField {
  private final FieldParameters parameters;
  private final boolean isIndexed;
  private final boolean hasDocValues;
  private final boolean ignoresMalformed;
  private final byte @Nullable [] nullValue;

  public IpType(FieldParameters parameters, FieldContext context) {
    this.parameters = parameters;
    isIndexed = parameters.bool("index", true, Change.FIXED);
    hasDocValues = parameters.bool("doc_values", true, Change.FIXED);
    ignoresMalformed =
        parameters.bool(
            "ignore_malformed",
            context.flag("index.mapping.ignore_malformed", false),
            Change.ALLOWED);
    String whenNull = parameters.string("null_value", Change.FIXED);
    nullValue = whenNull == null ? null : Addresses.parse(whenNull);
    parameters.bool("store", false, Change.FIXED);
    boolean _ = SeriesParameters.dimension(parameters, hasDocValues);
    parameters.done();
  }

  private static void read(JsonValue value, byte[] to) {
    TermText.requireScalar(value);
    if (!Addresses.parse(value.bytes(), value.offset(), value.length(), to)) {
      throw Addresses.notAnAddress(value.text());
    }
  }

  @Override
  public FieldParameters parameters() {
    return parameters;
  }

  @Override
  public FieldColumns newColumns(String field) {
    return new PointColumns(
        field,
        ColumnTypes.points(1, Addresses.BYTES, isIndexed, hasDocValues),
        isSearchable(),
        Addresses.BYTES,
        IpType::read,
        nullValue,
        value -> ignoresMalformed && value.kind() != JsonValue.Kind.OBJECT);
  }

  @Override
  public boolean isSearchable() {
    return isIndexed || hasDocValues;
  }

  @Override
  public boolean needsFieldName() {
    return !hasDocValues && (isIndexed || isStored());
  }

  @Override
  public boolean isRebuilt() {
    return true;
  }

  @Override
  public ValuesKind values() {
    return hasDocValues ? ValuesKind.IP : ValuesKind.NONE;
  }

  @Override
  public ValueFormat format(@Nullable String pattern, @Nullable ZoneId zone) {
    if (pattern != null) {
      throw QueryFaults.noFormat(typeName(), parameters.field());
    }
    return AddressFormat.PLAIN;
  }

  private AddressQueries queries(String field) {
    if (!isSearchable()) {
      throw QueryFaults.notSearchable(field);
    }
    return new AddressQueries(field, isIndexed, hasDocValues);
  }

  /// An address, or a network: `10.0.0.0/8`.
  @Override
  public Query termQuery(String field, JsonNode value, long nowMillis) {
    return refusing(() -> queries(field).term(value.asText()));
  }

  @Override
  public Query termsQuery(String field, List<JsonNode> values, long nowMillis) {
    return refusing(() -> queries(field).terms(values.stream().map(JsonNode::asText).toList()));
  }

  @Override
  public Query rangeQuery(String field, Range range, long nowMillis) {
    JsonNode from = range.from();
    JsonNode to = range.to();
    return refusing(() ->
        queries(field)
            .range(
                from == null ? null : Addresses.parse(from.asText()),
                range.isFromInclusive(),
                to == null ? null : Addresses.parse(to.asText()),
                range.isToInclusive()));
  }

  private static Query refusing(Supplier<Query> query) {
    try {
      return query.get();
    } catch (Refusal e) {
      throw e.type() == ErrorType.QUERY_SHARD ? e : QueryFaults.noQuery(e);
    }
  }

  @Override
  public Query existsQuery(String field) {
    return hasDocValues ? new FieldExistsQuery(field) : FieldNames.exists(field);
  }
}
