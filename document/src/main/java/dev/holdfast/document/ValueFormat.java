package dev.holdfast.document;

import com.fasterxml.jackson.databind.JsonNode;
import org.apache.lucene.util.BytesRef;

/// How values of a field are shown (sort values, aggregation keys, `key_as_string`) and read back
/// (`search_after`, `missing`, `include`). Numeric kinds answer for longs and doubles, ordinal
/// kinds for terms; the other calls are broken promises.
public interface ValueFormat {
  /// The number that the 64 bits of a doc value mean: dates are milliseconds (nanoseconds for
  /// date_nanos).
  double toDouble(long docValue);

  /// The doc value as JSON shows it in `sort` and `key`: Long, Double or Boolean-as-Long for
  /// numeric kinds.
  Object toKey(long docValue);

  /// The doc value as text: a formatted date, `true`, `1.5`.
  String toText(long docValue);

  /// A metric or bucket key computed from this field's numbers (an average of dates) as text.
  String toText(double number);

  /// A term as text: UTF-8, or an address.
  String toText(BytesRef term);

  /// The doc value that a JSON value stands for.
  ///
  /// @param roundUp whether a date that leaves parts out, or rounds (`||/d`), means its last
  ///   instant
  long toDocValue(JsonNode value, boolean roundUp, long nowMillis);

  /// The term that a JSON value stands for.
  BytesRef toTerm(JsonNode value);

  /// Whether `key_as_string` is shown beside numeric keys: dates, booleans, and any kind with an
  /// explicit pattern.
  boolean showsText();
}
