package dev.holdfast.document.field.keyword;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.field.TermFormat;
import org.apache.lucene.util.BytesRef;

/// Terms that are encoded versions.
final class VersionFormat implements TermFormat {
  static final VersionFormat PLAIN = new VersionFormat();

  private VersionFormat() {}

  @Override
  public String toText(BytesRef term) {
    return Versions.decode(term);
  }

  @Override
  public BytesRef toTerm(JsonNode value) {
    return Versions.encode(value.asText());
  }
}
