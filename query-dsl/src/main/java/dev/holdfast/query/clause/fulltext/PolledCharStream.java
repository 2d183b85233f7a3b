package dev.holdfast.query.clause.fulltext;

import dev.holdfast.world.StopSignal;
import java.io.IOException;
import org.apache.lucene.queryparser.charstream.CharStream;

/// The text of a query string on its way to Lucene's parser, until the search ends: what the parser
/// does between two words grows with the words before.
record PolledCharStream(CharStream in) implements CharStream {
  @Override
  public char readChar() throws IOException {
    return in.readChar();
  }

  @Override
  public char BeginToken() throws IOException {
    StopSignal.poll();
    return in.BeginToken();
  }

  @Override
  public void backup(int amount) {
    in.backup(amount);
  }

  @Override
  public String GetImage() {
    return in.GetImage();
  }

  @Override
  public char[] GetSuffix(int length) {
    return in.GetSuffix(length);
  }

  @Override
  public void Done() {
    in.Done();
  }

  @Override
  public int getEndColumn() {
    return in.getEndColumn();
  }

  @Override
  public int getEndLine() {
    return in.getEndLine();
  }

  @Override
  public int getBeginColumn() {
    return in.getBeginColumn();
  }

  @Override
  public int getBeginLine() {
    return in.getBeginLine();
  }
}
