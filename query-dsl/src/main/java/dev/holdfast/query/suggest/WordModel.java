package dev.holdfast.query.suggest;

import dev.holdfast.query.suggest.PhraseSuggester.Candidate;
import java.io.IOException;
import java.util.List;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.MultiTerms;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.Terms;

/// How likely words follow each other, as the terms of a field count them.
record WordModel(
    IndexReader reader,
    String field,
    String separator,
    int gramSize,
    double terms,
    double occurrences,
    Smoothing smoothing) {
  private static final double NOT_ZERO = 1e-11;

  static WordModel of(
      IndexReader reader, String field, String separator, int gramSize, PhraseSuggester suggester)
      throws IOException {
    Terms terms = MultiTerms.getTerms(reader, field);
    long size = terms == null ? -1 : terms.size();
    return new WordModel(
        reader,
        field,
        separator,
        gramSize,
        size < 0 ? Math.max(1, reader.maxDoc()) : size,
        terms == null ? reader.maxDoc() : terms.getSumTotalTermFreq(),
        suggester.smoothing());
  }

  /// The likelihood of a text.
  double score(List<Candidate> words) throws IOException {
    double logarithm = 0;
    for (int at = 0; at < words.size(); at++) {
      Candidate word = words.get(at);
      double likelihood =
          at == 0 || gramSize == 1
              ? one(word.word())
              : at == 1 || gramSize == 2
                  ? two(words.get(at - 1).word(), word.word())
                  : three(words.get(at - 2).word(), words.get(at - 1).word(), word.word());
      logarithm += Math.log10(word.distance() * likelihood);
    }
    // Elasticsearch raises e, not 10, to the sum of decimal logarithms.
    return Math.exp(logarithm);
  }

  private long count(String term) throws IOException {
    return reader.totalTermFreq(new Term(field, term));
  }

  private double one(String word) throws IOException {
    double added = smoothing.kind().equals("laplace") ? smoothing.trigram() : 1;
    return (added + count(word)) / (occurrences + added * terms);
  }

  private double two(String before, String word) throws IOException {
    long pair = count(before + separator + word);
    return switch (smoothing.kind()) {
      case "laplace" ->
          (smoothing.trigram() + pair) / (count(before) + smoothing.trigram() * terms);
      case "linear_interpolation" ->
          smoothing.bigram() * pair / (count(before) + NOT_ZERO) + smoothing.unigram() * one(word);
      default -> pair < 1 ? smoothing.trigram() * one(word) : pair / (count(before) + NOT_ZERO);
    };
  }

  private double three(String first, String before, String word) throws IOException {
    long triple = count(first + separator + before + separator + word);
    long pair = count(first + separator + before);
    return switch (smoothing.kind()) {
      case "laplace" -> (smoothing.trigram() + triple) / (pair + smoothing.trigram() * terms);
      case "linear_interpolation" ->
          smoothing.trigram() * triple / (pair + NOT_ZERO)
              + smoothing.bigram() * count(before + separator + word) / (count(before) + NOT_ZERO)
              + smoothing.unigram() * one(word);
      default -> triple < 1 ? smoothing.trigram() * two(before, word) : triple / (pair + NOT_ZERO);
    };
  }
}
