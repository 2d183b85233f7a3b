package dev.holdfast.document.scan;

/// Says where in a body malformed JSON is.
final class JsonErrors {
  private byte[] body = new byte[0];
  private int start;
  private int end;

  /// Begins with bytes `[start, end)`.
  void open(byte[] bytes, int from, int to) {
    body = bytes;
    start = from;
    end = to;
  }

  /// Line (from 1) of a position.
  int lineOf(int position) {
    int line = 1;
    for (int i = start; i < position; i++) {
      if (body[i] == '\n') {
        line++;
      }
    }
    return line;
  }

  /// Byte in its line (from 1) of a position.
  int columnOf(int position) {
    int column = 1;
    for (int i = position - 1; i >= start && body[i] != '\n'; i--) {
      column++;
    }
    return column;
  }

  /// The byte at `at`, or the end, is not what the grammar wants there.
  MalformedJson unexpected(String what, int at) {
    if (at >= end) {
      return malformed("Unexpected end-of-input: " + what, at);
    }
    int c = body[at] & 0xFF;
    String shown = c >= ' ' && c < 0x7F ? "'" + (char) c + "'" : "0x" + Integer.toHexString(c);
    return malformed("Unexpected character (" + shown + "): " + what, at);
  }

  MalformedJson malformed(String message, int at) {
    int position = Math.min(at, end);
    return new MalformedJson(message, lineOf(position), columnOf(position));
  }
}
