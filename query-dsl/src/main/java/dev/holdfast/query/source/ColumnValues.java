package dev.holdfast.query.source;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.document.FieldType;
import dev.holdfast.document.ShapeText;
import dev.holdfast.document.TermValues;
import dev.holdfast.document.ValueFormat;
import dev.holdfast.document.ValuesKind;
import dev.holdfast.query.QueryContext;
import dev.holdfast.world.Json;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.geo.GeoEncodingUtils;
import org.apache.lucene.index.BinaryDocValues;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.index.SortedSetDocValues;
import org.jspecify.annotations.Nullable;

/// The values that columns of a document hold, as hits show them.
public final class ColumnValues {
  private ColumnValues() {}

  /// Whether columns of a kind hold numbers or terms, which [#of] shows.
  public static boolean areShown(ValuesKind kind) {
    return kind.isNumeric() || kind.hasOrdinals() || kind == ValuesKind.BINARY;
  }

  /// What a column of the index holds of a document.
  public static List<Object> of(
      QueryContext context, LeafReaderContext leaf, int doc, String field, ValueFormat format)
      throws IOException {
    FieldType type = context.type(field);
    String path = context.path(field);
    if (type != null && type.values() == ValuesKind.BINARY) {
      BinaryDocValues bytes = DocValues.getBinary(leaf.reader(), path);
      return bytes.advanceExact(doc) ? List.of(format.toText(bytes.binaryValue())) : List.of();
    }
    return type != null && type.values().hasOrdinals()
        ? texts(TermValues.of(leaf.reader(), path), doc, format)
        : numbers(DocValues.getSortedNumeric(leaf.reader(), path), doc, type, format);
  }

  public static List<Object> texts(SortedSetDocValues terms, int doc, ValueFormat format)
      throws IOException {
    List<Object> found = new ArrayList<>();
    int count = terms.advanceExact(doc) ? terms.docValueCount() : 0;
    for (int i = 0; i < count; i++) {
      found.add(format.toText(terms.lookupOrd(terms.nextOrd())));
    }
    return found;
  }

  public static List<Object> numbers(
      SortedNumericDocValues numbers, int doc, @Nullable FieldType type, ValueFormat format)
      throws IOException {
    List<Object> found = new ArrayList<>();
    int count = numbers.advanceExact(doc) ? numbers.docValueCount() : 0;
    for (int i = 0; i < count; i++) {
      found.add(shown(type, format, numbers.nextValue()));
    }
    return found;
  }

  /// One number as it is shown: a boolean, an instant, an address are numbers in the index.
  public static Object shown(@Nullable FieldType type, ValueFormat format, long docValue) {
    if (type != null && type.sourceValues() == ValuesKind.BOOLEAN) {
      return docValue == 1;
    }
    return format.showsText() ? format.toText(docValue) : format.toKey(docValue);
  }

  /// The points of a column of one document, as `fields` shows them.
  public static List<Object> shapes(SortedNumericDocValues points, boolean isWkt)
      throws IOException {
    List<Object> found = new ArrayList<>();
    int count = points.advanceExact(0) ? points.docValueCount() : 0;
    for (int i = 0; i < count; i++) {
      long encoded = points.nextValue();
      ObjectNode json = Json.object();
      json.putArray("coordinates")
          .add(GeoEncodingUtils.decodeLongitude((int) encoded))
          .add(GeoEncodingUtils.decodeLatitude((int) (encoded >> 32)));
      json.put("type", "Point");
      found.add(isWkt ? ShapeText.ofJson(json) : json);
    }
    return found;
  }

  /// Points as the index rounds them.
  public static List<Object> places(
      QueryContext context, LeafReaderContext leaf, int doc, String field) throws IOException {
    List<Object> found = new ArrayList<>();
    SortedNumericDocValues points = DocValues.getSortedNumeric(leaf.reader(), context.path(field));
    int count = points.advanceExact(doc) ? points.docValueCount() : 0;
    for (int i = 0; i < count; i++) {
      long encoded = points.nextValue();
      found.add(
          GeoEncodingUtils.decodeLatitude((int) (encoded >> 32))
              + ", "
              + GeoEncodingUtils.decodeLongitude((int) encoded));
    }
    return found;
  }
}
