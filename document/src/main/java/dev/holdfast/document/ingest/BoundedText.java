package dev.holdfast.document.ingest;

import dev.holdfast.world.Refusal;

/// A text that a regular expression may look at so many times only: what backtracks without end is
/// refused.
public final class BoundedText implements CharSequence {
  private static final long LOOKS_MAX = 20_000_000;

  private final String text;
  private long looks;

  public BoundedText(String text) {
    this.text = text;
  }

  @Override
  public char charAt(int index) {
    if (++looks > LOOKS_MAX) {
      throw Refusal.badArgument("matching a regular expression was interrupted: it takes too long");
    }
    return text.charAt(index);
  }

  @Override
  public int length() {
    return text.length();
  }

  @Override
  public CharSequence subSequence(int start, int end) {
    return text.substring(start, end);
  }

  @Override
  public String toString() {
    return text;
  }
}
