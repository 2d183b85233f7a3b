package dev.holdfast.document.analysis;

import dev.holdfast.world.Refusal;

/// The limit on how many lengths of n-grams one part may make.
final class Ngrams {
  private static final int DIFFERENCE_MAX = 1;

  private Ngrams() {}

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
