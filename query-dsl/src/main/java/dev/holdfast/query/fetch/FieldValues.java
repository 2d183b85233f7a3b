package dev.holdfast.query.fetch;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.FieldType;
import dev.holdfast.document.MetadataFields;
import dev.holdfast.document.ValueFormat;
import dev.holdfast.document.ValuesKind;
import dev.holdfast.document.field.vector.PackedVector;
import dev.holdfast.document.mapping.LookupType;
import dev.holdfast.document.runtime.RuntimeColumn;
import dev.holdfast.document.runtime.RuntimeReader;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.request.HitParts;
import dev.holdfast.query.request.HitParts.FieldRequest;
import dev.holdfast.query.source.ColumnValues;
import dev.holdfast.query.source.FetchedField;
import dev.holdfast.query.source.FetchedFields;
import dev.holdfast.query.source.SourceValues;
import dev.holdfast.query.source.StoredDocument;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.text.Wildcards;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/// The `fields`, `docvalue_fields` and `stored_fields` of hits.
final class FieldValues {
  /// Fields that every document has, and that are shown when they are named.
  private static final Set<String> METADATA = Set.of("_id", "_index", "_version", "_ignored");

  /// Those that are never shown.
  private static final Set<String> INTERNAL =
      Set.of("_seq_no", "_source", "_field_names", "_nested_path");

  /// Types whose values have but one form.
  private static final Set<String> UNFORMATTED =
      Set.of(
          "boolean",
          "byte",
          "double",
          "float",
          "half_float",
          "integer",
          "ip",
          "keyword",
          LookupType.NAME,
          "long",
          "match_only_text",
          "short",
          "text",
          "unsigned_long",
          "wildcard");

  private final QueryContext context;

  /// Fields read from the columns of the index.
  private final Map<String, ValueFormat> columns = new LinkedHashMap<>();

  /// Runtime fields: read from the source of each hit, which costs less than their columns.
  private final Map<String, ValueFormat> runtime = new LinkedHashMap<>();

  /// Fields read from `_source`.
  private final FetchedFields sourced;

  /// Fields read from what `_source` held when it was written, whatever is shown of it.
  private final Map<String, FetchedField> stored = new LinkedHashMap<>();

  private final Map<String, PackedVector> vectors = new LinkedHashMap<>();
  private final List<String> places = new ArrayList<>();
  private final Set<String> metadata = new LinkedHashSet<>();
  private final LookupFields lookups;

  /// Values that every document has.
  private final Map<String, String> constants = new LinkedHashMap<>();

  /// Runtime fields of points that a script makes.
  private final List<FieldRequest> scriptedPlaces = new ArrayList<>();

  /// Patterns that members of `_source` without a mapping may match.
  private final List<String> unmappedPatterns = new ArrayList<>();

  FieldValues(QueryContext context, HitParts parts) {
    this.context = context;
    this.sourced = new FetchedFields(context, null);
    this.lookups = new LookupFields(context);
    parts.docValueFields().forEach(this::addDocValues);
    parts.fields().forEach(this::addField);
    parts.storedFields().forEach(this::addStored);
    requireFew(parts.docValueFields());
  }

  /// One request of `docvalue_fields`.
  private void addDocValues(FieldRequest request) {
    for (String field : context.mapping().matching(request.pattern())) {
      FieldType type = context.type(field);
      if (type != null && ColumnValues.areShown(type.values())) {
        (type.isRuntime() ? runtime : columns).put(field, type.format(request.format(), null));
      } else if (type != null && type.values() == ValuesKind.GEO_POINT) {
        if (request.format() != null) {
          throw Refusal.badArgument(
              "Field [" + field + "] of type [geo_point] does not support custom formats");
        }
        places.add(field);
      } else if (type != null && type.isConstant()) {
        addConstant(field, type);
      } else if (type != null && type.vectors() != null) {
        vectors.put(field, PackedVector.of(type.vectors()));
      } else {
        throw Refusal.badArgument(
            "Can't load fielddata on ["
                + field
                + "] because fielddata is unsupported on fields of this type. Use doc values"
                + " instead.");
      }
    }
  }

  private void addConstant(String field, FieldType type) {
    constants.computeIfAbsent(field, _ -> type.constant());
  }

  /// One request of `fields`.
  private void addField(FieldRequest request) {
    String name = request.pattern();
    if (INTERNAL.contains(name)) {
      throw Refusal.badArgument(
          "error fetching [" + name + "]: Cannot fetch values for internal field [" + name + "].");
    }
    if (METADATA.contains(name)) {
      metadata.add(name);
    }
    for (String field : context.mapping().matching(request.pattern())) {
      FieldType type = context.type(field);
      requireFormat(request, field, type);
      if (type instanceof LookupType lookup) {
        lookups.add(field, lookup);
      } else if (type != null && type.scripted() != null && type.values() == ValuesKind.GEO_POINT) {
        scriptedPlaces.add(new FieldRequest(field, request.format(), false));
      } else if (type != null && type.isRuntime() && type.values() != ValuesKind.GEO_POINT) {
        runtime.put(field, type.format(request.format(), null));
      } else if (type != null
          && type.constant() != null
          && !METADATA.contains(field)
          && context.mapping().nestedScope(field) == null) {
        addConstant(field, type);
      } else if (context.mapping().scripts().containsKey(field)) {
        addMade(field, Objects.requireNonNull(type), request);
      } else if (type == null || !type.isDerived()) {
        sourced.add(field, new FetchedField(context, field, request.format()));
      } else if (type.values() != ValuesKind.NONE) {
        columns.put(field, type.format(request.format(), null));
      }
    }
    if (request.withUnmapped()) {
      unmappedPatterns.add(request.pattern());
    }
  }

  /// A field whose values a script made when the document was indexed: the source has none.
  private void addMade(String field, FieldType type, FieldRequest request) {
    if (type.values() == ValuesKind.GEO_POINT) {
      places.add(field);
    } else if (type.values() != ValuesKind.NONE) {
      columns.put(field, type.format(request.format(), null));
    }
  }

  /// One pattern of `stored_fields`.
  private void addStored(String pattern) {
    for (String field : context.mapping().matching(pattern)) {
      FieldType type = context.type(field);
      if (type != null && type.toJson().path("store").asBoolean(false)) {
        stored.put(field, new FetchedField(context, field, null));
      }
    }
  }

  private void requireFew(List<FieldRequest> docValueFields) {
    int max = context.mapping().limits().docValueFieldsMax();
    if (docValueFields.size() > max) {
      throw Refusal.badArgument(
          "Trying to retrieve too many docvalue_fields. Must be less than or equal to: ["
              + max
              + "] but was ["
              + docValueFields.size()
              + "]. This limit can be set by changing the [index.max_docvalue_fields_search] index"
              + " level setting.");
    }
  }

  /// Numbers, texts and the like are shown as they are.
  private static void requireFormat(FieldRequest request, String field, @Nullable FieldType type) {
    if (request.format() != null && type != null && UNFORMATTED.contains(type.typeName())) {
      throw Refusal.badArgument(
          "error fetching ["
              + field
              + "]: Field ["
              + field
              + "] of type ["
              + type.typeName()
              + "] doesn't support formats.");
    }
  }

  /// Whether something must be read from the source.
  boolean readsSource() {
    return !sourced.isEmpty()
        || !stored.isEmpty()
        || !vectors.isEmpty()
        || !runtime.isEmpty()
        || !scriptedPlaces.isEmpty()
        || !lookups.isEmpty()
        || !unmappedPatterns.isEmpty();
  }

  /// @param root the document itself, which has the metadata; `doc` unless that is a nested object
  /// @param source null when not read
  /// @param storedTree what fields with `store` are read from
  /// @param ignored takes the values of `fields` that these do not have, by field
  Map<String, List<Object>> of(
      LeafReaderContext leaf,
      int doc,
      int root,
      @Nullable JsonNode source,
      @Nullable JsonNode storedTree,
      Map<String, List<Object>> ignored)
      throws IOException {
    if (columns.isEmpty() && constants.isEmpty() && places.isEmpty() && !readsSource()) {
      return Map.of();
    }
    Map<String, List<Object>> values = new LinkedHashMap<>();
    if (storedTree != null) {
      for (Map.Entry<String, PackedVector> vector : vectors.entrySet()) {
        put(values, vector.getKey(), SourceValues.vectors(storedTree, vector));
      }
      for (Map.Entry<String, FetchedField> field : stored.entrySet()) {
        put(values, field.getKey(), field.getValue().of(storedTree, new ArrayList<>()));
      }
    }
    constants.forEach((field, constant) -> put(values, field, List.of(constant)));
    for (String field : places) {
      put(values, field, ColumnValues.places(context, leaf, doc, field));
    }
    if (source != null) {
      sourced.addTo(values, ignored, source);
      addRuntime(values, source, leaf, doc);
      addScriptedPlaces(values, leaf, doc);
      lookups.addTo(values, leaf, doc, root, source);
      if (!unmappedPatterns.isEmpty()) {
        addUnmapped(source, "", values);
      }
    }
    // What `fields` shows of a field goes before its doc values.
    for (Map.Entry<String, ValueFormat> field : columns.entrySet()) {
      if (!values.containsKey(field.getKey())) {
        int holder = field.getKey().startsWith("_") ? root : doc;
        put(
            values,
            field.getKey(),
            ColumnValues.of(context, leaf, holder, field.getKey(), field.getValue()));
      }
    }
    return values;
  }

  /// The values with those of metadata fields that were asked for.
  ///
  /// @param root the document itself, in the leaf
  Map<String, List<Object>> withMetadata(
      Map<String, List<Object>> values,
      StoredDocument document,
      LeafReaderContext leaf,
      int root,
      List<String> ignored)
      throws IOException {
    if (metadata.isEmpty()) {
      return values;
    }
    Map<String, List<Object>> all = new LinkedHashMap<>(values);
    for (String field : metadata) {
      List<Object> found = new ArrayList<>();
      switch (field) {
        case "_id" -> addPresent(found, document.id());
        case "_index" -> found.add(context.index());
        case "_version" -> {
          NumericDocValues versions = DocValues.getNumeric(leaf.reader(), MetadataFields.VERSION);
          if (versions.advanceExact(root)) {
            found.add(versions.longValue());
          }
        }
        default -> found.addAll(ignored);
      }
      put(all, field, found);
    }
    return all;
  }

  private static void addPresent(List<Object> found, @Nullable String value) {
    if (value != null) {
      found.add(value);
    }
  }

  private void addScriptedPlaces(Map<String, List<Object>> values, LeafReaderContext leaf, int doc)
      throws IOException {
    for (FieldRequest request : scriptedPlaces) {
      String field = request.pattern();
      FieldType type = Objects.requireNonNull(context.type(field));
      RuntimeColumn column = RuntimeReader.one(leaf.reader(), doc, context.path(field), type);
      put(values, field, ColumnValues.shapes(column.numbers(), "wkt".equals(request.format())));
    }
  }

  private void addRuntime(
      Map<String, List<Object>> values, JsonNode source, LeafReaderContext leaf, int doc) {
    byte[] bytes = runtime.isEmpty() ? new byte[0] : Json.bytes(source);
    for (Map.Entry<String, ValueFormat> field : runtime.entrySet()) {
      String path = context.path(field.getKey());
      FieldType type = Objects.requireNonNull(context.type(path));
      RuntimeColumn column =
          type.scripted() == null
              ? RuntimeColumn.ofDocument(path, type, bytes)
              : RuntimeReader.one(leaf.reader(), doc, path, type);
      try {
        put(
            values,
            field.getKey(),
            type.values().hasOrdinals()
                ? ColumnValues.texts(column.repeatedTerms(), 0, field.getValue())
                : ColumnValues.numbers(column.numbers(), 0, type, field.getValue()));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /// The value of a group as it is shown.
  List<Object> group(FieldType type, @Nullable Object group) {
    ValueFormat format = type.format(null, null);
    List<Object> values = new ArrayList<>();
    if (group instanceof Long number) {
      values.add(ColumnValues.shown(type, format, number));
    } else if (group instanceof BytesRef term) {
      values.add(format.toText(term));
    }
    return values;
  }

  private void addUnmapped(JsonNode node, String path, Map<String, List<Object>> values) {
    if (node.isObject()) {
      String prefix = path.isEmpty() ? "" : path + ".";
      node.properties()
          .forEach(member -> addUnmapped(member.getValue(), prefix + member.getKey(), values));
    } else if (node.isArray()) {
      node.forEach(element -> addUnmapped(element, path, values));
    } else if (!node.isNull()
        && context.type(path) == null
        && unmappedPatterns.stream().anyMatch(pattern -> Wildcards.matches(pattern, path))) {
      values.computeIfAbsent(path, _ -> new ArrayList<>()).add(node);
    }
  }

  /// Names of the fields whose value was ignored.
  List<String> ignored(LeafReaderContext leaf, int doc) throws IOException {
    Terms terms = leaf.reader().terms(MetadataFields.IGNORED);
    List<String> ignored = new ArrayList<>();
    if (terms == null) {
      return ignored;
    }
    TermsEnum names = terms.iterator();
    for (BytesRef name = names.next(); name != null; name = names.next()) {
      if (names.postings(null, PostingsEnum.NONE).advance(doc) == doc) {
        ignored.add(name.utf8ToString());
      }
    }
    return ignored;
  }

  private static void put(Map<String, List<Object>> values, String field, List<Object> found) {
    if (!found.isEmpty()) {
      values.put(field, found);
    }
  }
}
