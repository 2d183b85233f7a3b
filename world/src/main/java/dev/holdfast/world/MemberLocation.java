package dev.holdfast.world;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A member of an object in a text, for errors that say where they are. Objects of a request
/// remember where they begin, also their copies; the line and column of a member are looked for in
/// the text when somebody wants them.
///
/// @param base where the text begins, in bytes of its array
/// @param object where the object begins
/// @param isValue whether the member's value is meant, not its name
public record MemberLocation(int base, int object, String member, boolean isValue) {

  /// A line and a column of a text, from 1, as Elasticsearch counts: columns in bytes.
  public record Position(int line, int column) {}

  /// The name of a member.
  ///
  /// @return null for an object of no request
  public static @Nullable MemberLocation ofName(JsonNode object, String member) {
    return object instanceof Located located
        ? new MemberLocation(located.base, located.offset, member, false)
        : null;
  }

  /// The value of a member.
  ///
  /// @return null for an object of no request
  public static @Nullable MemberLocation ofValue(JsonNode object, String member) {
    return object instanceof Located located
        ? new MemberLocation(located.base, located.offset, member, true)
        : null;
  }

  /// Parses one JSON value whose objects remember where they begin; a missing node where the text
  /// is blank.
  ///
  /// @throws IOException when it is malformed
  static JsonNode parse(byte[] bytes, int offset, int length) throws IOException {
    try (JsonParser parser = Json.REQUESTS.getFactory().createParser(bytes, offset, length)) {
      JsonNode read = Json.REQUESTS.reader().with(new Locating(parser, offset)).readTree(parser);
      return read == null ? MissingNode.getInstance() : read;
    }
  }

  /// Looks for the member.
  ///
  /// @return null when the text is another one
  public @Nullable Position position(byte[] text) {
    if (object < base || object >= text.length || text[object] != '{') {
      return null;
    }
    int length = text.length - object;
    try (JsonParser parser = Json.MAPPER.getFactory().createParser(text, object, length)) {
      parser.nextToken();
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        boolean isIt = parser.currentName().equals(member);
        if (isIt && !isValue) {
          return at(text, parser.currentTokenLocation());
        }
        parser.nextToken();
        if (isIt) {
          return at(text, parser.currentTokenLocation());
        }
        parser.skipChildren();
      }
    } catch (IOException e) {
      return null;
    }
    return null;
  }

  private Position at(byte[] text, JsonLocation location) {
    int end = object + Math.toIntExact(location.getByteOffset());
    int line = 1;
    int lineStart = base;
    for (int i = base; i < end; i++) {
      if (text[i] == '\n') {
        line++;
        lineStart = i + 1;
      }
    }
    return new Position(line, end - lineStart + 1);
  }

  private static final class Locating extends JsonNodeFactory {
    private static final long serialVersionUID = 1;

    private final transient JsonParser parser;
    private final int base;

    Locating(JsonParser parser, int base) {
      this.parser = parser;
      this.base = base;
    }

    @Override
    public ObjectNode objectNode() {
      long offset = parser.currentTokenLocation().getByteOffset();
      return new Located(base, base + Math.toIntExact(offset));
    }
  }

  @SuppressWarnings("unchecked") // deepCopy returns what ObjectNode's does
  private static final class Located extends ObjectNode {
    private static final long serialVersionUID = 1;

    private final int base;
    private final int offset;

    Located(int base, int offset) {
      super(JsonNodeFactory.instance);
      this.base = base;
      this.offset = offset;
    }

    @Override
    public ObjectNode deepCopy() {
      Located copy = new Located(base, offset);
      for (Map.Entry<String, JsonNode> member : properties()) {
        copy.set(member.getKey(), member.getValue().deepCopy());
      }
      return copy;
    }
  }
}
