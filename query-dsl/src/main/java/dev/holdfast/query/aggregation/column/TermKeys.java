package dev.holdfast.query.aggregation.column;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.holdfast.document.ValuesKind;
import dev.holdfast.query.aggregation.kernel.DisplayFormat;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.apache.lucene.util.BytesRef;

/// Keys of buckets that are values of a field, as answers show them.
public final class TermKeys {
  private static final long NANOS_PER_MILLI = 1_000_000;

  private TermKeys() {}

  /// `"key": …`, and `"key_as_string"` where values are shown as text.
  public static void write(Object key, DisplayFormat shown, JsonGenerator out) throws IOException {
    out.writeFieldName("key");
    writeValue(key, shown, out);
    if (!(key instanceof BytesRef) && shown.showsText()) {
      out.writeStringField("key_as_string", text(key, shown));
    }
  }

  /// The key alone.
  public static void writeValue(Object key, DisplayFormat shown, JsonGenerator out)
      throws IOException {
    switch (key) {
      case BytesRef term -> out.writeString(text(term, shown));
      case Double number -> out.writeNumber(number);
      case Long number -> {
        switch (shown.kind()) {
          case UNSIGNED_LONG -> out.writeNumber(Long.toUnsignedString(number ^ Long.MIN_VALUE));
          case DATE_NANOS -> out.writeNumber(Math.floorDiv(number, NANOS_PER_MILLI));
          default -> out.writeNumber(number);
        }
      }
      default -> throw new IllegalStateException("bucket key of " + key.getClass());
    }
  }

  public static String text(Object key, DisplayFormat shown) {
    return switch (key) {
      // Of an index that maps the field otherwise, or not at all: maybe no text.
      case BytesRef term when shown.kind().isNumeric() ->
          new String(term.bytes, term.offset, term.length, StandardCharsets.UTF_8);
      case BytesRef term -> shown.format().toText(term);
      case Long number -> shown.format().toText(number);
      case Double number when shown.kind() != ValuesKind.NONE && shown.showsText() ->
          shown.format().toText(number.doubleValue());
      default -> key.toString();
    };
  }
}
