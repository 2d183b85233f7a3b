package dev.holdfast.world;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Set;
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
      super(JsonNodeFactory.instance, new Members());
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

  /// Makes objects that take little while they have few members.
  static final class SmallObjects extends JsonNodeFactory {
    private static final long serialVersionUID = 1;

    @Override
    public ObjectNode objectNode() {
      return new ObjectNode(this, new Members());
    }
  }

  /// The members of an object, in their order. While they are few they lie in an array: a map of
  /// the JDK takes 56 bytes for none and 180 for the first, which a text of two and six bytes asks
  /// for.
  private static final class Members extends AbstractMap<String, JsonNode> {
    private static final int FEW = 8;
    private static final Object[] NONE = {};

    /// Names and values by turns, then nulls.
    private Object[] few = NONE;

    private int count;

    /// All of them, when they are many.
    private @Nullable Map<String, JsonNode> many;

    @Override
    public int size() {
      return many == null ? count : many.size();
    }

    /// Where the name lies; negative where there is none.
    private int find(@Nullable Object name) {
      for (int i = 0; i < count; i++) {
        if (few[2 * i].equals(name)) {
          return 2 * i;
        }
      }
      return -1;
    }

    @Override
    public boolean containsKey(@Nullable Object name) {
      return many == null ? find(name) >= 0 : many.containsKey(name);
    }

    @Override
    public @Nullable JsonNode get(@Nullable Object name) {
      if (many != null) {
        return many.get(name);
      }
      int at = find(name);
      return at < 0 ? null : (JsonNode) few[at + 1];
    }

    @Override
    public @Nullable JsonNode put(String name, JsonNode value) {
      if (many != null) {
        return many.put(name, value);
      }
      int at = find(name);
      if (at >= 0) {
        JsonNode before = (JsonNode) few[at + 1];
        few[at + 1] = value;
        return before;
      }
      if (count == FEW) {
        many = new LinkedHashMap<>(this);
        few = NONE;
        count = 0;
        return many.put(name, value);
      }
      if (2 * count == few.length) {
        few = Arrays.copyOf(few, count == 0 ? 2 : 4 * count);
      }
      few[2 * count] = Objects.requireNonNull(name);
      few[2 * count + 1] = value;
      count++;
      return null;
    }

    @Override
    public @Nullable JsonNode remove(@Nullable Object name) {
      if (many != null) {
        return many.remove(name);
      }
      int at = find(name);
      return at < 0 ? null : removeAt(at);
    }

    private JsonNode removeAt(int at) {
      JsonNode before = (JsonNode) few[at + 1];
      System.arraycopy(few, at + 2, few, at, 2 * count - at - 2);
      count--;
      Arrays.fill(few, 2 * count, 2 * count + 2, null);
      return before;
    }

    @Override
    public void clear() {
      many = null;
      few = NONE;
      count = 0;
    }

    @Override
    public Set<Map.Entry<String, JsonNode>> entrySet() {
      if (many != null) {
        return many.entrySet();
      }
      return new AbstractSet<>() {
        @Override
        public int size() {
          return Members.this.size();
        }

        @Override
        public Iterator<Map.Entry<String, JsonNode>> iterator() {
          return many == null ? new Few() : many.entrySet().iterator();
        }
      };
    }

    /// Goes through the members while they are few.
    private final class Few implements Iterator<Map.Entry<String, JsonNode>> {
      private int next;

      @Override
      public boolean hasNext() {
        return next < count;
      }

      @Override
      public Map.Entry<String, JsonNode> next() {
        if (next >= count) {
          throw new NoSuchElementException();
        }
        int at = 2 * next++;
        return new SimpleEntry<>((String) few[at], (JsonNode) few[at + 1]) {
          private static final long serialVersionUID = 1;

          @Override
          public JsonNode setValue(JsonNode value) {
            put(getKey(), value);
            return super.setValue(value);
          }
        };
      }

      @Override
      public void remove() {
        removeAt(2 * --next);
      }
    }
  }
}
