package dev.holdfast.document.scan;

import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.world.Json;
import dev.holdfast.world.text.JsonTree;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Reads UTF-8 JSON value by value, in one pass, without trees, maps or strings; allocates nothing
/// once its scratch space has grown. Refuses everything that RFC 8259 refuses, as [MalformedJson].
/// The caller descends: [#next] gives a scalar whole (the scanner itself is the [JsonValue]) or
/// opens a container, which [#nextMember] and [#nextElement] walk to its end.
public final class JsonScanner implements JsonValue {
  private static final byte[] NOTHING = new byte[0];

  /// Of a number. Whoever reads the document as a tree, to show or change it, can read no more.
  private static final int DIGITS_MAX = StreamReadConstraints.DEFAULT_MAX_NUM_LEN;

  private final NumberScan number = new NumberScan();
  private final JsonErrors faults = new JsonErrors();
  private final StringScan strings = new StringScan(faults, false);
  private final StringScan names = new StringScan(faults, true);
  private final int depthMax;
  private byte[] body = NOTHING;
  private int at;
  private int end;
  private int depth;

  private Token token = Token.NULL;
  private int valueStart;
  private byte[] text = NOTHING;
  private int textOffset;
  private int textLength;
  private boolean isAscii;
  private @Nullable JsonNode tree;

  private byte[] name = NOTHING;
  private int nameOffset;
  private int nameLength;

  public JsonScanner() {
    this(Json.DEPTH_MAX);
  }

  JsonScanner(int depthMax) {
    this.depthMax = depthMax;
  }

  /// Begins with bytes `[offset, offset + length)`.
  public void open(byte[] bytes, int offset, int length) {
    body = bytes;
    at = offset;
    end = offset + length;
    faults.open(bytes, offset, end);
    depth = 0;
    tree = null;
  }

  /// Reads a scalar, or opens an object or array.
  public Token next() {
    skipSpace();
    valueStart = at;
    tree = null;
    int first = at < end ? body[at] : 0;
    token =
        switch (first) {
          case '"' -> {
            at = strings.scan(body, at + 1, end);
            view(strings.bytes, strings.offset, strings.length, strings.isAscii);
            yield Token.STRING;
          }
          case '{' -> open(Token.OBJECT);
          case '[' -> open(Token.ARRAY);
          case 't' -> literal("true", Token.TRUE);
          case 'f' -> literal("false", Token.FALSE);
          case 'n' -> literal("null", Token.NULL);
          case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' -> scanNumber();
          default -> throw faults.unexpected("expected a value", at);
        };
    return token;
  }

  private Token open(Token container) {
    if (++depth > depthMax) {
      throw faults.malformed(
          "Document nesting depth (" + depth + ") exceeds the maximum allowed (" + depthMax + ")",
          at);
    }
    at++;
    return container;
  }

  private Token literal(String word, Token result) {
    int length = word.length();
    for (int i = 0; i < length; i++) {
      if (at + i >= end || body[at + i] != word.charAt(i)) {
        throw faults.unexpected("expected '" + word + "'", at);
      }
    }
    view(body, at, length, true);
    at += length;
    return result;
  }

  private Token scanNumber() {
    int after = number.scan(body, at, end);
    if (after < 0) {
      at = -1 - after;
      throw faults.unexpected("not a number", at);
    }
    if (after - at > DIGITS_MAX) {
      requireFewDigits(after);
    }
    view(body, at, after - at, true);
    at = after;
    return Token.NUMBER;
  }

  private void requireFewDigits(int after) {
    int digits = 0;
    for (int i = at; i < after; i++) {
      digits += body[i] >= '0' && body[i] <= '9' ? 1 : 0;
    }
    if (digits > DIGITS_MAX) {
      throw faults.malformed(
          "Number value length (" + digits + ") exceeds the maximum allowed (" + DIGITS_MAX + ")",
          at);
    }
  }

  private void view(byte[] in, int from, int length, boolean ascii) {
    text = in;
    textOffset = from;
    textLength = length;
    isAscii = ascii;
  }

  /// Moves to the next member of the open object and reads its name; false at the object's end.
  ///
  /// @param isFirst whether none was read yet
  public boolean nextMember(boolean isFirst) {
    if (!toMember(isFirst)) {
      return false;
    }
    readName();
    return true;
  }

  /// The first half of [#nextMember]: stands before a name afterwards, so that [#acceptName] can be
  /// tried.
  public boolean toMember(boolean isFirst) {
    skipSpace();
    int c = at < end ? body[at] : 0;
    if (c == '}') {
      at++;
      depth--;
      return false;
    }
    if (!isFirst) {
      if (c != ',') {
        throw faults.unexpected("expected ',' or '}'", at);
      }
      at++;
      skipSpace();
    }
    if (at >= end || body[at] != '"') {
      throw faults.unexpected("expected a name", at);
    }
    return true;
  }

  /// Steps over the name when the bytes here are exactly `quoted` (quotes and colon included): how
  /// a name that was foreseen is read without hashing it.
  public boolean acceptName(byte[] quoted) {
    int length = quoted.length;
    if (end - at < length || !Arrays.equals(body, at, at + length, quoted, 0, length)) {
      return false;
    }
    name = quoted;
    nameOffset = 1;
    nameLength = length - 3;
    at += length;
    return true;
  }

  /// The second half of [#nextMember].
  public void readName() {
    at = names.scan(body, at + 1, end);
    name = names.bytes;
    nameOffset = names.offset;
    nameLength = names.length;
    skipSpace();
    if (at >= end || body[at] != ':') {
      throw faults.unexpected("expected ':'", at);
    }
    at++;
  }

  /// Moves to the next element of the open array; false at its end.
  public boolean nextElement(boolean isFirst) {
    skipSpace();
    int c = at < end ? body[at] : 0;
    if (c == ']') {
      at++;
      depth--;
      return false;
    }
    if (!isFirst) {
      if (c != ',') {
        throw faults.unexpected("expected ',' or ']'", at);
      }
      at++;
    }
    return true;
  }

  /// Checks that nothing but white space follows.
  public void finish() {
    skipSpace();
    if (at < end) {
      throw faults.unexpected("expected the end", at);
    }
  }

  private void skipSpace() {
    while (at < end) {
      byte c = body[at];
      if (c > ' ' || (c != ' ' && c != '\n' && c != '\r' && c != '\t')) {
        return;
      }
      at++;
    }
  }

  /// Bytes of the member name, unescaped; valid until the next name is read.
  public byte[] name() {
    return name;
  }

  public int nameOffset() {
    return nameOffset;
  }

  public int nameLength() {
    return nameLength;
  }

  public String nameText() {
    return new String(name, nameOffset, nameLength, StandardCharsets.UTF_8);
  }

  /// Position of the first byte of the current value.
  public int valueStart() {
    return valueStart;
  }

  /// Position of the next unread byte.
  public int position() {
    return at;
  }

  @Override
  public Kind kind() {
    return switch (token) {
      case STRING -> Kind.STRING;
      case NUMBER -> Kind.NUMBER;
      case TRUE -> Kind.TRUE;
      case FALSE, NULL -> Kind.FALSE;
      case OBJECT -> Kind.OBJECT;
      case ARRAY -> Kind.ARRAY;
    };
  }

  @Override
  public byte[] bytes() {
    return text;
  }

  @Override
  public int offset() {
    return textOffset;
  }

  @Override
  public int length() {
    return textLength;
  }

  @Override
  public boolean isAscii() {
    return isAscii;
  }

  @Override
  public boolean isLong() {
    return number.isLong();
  }

  @Override
  public long longValue() {
    return number.longValue();
  }

  @Override
  public double doubleValue() {
    return number.doubleValue();
  }

  @Override
  public String text() {
    return new String(text, textOffset, textLength, StandardCharsets.UTF_8);
  }

  /// Reads over a value whose token [#next] has just told.
  public void skip(Token read) {
    Skipping.rest(this, read);
  }

  /// The container that [#next] has just opened, read to its end, as a tree.
  @Override
  public JsonNode tree() {
    JsonNode known = tree;
    if (known != null) {
      return known;
    }
    int from = valueStart;
    Token container = token;
    Skipping.rest(this, container);
    JsonTree.askFor(body, from, at - from);
    JsonNode read = Json.parse(body, from, at - from);
    token = container;
    valueStart = from;
    tree = read;
    return read;
  }

  /// Line (from 1) of a position.
  public int lineOf(int position) {
    return faults.lineOf(position);
  }

  /// Byte in its line (from 1) of a position.
  public int columnOf(int position) {
    return faults.columnOf(position);
  }

  /// The error for a name that its object has already.
  public MalformedJson duplicate(String field) {
    return faults.malformed("Duplicate field '" + field + "'", at);
  }
}
