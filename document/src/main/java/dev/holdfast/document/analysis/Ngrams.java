package dev.holdfast.document.analysis;

import dev.holdfast.world.Refusal;
import org.apache.lucene.index.IndexWriter;

/// The limits on n-grams: how many lengths one part may make, and how long those of a tokenizer
/// are, which has room for the longest before it reads anything.
final class Ngrams {
  private static final int DIFFERENCE_MAX = 1;

  /// Lucene takes no longer terms.
  private static final int LENGTH_MAX = IndexWriter.MAX_TERM_LENGTH;

  private Ngrams() {}

  /// @throws Refusal `illegal_argument_exception` when a tokenizer's longest are too long
  static void keepLength(int most) {
    if (most > LENGTH_MAX) {
      throw Refusal.badArgument(
          "[max_gram] of a tokenizer must be less than or equal to: ["
              + LENGTH_MAX
              + "] but was ["
              + most
              + "]");
    }
  }

  /// @throws Refusal `illegal_argument_exception` when the lengths lie too far apart
  static void keepLimit(AnalysisParameters parameters, String what, int least, int most) {
    int differenceMax = parameters.indexNumber("index.max_ngram_diff", DIFFERENCE_MAX);
    if (most - least > differenceMax) {
      throw Refusal.badArgument(
          "The difference between max_gram and min_gram in "
              + what
              + " must be less than or equal to: ["
              + differenceMax
              + "] but was ["
              + (most - least)
              + "]. This limit can be set by changing the [index.max_ngram_diff] index level"
              + " setting.");
    }
  }
}
