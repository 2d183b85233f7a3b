package dev.holdfast.document.analysis;

import dev.holdfast.world.WorkMemory;
import java.io.IOException;
import java.io.Reader;
import org.apache.lucene.analysis.CharFilter;

/// Asks for the memory of a long text that character filters make: one that puts thousands of
/// letters in place of one makes gigabytes of megabytes, and tokenizers hold the word they read.
final class CountedCharacters extends CharFilter {
  /// What any text may have unasked.
  private static final int FREE_CHARACTERS = 4 << 20;

  /// Asked for at a time.
  private static final int STEP_CHARACTERS = 1 << 20;

  /// Arrays are there twice while they grow.
  private static final int CHARACTER_BYTES = 2 * Character.BYTES;

  private long left = FREE_CHARACTERS;

  CountedCharacters(Reader input) {
    super(input);
  }

  @Override
  public int read(char[] into, int offset, int length) throws IOException {
    int count = input.read(into, offset, length);
    left -= Math.max(0, count);
    while (left < 0) {
      WorkMemory.add((long) CHARACTER_BYTES * STEP_CHARACTERS);
      left += STEP_CHARACTERS;
    }
    return count;
  }

  @Override
  protected int correct(int offset) {
    return offset;
  }
}
