package dev.holdfast.document.scan;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.world.Json;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Reads UTF-8 JSON value by value, in one pass, without trees, maps or strings; allocates nothing
/// once its scratch space has grown. Refuses everything that RFC 8259 refuses, as [MalformedJson].
/// The caller descends: [#next] gives a scalar whole (the scanner itself is the [JsonValue]) or
/// opens a container, which [#nextMember] and [#nextElement] walk to its end.
public final class JsonScanner implements JsonValue {
  private static final byte[] NOTHING = new byte[0];

  private final NumberScan number = new NumberScan();
  private final int depthMax;
  private byte[] body = NOTHING;
  private int start;
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
  private byte[] nameScratch = new byte[64];
  private byte[] scratch = new byte[256];

  public JsonScanner() {
    this(Json.DEPTH_MAX);
  }

  JsonScanner(int depthMax) {
    this.depthMax = depthMax;
  }

  /// Begins with bytes `[offset, offset + length)`.
  public void open(byte[] bytes, int offset, int length) {
    body = bytes;
    start = offset;
    at = offset;
    end = offset + length;
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
            at++;
            scanString(false);
            yield Token.STRING;
          }
          case '{' -> open(Token.OBJECT);
          case '[' -> open(Token.ARRAY);
          case 't' -> literal("true", Token.TRUE);
          case 'f' -> literal("false", Token.FALSE);
          case 'n' -> literal("null", Token.NULL);
          case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' -> scanNumber();
          default -> throw unexpected("expected a value");
        };
    return token;
  }

  private Token open(Token container) {
    if (++depth > depthMax) {
      throw malformed(
          "Document nesting depth (" + depth + ") exceeds the maximum allowed (" + depthMax + ")");
    }
    at++;
    return container;
  }

  private Token literal(String word, Token result) {
    int length = word.length();
    for (int i = 0; i < length; i++) {
      if (at + i >= end || body[at + i] != word.charAt(i)) {
        throw unexpected("expected '" + word + "'");
      }
    }
    view(at, length);
    at += length;
    return result;
  }

  private Token scanNumber() {
    int after = number.scan(body, at, end);
    if (after < 0) {
      at = -1 - after;
      throw unexpected("not a number");
    }
    view(at, after - at);
    at = after;
    return Token.NUMBER;
  }

  private void view(int from, int length) {
    text = body;
    textOffset = from;
    textLength = length;
    isAscii = true;
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
        throw unexpected("expected ',' or '}'");
      }
      at++;
      skipSpace();
    }
    if (at >= end || body[at] != '"') {
      throw unexpected("expected a name");
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
    at++;
    scanString(true);
    skipSpace();
    if (at >= end || body[at] != ':') {
      throw unexpected("expected ':'");
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
        throw unexpected("expected ',' or ']'");
      }
      at++;
    }
    return true;
  }

  /// Checks that nothing but white space follows.
  public void finish() {
    skipSpace();
    if (at < end) {
      throw unexpected("expected the end");
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

  private void scanString(boolean isName) {
    int from = at;
    int p = at;
    int limit = end;
    byte[] in = body;
    boolean ascii = true;
    while (true) {
      while (p + Words.BYTES <= limit) {
        long special = Words.special(Words.at(in, p));
        if (special != 0) {
          p += Long.numberOfTrailingZeros(special) >>> 3;
          break;
        }
        p += Words.BYTES;
      }
      if (p >= limit) {
        at = limit;
        throw unexpected("unterminated string");
      }
      byte c = in[p];
      if (c == '"') {
        at = p + 1;
        give(isName, in, from, p - from, ascii);
        return;
      }
      if (c == '\\') {
        at = p;
        unescape(isName, from, ascii);
        return;
      }
      if (c < 0) {
        int length = Utf8.lengthAt(in, p, limit);
        if (length == 0) {
          at = p;
          throw malformed("Invalid UTF-8 byte 0x" + Integer.toHexString(c & 0xFF));
        }
        ascii = false;
        p += length;
      } else if (c < ' ') {
        at = p;
        throw unexpected("control characters must be escaped");
      } else {
        p++;
      }
    }
  }

  private void give(boolean isName, byte[] bytes, int offset, int length, boolean ascii) {
    if (isName) {
      name = bytes;
      nameOffset = offset;
      nameLength = length;
    } else {
      text = bytes;
      textOffset = offset;
      textLength = length;
      isAscii = ascii;
    }
  }

  /// From the first backslash on: copies, replacing escapes.
  private void unescape(boolean isName, int from, boolean asciiSoFar) {
    byte[] out = isName ? nameScratch : scratch;
    boolean ascii = asciiSoFar;
    int length = at - from;
    out = room(out, length);
    System.arraycopy(body, from, out, 0, length);
    while (true) {
      if (at >= end) {
        throw unexpected("unterminated string");
      }
      out = room(out, length);
      byte c = body[at];
      if (c == '"') {
        at++;
        break;
      }
      if (c == '\\') {
        int codePoint = escape();
        ascii &= codePoint < 0x80;
        if (isName
            && codePoint >= Character.MIN_SURROGATE
            && codePoint <= Character.MAX_SURROGATE) {
          throw malformed("Unpaired surrogate in a field name");
        }
        length = Utf8.write(codePoint, out, length);
      } else if (c < 0) {
        int bytes = Utf8.lengthAt(body, at, end);
        if (bytes == 0) {
          throw malformed("Invalid UTF-8 byte 0x" + Integer.toHexString(c & 0xFF));
        }
        System.arraycopy(body, at, out, length, bytes);
        ascii = false;
        length += bytes;
        at += bytes;
      } else if (c < ' ') {
        throw unexpected("control characters must be escaped");
      } else {
        out[length++] = c;
        at++;
      }
    }
    if (isName) {
      nameScratch = out;
    } else {
      scratch = out;
    }
    give(isName, out, 0, length, ascii);
  }

  private static byte[] room(byte[] out, int length) {
    return out.length - length >= 4 ? out : Arrays.copyOf(out, Math.max(2 * length, 64) + 4);
  }

  private int escape() {
    if (++at >= end) {
      throw unexpected("unterminated escape");
    }
    int c = body[at++];
    return switch (c) {
      case '"', '\\', '/' -> c;
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'u' -> {
        int high = hex();
        if (Character.isHighSurrogate((char) high)
            && at + 1 < end
            && body[at] == '\\'
            && body[at + 1] == 'u') {
          int mark = at;
          at += 2;
          int low = hex();
          if (Character.isLowSurrogate((char) low)) {
            yield Character.toCodePoint((char) high, (char) low);
          }
          at = mark;
        }
        yield high;
      }
      default -> {
        at--;
        throw unexpected("unknown escape");
      }
    };
  }

  private int hex() {
    int value = 0;
    for (int i = 0; i < 4; i++) {
      int digit = at < end && body[at] >= 0 ? Character.digit(body[at], 16) : -1;
      if (digit < 0) {
        throw unexpected("expected a hexadecimal digit");
      }
      value = (value << 4) | digit;
      at++;
    }
    return value;
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
    JsonNode read = Json.parse(body, from, at - from);
    token = container;
    valueStart = from;
    tree = read;
    return read;
  }

  /// Line (from 1) of a position.
  public int lineOf(int position) {
    int line = 1;
    for (int i = start; i < position; i++) {
      if (body[i] == '\n') {
        line++;
      }
    }
    return line;
  }

  /// Byte in its line (from 1) of a position.
  public int columnOf(int position) {
    int column = 1;
    for (int i = position - 1; i >= start && body[i] != '\n'; i--) {
      column++;
    }
    return column;
  }

  private MalformedJson unexpected(String what) {
    if (at >= end) {
      return malformed("Unexpected end-of-input: " + what);
    }
    int c = body[at] & 0xFF;
    String shown = c >= ' ' && c < 0x7F ? "'" + (char) c + "'" : "0x" + Integer.toHexString(c);
    return malformed("Unexpected character (" + shown + "): " + what);
  }

  private MalformedJson malformed(String message) {
    int position = Math.min(at, end);
    return new MalformedJson(message, lineOf(position), columnOf(position));
  }

  /// The error for a name that its object has already.
  public MalformedJson duplicate(String field) {
    return malformed("Duplicate field '" + field + "'");
  }
}
