package dev.holdfast.query;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.io.SerializedString;
import com.fasterxml.jackson.core.json.JsonGeneratorImpl;
import dev.holdfast.world.Json;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/// Bytes that are JSON already, written as they are where the output is plain JSON.
final class RawJson {
  private RawJson() {}

  /// Writes one value.
  static void write(byte[] json, JsonGenerator out) throws IOException {
    if (out instanceof JsonGeneratorImpl && out.getPrettyPrinter() == null) {
      out.writeRawValue(new Bytes(json));
      return;
    }
    try (JsonParser parser = Json.MAPPER.createParser(json)) {
      parser.nextToken();
      out.copyCurrentStructure(parser);
    }
  }

  /// The only form in which Jackson takes bytes for a raw value.
  @SuppressWarnings("ArrayRecordComponent") // a carrier, never compared
  private record Bytes(byte[] json) implements SerializableString {
    @Override
    public String getValue() {
      return new String(json, StandardCharsets.UTF_8);
    }

    @Override
    public int charLength() {
      return getValue().length();
    }

    @Override
    public char[] asQuotedChars() {
      return new SerializedString(getValue()).asQuotedChars();
    }

    @Override
    public byte[] asUnquotedUTF8() {
      return json;
    }

    @Override
    public byte[] asQuotedUTF8() {
      return new SerializedString(getValue()).asQuotedUTF8();
    }

    @Override
    public int appendQuotedUTF8(byte[] buffer, int offset) {
      return new SerializedString(getValue()).appendQuotedUTF8(buffer, offset);
    }

    @Override
    public int appendQuoted(char[] buffer, int offset) {
      return new SerializedString(getValue()).appendQuoted(buffer, offset);
    }

    @Override
    public int appendUnquotedUTF8(byte[] buffer, int offset) {
      if (json.length > buffer.length - offset) {
        return -1;
      }
      System.arraycopy(json, 0, buffer, offset, json.length);
      return json.length;
    }

    @Override
    public int appendUnquoted(char[] buffer, int offset) {
      return new SerializedString(getValue()).appendUnquoted(buffer, offset);
    }

    @Override
    public int writeQuotedUTF8(OutputStream out) throws IOException {
      return new SerializedString(getValue()).writeQuotedUTF8(out);
    }

    @Override
    public int writeUnquotedUTF8(OutputStream out) throws IOException {
      out.write(json);
      return json.length;
    }

    @Override
    public int putQuotedUTF8(ByteBuffer buffer) {
      return new SerializedString(getValue()).putQuotedUTF8(buffer);
    }

    @Override
    public int putUnquotedUTF8(ByteBuffer out) {
      if (json.length > out.remaining()) {
        return -1;
      }
      out.put(json);
      return json.length;
    }
  }
}
