package dev.holdfast.api.search.template;

import dev.holdfast.http.RequestMemory;
import dev.holdfast.world.Refusal;
import java.io.Writer;

/// What a template has become so far: a template of a few bytes may fill any memory, so each growth
/// is asked for.
final class FilledText extends Writer {
  private static final int TEXT_MAX = 16 << 20;
  private static final int BYTES_A_CHARACTER = 2;

  private final StringBuilder text = new StringBuilder();
  private int asked;

  @Override
  public void write(char[] from, int offset, int length) {
    room(length);
    text.append(from, offset, length);
  }

  @Override
  public void write(String from, int offset, int length) {
    room(length);
    text.append(from, offset, offset + length);
  }

  /// @throws Refusal `illegal_argument_exception` when the text becomes too long,
  ///   `circuit_breaking_exception` (429) when there is no memory for it
  private void room(int more) {
    long length = (long) text.length() + more;
    if (length > TEXT_MAX) {
      throw Refusal.badArgument("the filled template is longer than [" + TEXT_MAX + "] characters");
    }
    if (length > asked) {
      // What it grows to, and as much again while it is copied, or handed on as a string.
      int wanted = (int) Math.max(length, 2L * asked);
      RequestMemory.add((long) (wanted - asked) * 2 * BYTES_A_CHARACTER);
      text.ensureCapacity(wanted);
      asked = wanted;
    }
  }

  @Override
  public void flush() {}

  @Override
  public void close() {}

  @Override
  public String toString() {
    return text.toString();
  }
}
