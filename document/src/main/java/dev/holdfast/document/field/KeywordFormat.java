package dev.holdfast.document.field;

import com.fasterxml.jackson.databind.JsonNode;
import org.apache.lucene.util.BytesRef;

/// Terms that are UTF-8 text.
public final class KeywordFormat implements TermFormat {
  public static final KeywordFormat PLAIN = new KeywordFormat();

  private KeywordFormat() {}

  @Override
  public String toText(BytesRef term) {
    return term.utf8ToString();
  }

  @Override
  public BytesRef toTerm(JsonNode value) {
    return new BytesRef(value.asText());
  }
}
