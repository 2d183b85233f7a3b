package dev.holdfast.document.analysis;

import dev.holdfast.world.Reservation;
import dev.holdfast.world.WorkMemory;
import java.io.IOException;
import java.io.Reader;
import java.util.function.UnaryOperator;
import org.apache.lucene.analysis.CharFilter;
import org.jspecify.annotations.Nullable;

/// Asks for the memory of a long text that a character filter makes: one that puts thousands of
/// letters in place of one makes gigabytes of megabytes, and tokenizers hold the word they read. It
/// is given back when the text has been read.
final class CountedCharacters extends CharFilter {
  /// What any text may have unasked, in bytes.
  private static final long FREE_BYTES = 16 << 20;

  /// Asked for at a time.
  private static final long STEP_BYTES = 4 << 20;

  /// An array is there a second time while it grows, and has an eighth to spare after: the word as
  /// the tokenizer reads it.
  private static final int CHARACTER_BYTES = 5;

  /// Filters note for each character that they add where it came from: two numbers, in an array
  /// each, which grow one after the other in the same way.
  private static final int OFFSET_BYTES = 13;

  private final Came came;
  private long characters;
  private long allowedBytes = FREE_BYTES;
  private @Nullable Reservation memory;

  private CountedCharacters(Reader made, Came came) {
    super(made);
    this.came = came;
  }

  /// A text as a filter makes it.
  static Reader of(UnaryOperator<Reader> filter, Reader text) {
    Came came = new Came(text);
    return new CountedCharacters(filter.apply(came), came);
  }

  /// What goes into the filter.
  private static final class Came extends CharFilter {
    private long characters;

    Came(Reader input) {
      super(input);
    }

    @Override
    public int read(char[] into, int offset, int length) throws IOException {
      int count = input.read(into, offset, length);
      characters += Math.max(0, count);
      return count;
    }

    @Override
    protected int correct(int offset) {
      return offset;
    }
  }

  @Override
  public int read(char[] into, int offset, int length) throws IOException {
    int count = input.read(into, offset, length);
    characters += Math.max(0, count);
    long added = Math.max(0, characters - came.characters);
    long bytes = CHARACTER_BYTES * characters + OFFSET_BYTES * added;
    while (allowedBytes < bytes) {
      ask();
      allowedBytes += STEP_BYTES;
    }
    return count;
  }

  private void ask() {
    if (memory == null) {
      memory = WorkMemory.part();
    }
    if (memory != null) {
      memory.add(STEP_BYTES);
    }
  }

  @Override
  public void close() throws IOException {
    try {
      super.close();
    } finally {
      if (memory != null) {
        memory.close();
      }
    }
  }

  @Override
  protected int correct(int offset) {
    return offset;
  }
}
