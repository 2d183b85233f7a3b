package dev.holdfast.document.analysis;

import dev.holdfast.script.text.TokenScript;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.analysis.tokenattributes.KeywordAttribute;
import org.apache.lucene.analysis.tokenattributes.OffsetAttribute;
import org.apache.lucene.analysis.tokenattributes.PositionIncrementAttribute;
import org.apache.lucene.analysis.tokenattributes.PositionLengthAttribute;
import org.apache.lucene.analysis.tokenattributes.TypeAttribute;
import org.apache.lucene.util.AttributeSource;

/// The token that a stream is at, as scripts see it.
final class AnalysedToken implements TokenScript.Token {
  private final CharTermAttribute term;
  private final PositionIncrementAttribute increment;
  private final PositionLengthAttribute length;
  private final OffsetAttribute offsets;
  private final TypeAttribute type;
  private final KeywordAttribute keyword;
  private int position = -1;

  AnalysedToken(AttributeSource of) {
    term = of.addAttribute(CharTermAttribute.class);
    increment = of.addAttribute(PositionIncrementAttribute.class);
    length = of.addAttribute(PositionLengthAttribute.class);
    offsets = of.addAttribute(OffsetAttribute.class);
    type = of.addAttribute(TypeAttribute.class);
    keyword = of.addAttribute(KeywordAttribute.class);
  }

  void reset() {
    position = -1;
  }

  /// The stream has gone to its next token.
  void advance() {
    position += increment.getPositionIncrement();
  }

  @Override
  public CharSequence getTerm() {
    return term.toString();
  }

  @Override
  public int getPosition() {
    return position;
  }

  @Override
  public int getPositionIncrement() {
    return increment.getPositionIncrement();
  }

  @Override
  public int getPositionLength() {
    return length.getPositionLength();
  }

  @Override
  public int getStartOffset() {
    return offsets.startOffset();
  }

  @Override
  public int getEndOffset() {
    return offsets.endOffset();
  }

  @Override
  public String getType() {
    return type.type();
  }

  @Override
  public boolean isKeyword() {
    return keyword.isKeyword();
  }
}
