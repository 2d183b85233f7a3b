package dev.holdfast.document.analysis;

import dev.holdfast.document.analysis.TokenFilters.Part;
import dev.holdfast.world.Refusal;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.apache.lucene.analysis.CharArraySet;
import org.apache.lucene.analysis.StopFilter;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.core.TypeTokenFilter;
import org.apache.lucene.analysis.minhash.MinHashFilter;
import org.apache.lucene.analysis.miscellaneous.FingerprintFilter;
import org.apache.lucene.analysis.miscellaneous.KeepWordFilter;
import org.apache.lucene.analysis.miscellaneous.LengthFilter;
import org.apache.lucene.analysis.miscellaneous.LimitTokenCountFilter;
import org.apache.lucene.analysis.miscellaneous.RemoveDuplicatesTokenFilter;

/// Filters that keep some tokens and drop others, or make one of all.
final class ChoosingFilters {
  /// Hashes that a min_hash filter holds: some hundred bytes each, there before it reads anything.
  private static final int HASHES_MAX = 65_536;

  private ChoosingFilters() {}

  private static Part part(UnaryOperator<TokenStream> filter) {
    return new Part(false, filter);
  }

  static Part stop(AnalysisParameters parameters) {
    boolean isCaseIgnored = parameters.flag("ignore_case", false);
    CharArraySet words =
        StopWords.of(
            parameters,
            org.apache.lucene.analysis.en.EnglishAnalyzer.getDefaultStopSet(),
            isCaseIgnored);
    boolean removesTrailing = parameters.flag("remove_trailing", true);
    return part(
        removesTrailing
            ? tokens -> new StopFilter(tokens, words)
            : tokens -> new TrailingStopFilter(tokens, words));
  }

  static Part length(AnalysisParameters parameters) {
    int least = parameters.number("min", 0);
    int most = parameters.number("max", Integer.MAX_VALUE);
    return part(tokens -> new LengthFilter(tokens, least, most));
  }

  static Part unique(AnalysisParameters parameters) {
    return part(
        parameters.flag("only_on_same_position", false)
            ? RemoveDuplicatesTokenFilter::new
            : UniqueFilter::new);
  }

  static Part keep(AnalysisParameters parameters) {
    if (!parameters.has("keep_words")) {
      throw Refusal.badArgument(
          "keep requires either `keep_words` or `keep_words_path` to be configured");
    }
    CharArraySet words = parameters.words("keep_words", parameters.flag("keep_words_case", false));
    return part(tokens -> new KeepWordFilter(tokens, words));
  }

  static Part keepTypes(AnalysisParameters parameters) {
    Set<String> types = new LinkedHashSet<>(parameters.list("types"));
    boolean isIncluding = parameters.text("mode", "include").equals("include");
    return part(tokens -> new TypeTokenFilter(tokens, types, isIncluding));
  }

  static Part limit(AnalysisParameters parameters) {
    int most = parameters.number("max_token_count", 1);
    boolean consumesAll = parameters.flag("consume_all_tokens", false);
    return part(tokens -> new LimitTokenCountFilter(tokens, most, consumesAll));
  }

  static Part minHash(AnalysisParameters parameters) {
    int hashes = parameters.number("hash_count", 1);
    int buckets = parameters.number("bucket_count", 512);
    int setSize = parameters.number("hash_set_size", 1);
    if (hashes <= 0 || buckets <= 0 || setSize <= 0) {
      String wrong = hashes <= 0 ? "hashCount" : buckets <= 0 ? "bucketCount" : "hashSetSize";
      throw Refusal.badArgument(wrong + " must be greater than zero");
    }
    if ((double) hashes * buckets * setSize > HASHES_MAX) {
      throw Refusal.badArgument(
          "[hash_count] times [bucket_count] times [hash_set_size] of a min_hash filter must be"
              + " less than or equal to: ["
              + HASHES_MAX
              + "]");
    }
    boolean rotates = parameters.flag("with_rotation", buckets > 1);
    return part(tokens -> new MinHashFilter(tokens, hashes, buckets, setSize, rotates));
  }

  static Part fingerprint(AnalysisParameters parameters) {
    char separator = separator(parameters);
    int sizeMax = parameters.number("max_output_size", 255);
    return part(tokens -> new FingerprintFilter(tokens, sizeMax, separator));
  }

  /// What stands between the words of a fingerprint.
  ///
  /// @throws Refusal `illegal_argument_exception` when it is not one character
  static char separator(AnalysisParameters parameters) {
    String separator = parameters.text("separator", " ");
    if (separator.length() != 1) {
      throw Refusal.badArgument(
          "Setting [separator] must be a single, non-null character. ["
              + separator
              + "] was provided.");
    }
    return separator.charAt(0);
  }
}
