package dev.holdfast.query.aggregation.bucket.series;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.document.MappedField;
import dev.holdfast.document.ValueFormat;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.aggregation.column.BoundField;
import dev.holdfast.query.aggregation.column.TermFilter;
import dev.holdfast.query.aggregation.column.TermNumbers;
import dev.holdfast.query.aggregation.kernel.KeyCollecting;
import dev.holdfast.query.aggregation.kernel.KeySet;
import dev.holdfast.query.source.ColumnValues;
import dev.holdfast.world.Json;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.util.BytesRef;

/// The series of one shard by number, and what their dimensions are: those of the first document
/// that was seen of each.
final class SeriesKeys {
  /// What a key takes beside its bytes.
  private static final int KEY_BYTES = 48;

  private final QueryContext context;
  private final TermNumbers numbers;
  private final Map<String, ValueFormat> dimensions = new TreeMap<>();

  /// Dimensions as JSON, by number.
  private final List<BytesRef> keys = new ArrayList<>();

  SeriesKeys(BoundField series, String name, QueryContext context) {
    this.context = context;
    this.numbers = new TermNumbers(series, TermFilter.ALL, name, context);
    for (MappedField field : context.mapping().fields()) {
      if (field.type().isDimension()) {
        dimensions.put(field.path(), field.type().format(null, null));
      }
      for (String key : field.type().dimensionKeys()) {
        String path = field.path() + "." + key;
        MappedField keyed = context.mapping().field(path);
        if (keyed != null) {
          dimensions.put(path, keyed.type().format(null, null));
        }
      }
    }
  }

  KeyCollecting.Keys open(LeafReaderContext segment) throws IOException {
    KeyCollecting.Keys series = numbers.open(segment);
    return (doc, into) -> {
      series.read(doc, into);
      see(segment, doc, into);
    };
  }

  private void see(LeafReaderContext segment, int doc, KeySet found) throws IOException {
    if (found.size() > 0 && found.get(0) == keys.size()) {
      BytesRef key = key(segment, doc);
      context.memory().add(KEY_BYTES + key.length);
      keys.add(key);
    }
  }

  /// The bytes of a series are no use to people, and dimensions tell series apart as well.
  private BytesRef key(LeafReaderContext segment, int doc) throws IOException {
    ObjectNode key = Json.object();
    for (Map.Entry<String, ValueFormat> dimension : dimensions.entrySet()) {
      String path = dimension.getKey();
      List<Object> values = ColumnValues.of(context, segment, doc, path, dimension.getValue());
      if (values.size() == 1) {
        key.set(path, json(values.getFirst()));
      } else if (!values.isEmpty()) {
        ArrayNode several = key.putArray(path);
        values.forEach(value -> several.add(json(value)));
      }
    }
    return new BytesRef(Json.bytes(key));
  }

  private static JsonNode json(Object value) {
    return Json.MAPPER.valueToTree(value);
  }

  BytesRef key(long number) {
    return keys.get((int) number);
  }
}
