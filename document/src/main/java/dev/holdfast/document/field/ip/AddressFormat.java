package dev.holdfast.document.field.ip;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.field.TermFormat;
import org.apache.lucene.util.BytesRef;

/// Terms that are addresses of 16 bytes.
public final class AddressFormat implements TermFormat {
  public static final AddressFormat PLAIN = new AddressFormat();

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
