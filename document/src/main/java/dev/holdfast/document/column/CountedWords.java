package dev.holdfast.document.column;

import dev.holdfast.world.WorkMemory;
import java.io.IOException;
import org.apache.lucene.analysis.TokenFilter;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;

/// Asks for the memory of the words of one text where an analyser makes far more of it than it is:
/// n-grams and shingles of any length grow with its square, and Lucene holds all words of a
/// document.
public final class CountedWords extends TokenFilter {
  /// What the words of any text may take unasked.
  private static final long FREE_BYTES = 4 << 20;

  /// The same for each byte of the text: who gives a large one to Lucene has asked for that.
  private static final int FREE_A_BYTE = 8;

  /// What Lucene holds of a word beside its characters.
  private static final int WORD_BYTES = 48;

  /// Asked for at a time; arrays are there twice while they grow.
  private static final long STEP_BYTES = 1 << 20;

  private static final int COPIES = 2;

  private final CharTermAttribute word = addAttribute(CharTermAttribute.class);
  private long left;

  /// @param textBytes how long the text is
  public CountedWords(TokenStream words, int textBytes) {
    super(words);
    left = FREE_BYTES + (long) FREE_A_BYTE * textBytes;
  }

  @Override
  public boolean incrementToken() throws IOException {
    if (!input.incrementToken()) {
      return false;
    }
    left -= word.length() + WORD_BYTES;
    if (left < 0) {
      WorkMemory.add(COPIES * STEP_BYTES);
      left += STEP_BYTES;
    }
    return true;
  }
}
