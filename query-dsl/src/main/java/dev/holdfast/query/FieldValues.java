package dev.holdfast.query;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.FieldType;
import dev.holdfast.document.MetadataFields;
import dev.holdfast.document.ValueFormat;
import dev.holdfast.document.ValuesKind;
import dev.holdfast.query.HitParts.FieldRequest;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/// The `fields` and `docvalue_fields` of hits.
final class FieldValues {
  private final QueryContext context;
  private final Map<String, ValueFormat> columns = new LinkedHashMap<>();
  private final Map<String, @Nullable ValueFormat> sourced = new LinkedHashMap<>();

  FieldValues(QueryContext context, HitParts parts) {
    this.context = context;
    for (FieldRequest request : parts.docValueFields()) {
      for (String field : context.mapping().matching(request.pattern())) {
        FieldType type = context.type(field);
        if (type != null && (type.values().isNumeric() || type.values().hasOrdinals())) {
          columns.put(field, type.format(request.format(), null));
        } else if (!Wildcards.isPattern(request.pattern())) {
          throw Refusal.badArgument(
              "Can't load fielddata on ["
                  + field
                  + "] because fielddata is unsupported on fields of this type. Use doc values"
                  + " instead.");
        }
      }
    }
    for (FieldRequest request : parts.fields()) {
      for (String field : context.mapping().matching(request.pattern())) {
        FieldType type = context.type(field);
        sourced.put(
            field,
            type != null && type.values().isNumeric() ? type.format(request.format(), null) : null);
      }
    }
  }

  Map<String, List<Object>> of(LeafReaderContext leaf, int doc, byte @Nullable [] source)
      throws IOException {
    if (columns.isEmpty() && sourced.isEmpty()) {
      return Map.of();
    }
    Map<String, List<Object>> values = new LinkedHashMap<>();
    if (source != null && !sourced.isEmpty()) {
      JsonNode tree = Json.parse(source);
      for (Map.Entry<String, @Nullable ValueFormat> field : sourced.entrySet()) {
        put(values, field.getKey(), fromSource(tree, field.getKey(), field.getValue()));
      }
    }
    for (Map.Entry<String, ValueFormat> field : columns.entrySet()) {
      put(values, field.getKey(), fromColumn(leaf, doc, field.getKey(), field.getValue()));
    }
    return values;
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

  private List<Object> fromColumn(LeafReaderContext leaf, int doc, String field, ValueFormat format)
      throws IOException {
    List<Object> found = new ArrayList<>();
    FieldType type = context.type(field);
    if (type != null && type.values().hasOrdinals()) {
      SortedSetDocValues terms = DocValues.getSortedSet(leaf.reader(), field);
      int count = terms.advanceExact(doc) ? terms.docValueCount() : 0;
      for (int i = 0; i < count; i++) {
        found.add(format.toText(terms.lookupOrd(terms.nextOrd())));
      }
    } else {
      SortedNumericDocValues numbers = DocValues.getSortedNumeric(leaf.reader(), field);
      int count = numbers.advanceExact(doc) ? numbers.docValueCount() : 0;
      for (int i = 0; i < count; i++) {
        found.add(shown(type, format, numbers.nextValue()));
      }
    }
    return found;
  }

  private static Object shown(@Nullable FieldType type, ValueFormat format, long docValue) {
    if (type != null && type.values() == ValuesKind.BOOLEAN) {
      return docValue == 1;
    }
    return format.showsText() ? format.toText(docValue) : format.toKey(docValue);
  }

  private List<Object> fromSource(JsonNode tree, String field, @Nullable ValueFormat format) {
    List<JsonNode> nodes = new ArrayList<>();
    String path = field;
    collect(tree, path, nodes);
    while (nodes.isEmpty() && path.indexOf('.') > 0 && isMultiField(path)) {
      path = path.substring(0, path.lastIndexOf('.'));
      collect(tree, path, nodes);
    }
    List<Object> found = new ArrayList<>(nodes.size());
    FieldType type = context.type(field);
    for (JsonNode node : nodes) {
      if (node.isContainerNode()) {
        found.add(node);
      } else if (format == null) {
        found.add(node.asText());
      } else {
        found.add(shown(type, format, format.toDocValue(node, false, context.nowMillis())));
      }
    }
    return found;
  }

  /// Whether the path less its last step is a field itself.
  private boolean isMultiField(String path) {
    return context.type(path.substring(0, path.lastIndexOf('.'))) != null;
  }

  private static void collect(JsonNode node, String path, List<JsonNode> found) {
    if (node.isArray()) {
      node.forEach(element -> collect(element, path, found));
      return;
    }
    JsonNode whole = node.get(path);
    if (whole != null) {
      leaves(whole, found);
    }
    for (int dot = path.indexOf('.'); dot > 0; dot = path.indexOf('.', dot + 1)) {
      JsonNode inner = node.get(path.substring(0, dot));
      if (inner != null && inner.isContainerNode()) {
        collect(inner, path.substring(dot + 1), found);
      }
    }
  }

  private static void leaves(JsonNode node, List<JsonNode> found) {
    if (node.isArray()) {
      node.forEach(element -> leaves(element, found));
    } else if (!node.isNull()) {
      found.add(node);
    }
  }
}
