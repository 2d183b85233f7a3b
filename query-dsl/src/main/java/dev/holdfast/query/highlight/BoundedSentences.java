package dev.holdfast.query.highlight;

import java.text.BreakIterator;
import java.text.CharacterIterator;
import java.util.Locale;

/// Sentences of at most a size: short ones come together, long ones are cut between words around
/// the place asked for. Serves [#preceding] followed by [#following], in the order of the text.
final class BoundedSentences extends BreakIterator {
  private final BreakIterator sentences;
  private final BreakIterator words;
  private final int sizeMax;
  private int windowStart = -1;
  private int windowEnd = -1;
  private int start = -1;
  private int end;

  BoundedSentences(Locale locale, int sizeMax) {
    this.sentences = BreakIterator.getSentenceInstance(locale);
    this.words = BreakIterator.getWordInstance(locale);
    this.sizeMax = sizeMax;
  }

  @Override
  public CharacterIterator getText() {
    return sentences.getText();
  }

  @Override
  public void setText(CharacterIterator text) {
    sentences.setText((CharacterIterator) text.clone());
    words.setText((CharacterIterator) text.clone());
    windowStart = windowEnd = start = -1;
    end = 0;
  }

  @Override
  public int preceding(int offset) {
    int limit = sentences.getText().getEndIndex();
    if (offset > windowStart && offset < windowEnd) {
      // The rest of a sentence that was cut.
      start = end;
      end = windowEnd;
    } else {
      start = Math.max(0, sentences.preceding(Math.min(offset, limit)));
      windowStart = start;
      end = offset - 1 >= limit ? limit : sentences.following(Math.max(0, offset - 1));
      if (end == DONE) {
        end = limit;
      }
      while (end - start < sizeMax && end < limit) {
        int next = sentences.following(end);
        if (next == DONE || next - start > sizeMax) {
          break;
        }
        end = next;
      }
      windowEnd = end;
    }
    if (end - start > sizeMax) {
      if (offset - sizeMax > start) {
        start = Math.max(start, words.preceding(offset - sizeMax));
      }
      int left = Math.max(0, sizeMax - (offset - start));
      if (offset + left < windowEnd) {
        int cut = words.following(offset + left);
        end = cut == DONE ? windowEnd : cut;
      }
    }
    return start;
  }

  @Override
  public int following(int offset) {
    if (start < 0 || offset > end) {
      int _ = preceding(offset + 1);
    }
    return end;
  }

  @Override
  public int first() {
    return sentences.getText().getBeginIndex();
  }

  @Override
  public int last() {
    return sentences.getText().getEndIndex();
  }

  @Override
  public int current() {
    return end;
  }

  @Override
  public int next() {
    return end >= last() ? DONE : following(end + 1);
  }

  @Override
  public int next(int n) {
    throw new UnsupportedOperationException("steps of several sentences");
  }

  @Override
  public int previous() {
    throw new UnsupportedOperationException("steps back");
  }

  @Override
  public boolean isBoundary(int offset) {
    return offset == start || offset == end;
  }
}
