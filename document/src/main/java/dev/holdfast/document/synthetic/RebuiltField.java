package dev.holdfast.document.synthetic;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.FloatNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.holdfast.document.FieldType;
import dev.holdfast.document.ValueFormat;
import dev.holdfast.document.ValuesKind;
import java.io.IOException;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.apache.lucene.geo.GeoEncodingUtils;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.util.BytesRef;

/// A field whose values are told from doc values: sorted, and once each where they are terms.
///
/// @param path of the field in documents
/// @param steps names of members that lead to it from the nested object (or document) that holds it
/// @param valuesPath the field that has the doc values: itself, or a keyword among its multi-fields
/// @param type of the field that has the doc values
/// @param others of the multi-fields have the values too; before a mapping changed, one of them may
///   have had them alone
record RebuiltField(
    String path, List<String> steps, String valuesPath, FieldType type, List<String> others) {
  /// Whether a kind's doc values say all that `_source` is to show of a field.
  static boolean isPossible(FieldType type) {
    return type.isRebuilt() && type.values() != ValuesKind.NONE;
  }

  /// Whether what was ignored (longer than `ignore_above`) stands before the doc values.
  boolean showsIgnoredFirst() {
    return !path.equals(valuesPath);
  }

  /// Whether what was ignored is shown in its own order.
  boolean sortsIgnored() {
    return type.values() != ValuesKind.KEYWORD;
  }

  List<JsonNode> read(LeafReader leaf, int doc) throws IOException {
    if (type.values().hasOrdinals()) {
      SortedSet<BytesRef> terms = new TreeSet<>(terms(leaf, valuesPath, doc));
      for (String other : others) {
        terms.addAll(terms(leaf, other, doc));
      }
      return terms.stream().map(type::rebuilt).toList();
    }
    return leaf.getFieldInfos().fieldInfo(valuesPath) == null ? List.of() : numbers(leaf, doc);
  }

  private static List<BytesRef> terms(LeafReader leaf, String field, int doc) throws IOException {
    if (leaf.getFieldInfos().fieldInfo(field) == null) {
      return List.of();
    }
    SortedSetDocValues values = DocValues.getSortedSet(leaf, field);
    List<BytesRef> read = new ArrayList<>();
    if (values.advanceExact(doc)) {
      for (int i = 0; i < values.docValueCount(); i++) {
        read.add(BytesRef.deepCopyOf(values.lookupOrd(values.nextOrd())));
      }
    }
    return read;
  }

  private List<JsonNode> numbers(LeafReader leaf, int doc) throws IOException {
    SortedNumericDocValues values = DocValues.getSortedNumeric(leaf, valuesPath);
    List<JsonNode> read = new ArrayList<>();
    if (values.advanceExact(doc)) {
      ValueFormat format = type.format(null, null);
      for (int i = 0; i < values.docValueCount(); i++) {
        read.add(json(format, values.nextValue()));
      }
    }
    return read;
  }

  private JsonNode json(ValueFormat format, long value) {
    return switch (type.values()) {
      case LONG -> LongNode.valueOf(value);
      case BOOLEAN -> BooleanNode.valueOf(value != 0);
      case DATE_MILLIS, DATE_NANOS -> TextNode.valueOf(format.toText(value));
      case DOUBLE, SCALED_FLOAT -> DoubleNode.valueOf(format.toDouble(value));
      case FLOAT, HALF_FLOAT -> FloatNode.valueOf((float) format.toDouble(value));
      case UNSIGNED_LONG -> unsigned(value);
      case GEO_POINT -> point(value);
      case KEYWORD, IP, RANGE, BINARY, NONE ->
          throw new IllegalStateException("no number [kind=" + type.values() + "]");
    };
  }

  private static JsonNode unsigned(long value) {
    long bits = value ^ Long.MIN_VALUE;
    return bits >= 0
        ? LongNode.valueOf(bits)
        : JsonNodeFactory.instance.numberNode(new BigInteger(Long.toUnsignedString(bits)));
  }

  private static JsonNode point(long value) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("lat", GeoEncodingUtils.decodeLatitude((int) (value >> 32)))
        .put("lon", GeoEncodingUtils.decodeLongitude((int) value));
  }
}
