package dev.holdfast.world;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.json.JsonGeneratorImpl;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/// One JSON value that is UTF-8 text already, such as a document's source: neither parsed nor
/// decoded where the output is plain JSON.
public final class RawJson implements SerializableString {
  private final byte[] utf8;

  private RawJson(byte[] utf8) {
    this.utf8 = utf8;
  }

  /// Writes one whole value: as it is where the output is plain JSON, else event by event.
  ///
  /// @param utf8 one valid JSON value
  public static void write(JsonGenerator out, byte[] utf8) throws IOException {
    if (out instanceof JsonGeneratorImpl && out.getPrettyPrinter() == null) {
      out.writeRawValue(new RawJson(utf8));
    } else {
      copy(utf8, out);
    }
  }

  /// Replays JSON text as events, for generators that cannot take it as it is.
  public static void copy(String json, JsonGenerator to) throws IOException {
    try (JsonParser parser = Json.MAPPER.createParser(json)) {
      copy(parser, to);
    }
  }

  /// Replays UTF-8 JSON as events.
  public static void copy(byte[] utf8, JsonGenerator to) throws IOException {
    try (JsonParser parser = Json.MAPPER.createParser(utf8)) {
      copy(parser, to);
    }
  }

  /// Events one by one and numbers as they were written, so that filters see every name and no
  /// digit is lost.
  private static void copy(JsonParser parser, JsonGenerator to) throws IOException {
    for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
      to.copyCurrentEventExact(parser);
    }
  }

  @Override
  public String getValue() {
    return new String(utf8, StandardCharsets.UTF_8);
  }

  @Override
  public int charLength() {
    return getValue().length();
  }

  @Override
  public char[] asQuotedChars() {
    return getValue().toCharArray();
  }

  @Override
  public byte[] asUnquotedUTF8() {
    return utf8;
  }

  @Override
  public byte[] asQuotedUTF8() {
    return utf8;
  }

  @Override
  public int appendQuotedUTF8(byte[] buffer, int offset) {
    return appendUnquotedUTF8(buffer, offset);
  }

  @Override
  public int appendQuoted(char[] buffer, int offset) {
    return appendUnquoted(buffer, offset);
  }

  @Override
  public int appendUnquotedUTF8(byte[] buffer, int offset) {
    if (offset + utf8.length > buffer.length) {
      return -1;
    }
    System.arraycopy(utf8, 0, buffer, offset, utf8.length);
    return utf8.length;
  }

  @Override
  public int appendUnquoted(char[] buffer, int offset) {
    String text = getValue();
    if (offset + text.length() > buffer.length) {
      return -1;
    }
    text.getChars(0, text.length(), buffer, offset);
    return text.length();
  }

  @Override
  public int writeQuotedUTF8(OutputStream out) throws IOException {
    return writeUnquotedUTF8(out);
  }

  @Override
  public int writeUnquotedUTF8(OutputStream out) throws IOException {
    out.write(utf8);
    return utf8.length;
  }

  @Override
  public int putQuotedUTF8(ByteBuffer buffer) {
    return putUnquotedUTF8(buffer);
  }

  @Override
  public int putUnquotedUTF8(ByteBuffer out) {
    if (utf8.length > out.remaining()) {
      return -1;
    }
    out.put(utf8);
    return utf8.length;
  }
}
