package dev.holdfast.document.field;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.scan.JsonValue;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.util.Arrays;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/// Terms of values: checks that Lucene can hold them, and reads those of queries.
public final class TermText {
  private static final int PREFIX_SHOWN = 30;

  private TermText() {}

  /// @throws Refusal when the term is longer than Lucene's limit of 32766 bytes
  public static void checkLength(String field, byte[] bytes, int offset, int length) {
    if (length > IndexWriter.MAX_TERM_LENGTH) {
      String shown = Arrays.toString(Arrays.copyOfRange(bytes, offset, offset + PREFIX_SHOWN));
      throw Refusal.badArgument(
          "Document contains at least one immense term in field=\""
              + field
              + "\" (whose UTF8 encoding is longer than the max length "
              + IndexWriter.MAX_TERM_LENGTH
              + "), all of which were skipped. Please correct the analyzer to not produce such"
              + " terms. The prefix of the first immense term is: '"
              + shown
              + "...', original message: bytes can be at most "
              + IndexWriter.MAX_TERM_LENGTH
              + " in length; got "
              + length);
    }
  }

  /// Refuses objects and arrays, which have no text.
  public static void requireScalar(JsonValue value) {
    if (value.kind() == JsonValue.Kind.OBJECT || value.kind() == JsonValue.Kind.ARRAY) {
      throw new Refusal(ErrorType.ILLEGAL_STATE, "Can't get text on a START_" + value.kind());
    }
  }

  public static BytesRef of(JsonNode value) {
    return new BytesRef(value.asText());
  }

  public static @Nullable BytesRef orNull(@Nullable JsonNode value) {
    return value == null ? null : of(value);
  }
}
