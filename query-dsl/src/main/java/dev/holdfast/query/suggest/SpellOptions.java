package dev.holdfast.query.suggest;

import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.Locale;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.spell.DirectSpellChecker;
import org.apache.lucene.search.spell.JaroWinklerDistance;
import org.apache.lucene.search.spell.LevenshteinDistance;
import org.apache.lucene.search.spell.LuceneLevenshteinDistance;
import org.apache.lucene.search.spell.NGramDistance;
import org.apache.lucene.search.spell.StringDistance;
import org.apache.lucene.search.spell.SuggestMode;
import org.apache.lucene.search.spell.SuggestWord;
import org.apache.lucene.search.spell.SuggestWordFrequencyComparator;
import org.apache.lucene.search.spell.SuggestWordQueue;

/// Which words are near enough to a word.
///
/// @param frequencyMin share of the documents (below 1) or number of them that a word must be in
/// @param termFrequencyMax words of the text that are more frequent are right already
record SpellOptions(
    SuggestMode mode,
    float accuracy,
    boolean isByFrequency,
    StringDistance distance,
    int edits,
    int inspections,
    float termFrequencyMax,
    int prefixLength,
    int wordLengthMin,
    float frequencyMin) {
  /// Nobody misspells longer ones, and looking for what is like them takes its time.
  private static final int WORD_LENGTH_MAX = 255;

  static SpellOptions parse(JsonObject json) {
    String sort = json.string("sort", "score");
    int edits = json.integer("max_edits", 2);
    if (edits < 1 || edits > 2) {
      throw Refusal.badArgument("maxEdits must be between 1 and 2");
    }
    return new SpellOptions(
        mode(json.string("suggest_mode", "missing")),
        (float) json.doubleValue("accuracy", 0.5),
        switch (sort.toLowerCase(Locale.ROOT)) {
          case "score" -> false;
          case "frequency" -> true;
          default -> throw Refusal.badArgument("Illegal suggest sort " + sort);
        },
        distance(json.string("string_distance", "internal")),
        edits,
        json.integer("max_inspections", 5),
        (float) json.doubleValue("max_term_freq", 0.01),
        json.integer("prefix_length", 1),
        json.integer("min_word_length", 4),
        (float) json.doubleValue("min_doc_freq", 0));
  }

  /// Refuses numbers that mean nothing, as a `term` suggestion does.
  void requireInRange() {
    if (!(accuracy >= 0 && accuracy <= 1)) {
      throw Refusal.badArgument("accuracy must be between 0 and 1");
    }
    requirePositive("maxInspections", inspections);
    requireFrequency("maxTermFreq", termFrequencyMax);
    requirePositive("prefixLength", prefixLength);
    if (wordLengthMin < 1) {
      throw Refusal.badArgument("minWordLength must be greater or equal to 1");
    }
    requireFrequency("minDocFreq", frequencyMin);
  }

  private static void requirePositive(String name, float given) {
    if (!(given >= 0)) {
      throw Refusal.badArgument(name + " must be positive");
    }
  }

  private static void requireFrequency(String name, float given) {
    requirePositive(name, given);
    if (given > 1 && given != (float) Math.floor(given)) {
      throw Refusal.badArgument("if " + name + " is greater than 1, it must not be a fraction");
    }
  }

  private static SuggestMode mode(String name) {
    return switch (name.toLowerCase(Locale.ROOT)) {
      case "missing" -> SuggestMode.SUGGEST_WHEN_NOT_IN_INDEX;
      case "popular" -> SuggestMode.SUGGEST_MORE_POPULAR;
      case "always" -> SuggestMode.SUGGEST_ALWAYS;
      default -> throw Refusal.badArgument("Illegal suggest mode " + name);
    };
  }

  private static StringDistance distance(String name) {
    return switch (name.toLowerCase(Locale.ROOT)) {
      case "internal" -> DirectSpellChecker.INTERNAL_LEVENSHTEIN;
      case "damerau_levenshtein" -> new LuceneLevenshteinDistance();
      case "levenshtein" -> new LevenshteinDistance();
      case "jaro_winkler" -> new JaroWinklerDistance();
      case "ngram" -> new NGramDistance();
      default -> throw Refusal.badArgument("Illegal distance option " + name);
    };
  }

  SuggestWord[] similar(Term term, int count, IndexReader reader) throws IOException {
    DirectSpellChecker checker = new DirectSpellChecker();
    checker.setAccuracy(accuracy);
    checker.setComparator(
        isByFrequency ? new SuggestWordFrequencyComparator() : SuggestWordQueue.DEFAULT_COMPARATOR);
    checker.setDistance(distance);
    checker.setMaxEdits(edits);
    checker.setMaxInspections(inspections);
    checker.setMaxQueryFrequency(termFrequencyMax);
    checker.setMinPrefix(prefixLength);
    checker.setMinQueryLength(wordLengthMin);
    checker.setMaxQueryLength(WORD_LENGTH_MAX);
    checker.setThresholdFrequency(frequencyMin);
    checker.setLowerCaseTerms(false);
    return checker.suggestSimilar(term, count, reader, mode, accuracy);
  }
}
