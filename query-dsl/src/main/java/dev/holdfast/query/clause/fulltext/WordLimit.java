package dev.holdfast.query.clause.fulltext;

import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import org.apache.lucene.search.IndexSearcher;

/// How many words a query string may have: its parsers take time by the square of them, and more
/// words than clauses lead nowhere. Some of them may be dropped by analysers.
final class WordLimit {
  /// Words for each clause that a query may have.
  private static final int WORDS_A_CLAUSE = 4;

  private WordLimit() {}

  /// @throws Refusal `query_shard_exception`
  static void check(String text) {
    int wordsMax = Math.multiplyExact(WORDS_A_CLAUSE, clausesMax());
    int words = 0;
    for (int i = 1; i < text.length(); i++) {
      words += text.charAt(i) == ' ' && text.charAt(i - 1) != ' ' ? 1 : 0;
    }
    if (words > wordsMax) {
      throw new Refusal(
          ErrorType.QUERY_SHARD,
          "Failed to parse query: it has more than ["
              + wordsMax
              + "] words, maxClauseCount is set to "
              + IndexSearcher.getMaxClauseCount());
    }
  }

  private static int clausesMax() {
    return Math.min(IndexSearcher.getMaxClauseCount(), Integer.MAX_VALUE / WORDS_A_CLAUSE);
  }
}
