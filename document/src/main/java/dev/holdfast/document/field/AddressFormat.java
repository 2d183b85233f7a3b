package dev.holdfast.document.field;

import com.fasterxml.jackson.databind.JsonNode;
import org.apache.lucene.util.BytesRef;

/// Terms that are addresses of 16 bytes.
final class AddressFormat implements TermFormat {
  static final AddressFormat PLAIN = new AddressFormat();

  private AddressFormat() {}

  @Override
  public String toText(BytesRef term) {
    return Addresses.text(term.bytes, term.offset);
  }

  @Override
  public BytesRef toTerm(JsonNode value) {
    return new BytesRef(Addresses.parse(value.asText()));
  }
}
