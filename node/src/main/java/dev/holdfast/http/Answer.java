package dev.holdfast.http;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.identity.Version;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/// What an API answers: a status, a body in whatever format the client asked for, headers.
public record Answer(int status, Content content, List<Header> headers) {
  /// The longest text of a warning, in characters as they are sent.
  private static final int WARNING_MAX = 4_000;

  private static final byte DELETE = 0x7F;

  public Answer {
    headers = List.copyOf(headers);
  }

  /// 200 with a structured body.
  public static Answer of(Writer writer) {
    return of(200, writer);
  }

  /// A structured body: JSON, YAML, CBOR or SMILE as the client asked, filtered by `filter_path`.
  public static Answer of(int status, Writer writer) {
    return new Answer(status, new Content.Structured(writer), List.of());
  }

  /// An error, which is shown whole: `filter_path` is about what was asked for.
  static Answer error(int status, Writer writer) {
    return new Answer(status, new Content.Failed(writer), List.of());
  }

  /// A structured body that is held as a tree.
  public static Answer of(int status, JsonNode tree) {
    return of(status, out -> out.writeTree(tree));
  }

  /// `{"acknowledged":true}`.
  public static Answer acknowledged() {
    return of(out -> {
      out.writeStartObject();
      out.writeBooleanField("acknowledged", true);
      out.writeEndObject();
    });
  }

  /// Plain text, as `_cat` speaks.
  public static Answer text(int status, String text) {
    return new Answer(status, new Content.Text(text), List.of());
  }

  /// Bytes of a kind of their own.
  public static Answer raw(int status, String contentType, byte[] bytes) {
    return new Answer(status, new Content.Raw(contentType, bytes), List.of());
  }

  /// The same with a `Warning` header, as Elasticsearch writes them.
  public Answer warn(String text) {
    Header warning = warning(text);
    return with(warning.name(), warning.value());
  }

  /// A `Warning` header, as Elasticsearch writes them: what no header may hold stands there as
  /// percent signs and digits, and long texts are cut, for clients take heads of some length.
  static Header warning(String text) {
    StringBuilder escaped = new StringBuilder();
    int next = 0;
    while (next < text.length()) {
      int letter = text.codePointAt(next);
      String shown = escaped(Character.toString(letter));
      if (escaped.length() + shown.length() > WARNING_MAX) {
        escaped.append("...");
        break;
      }
      escaped.append(shown);
      next += Character.charCount(letter);
    }
    return new Header("Warning", "299 Elasticsearch-" + Version.API + " \"" + escaped + "\"");
  }

  private static String escaped(String letter) {
    StringBuilder escaped = new StringBuilder();
    for (byte one : letter.getBytes(StandardCharsets.UTF_8)) {
      if (one == '"' || one == '\\') {
        escaped.append('\\').append((char) one);
      } else if (one >= ' ' && one < DELETE) {
        escaped.append((char) one);
      } else {
        escaped.append('%').append(HexFormat.of().withUpperCase().toHexDigits(one));
      }
    }
    return escaped.toString();
  }

  /// This answer with one header more.
  public Answer with(String name, String value) {
    List<Header> more = new ArrayList<>(headers);
    more.add(new Header(name, value));
    return new Answer(status, content, more);
  }

  /// Writes one whole value: begins with `writeStartObject` or `writeStartArray`. It runs once,
  /// before anything is sent, so that it may still fail.
  public interface Writer {
    void write(JsonGenerator out) throws IOException;
  }

  /// The kinds of body.
  public sealed interface Content {
    record Structured(Writer writer) implements Content {}

    record Failed(Writer writer) implements Content {}

    record Text(String text) implements Content {}

    @SuppressWarnings("ArrayRecordComponent") // a carrier, never compared
    record Raw(String contentType, byte[] bytes) implements Content {}

    record Empty() implements Content {}
  }
}
