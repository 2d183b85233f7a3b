package dev.holdfast.query.clause.fulltext;

import dev.holdfast.world.StopSignal;
import dev.holdfast.world.WorkMemory;
import java.io.IOException;
import org.apache.lucene.analysis.TokenFilter;
import org.apache.lucene.analysis.TokenStream;

/// The words of a text that becomes a query. Lucene keeps the state of each before it makes the
/// first clause, and counts clauses only then: a text of a megabyte had held a hundred.
final class CountedTokens extends TokenFilter {
  /// The state of a word, and what becomes of it.
  private static final int TOKEN_BYTES = 320;

  CountedTokens(TokenStream in) {
    super(in);
  }

  @Override
  public boolean incrementToken() throws IOException {
    StopSignal.pollForCancelling();
    boolean isThere = input.incrementToken();
    if (isThere) {
      WorkMemory.add(TOKEN_BYTES);
    }
    return isThere;
  }
}
