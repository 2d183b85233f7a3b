package dev.holdfast.document.analysis;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.CharArraySet;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.analysis.tokenattributes.BytesTermAttribute;
import org.apache.lucene.analysis.tokenattributes.OffsetAttribute;
import org.apache.lucene.analysis.tokenattributes.PositionIncrementAttribute;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/// The tokens of the standard analyser for ASCII text, read from its bytes without making
/// characters: the same terms, positions and offsets. One instance serves one text after another
/// and allocates nothing for them; not thread-safe.
///
/// Words break as in Unicode's UAX #29: letters, digits and underscores belong together; `.` and
/// `'` join letters or digits, `:` letters, `,` and `;` digits.
public final class AsciiTokens extends TokenStream {
  private static final int TOKEN_LENGTH_MAX = StandardAnalyzer.DEFAULT_MAX_TOKEN_LENGTH;
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final byte LETTER = 1;
  private static final byte DIGIT = 2;
  private static final byte UNDERSCORE = 4;
  private static final byte JOINS_LETTERS = 8;
  private static final byte JOINS_DIGITS = 16;
  private static final byte WORD = LETTER | DIGIT | UNDERSCORE;
  private static final byte[] CLASSES = classes();
  private static final byte[] LOWERCASE = lowercase();

  private final BytesTermAttribute term = addAttribute(BytesTermAttribute.class);
  private final OffsetAttribute offsets = addAttribute(OffsetAttribute.class);
  private final PositionIncrementAttribute increment =
      addAttribute(PositionIncrementAttribute.class);
  private final BytesRef token = new BytesRef(TOKEN_LENGTH_MAX);

  private byte[] utf8 = BytesRef.EMPTY_BYTES;
  private int from;
  private int end;
  private int at;

  public AsciiTokens() {
    term.setBytesRef(token);
  }

  /// Whether these tokens are the analyser's for ASCII text: the standard analyser of [Analysis]
  /// with nothing set.
  public static boolean standFor(@Nullable Analyzer analyzer) {
    return analyzer instanceof PositionGapAnalyzer gapped
        && gapped.analyzer() instanceof StandardAnalyzer standard
        && standard.getMaxTokenLength() == TOKEN_LENGTH_MAX
        && standard.getStopwordSet().equals(CharArraySet.EMPTY_SET);
  }

  /// Whether every byte of the text is ASCII.
  public static boolean isAscii(byte[] utf8, int offset, int length) {
    int at = offset;
    int end = offset + length;
    long high = 0;
    for (; at + Long.BYTES <= end; at += Long.BYTES) {
      high |= (long) LONGS.get(utf8, at);
    }
    for (; at < end; at++) {
      high |= utf8[at] & 0x80;
    }
    return (high & 0x8080808080808080L) == 0;
  }

  /// Begins a text: bytes `[offset, offset + length)`, all of them ASCII. They must not change
  /// before its last token has been read.
  public void reset(byte[] utf8, int offset, int length) {
    this.utf8 = utf8;
    this.from = offset;
    this.end = offset + length;
    reset();
  }

  /// Begins the same text again.
  @Override
  public void reset() {
    at = from;
    increment.setPositionIncrement(1);
  }

  @Override
  public boolean incrementToken() {
    byte[] text = utf8;
    int position = at;
    while (true) {
      position = skipToWord(text, position);
      if (position == end) {
        at = end;
        return false;
      }
      int limit = Math.min(end, position + TOKEN_LENGTH_MAX);
      int tokenEnd = wordEnd(text, position, limit);
      if (hasLetterOrDigit(text, position, tokenEnd)) {
        emit(text, position, tokenEnd);
        at = tokenEnd;
        return true;
      }
      position = tokenEnd;
    }
  }

  private int skipToWord(byte[] text, int start) {
    int position = start;
    while (position < end && (CLASSES[text[position]] & WORD) == 0) {
      position++;
    }
    return position;
  }

  /// Where the word that begins at `start` ends; it sees nothing beyond `limit`.
  private static int wordEnd(byte[] text, int start, int limit) {
    int position = start;
    while (true) {
      while (position < limit && (CLASSES[text[position]] & WORD) != 0) {
        position++;
      }
      // One joining character continues the word between two letters, or two digits.
      if (position + 1 >= limit) {
        return position;
      }
      int joins = CLASSES[text[position]] >> 3;
      if ((joins & CLASSES[text[position - 1]] & CLASSES[text[position + 1]]) == 0) {
        return position;
      }
      position++;
    }
  }

  private static boolean hasLetterOrDigit(byte[] text, int start, int end) {
    for (int i = start; i < end; i++) {
      if ((CLASSES[text[i]] & (LETTER | DIGIT)) != 0) {
        return true;
      }
    }
    return false;
  }

  private void emit(byte[] text, int start, int tokenEnd) {
    byte[] bytes = token.bytes;
    int length = tokenEnd - start;
    for (int i = 0; i < length; i++) {
      bytes[i] = LOWERCASE[text[start + i]];
    }
    token.length = length;
    offsets.setOffset(start - from, tokenEnd - from);
  }

  @Override
  public void end() {
    increment.setPositionIncrement(0);
    offsets.setOffset(end - from, end - from);
  }

  private static byte[] classes() {
    byte[] classes = new byte[128];
    for (int c = 0; c < 128; c++) {
      classes[c] = Character.isLetter(c) ? LETTER : Character.isDigit(c) ? DIGIT : 0;
    }
    classes['_'] = UNDERSCORE;
    classes['.'] = JOINS_LETTERS | JOINS_DIGITS;
    classes['\''] = JOINS_LETTERS | JOINS_DIGITS;
    classes[':'] = JOINS_LETTERS;
    classes[','] = JOINS_DIGITS;
    classes[';'] = JOINS_DIGITS;
    return classes;
  }

  private static byte[] lowercase() {
    byte[] lowercase = new byte[128];
    for (int c = 0; c < 128; c++) {
      lowercase[c] = (byte) Character.toLowerCase(c);
    }
    return lowercase;
  }
}
