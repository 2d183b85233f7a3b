package dev.holdfast.query.highlight;

import dev.holdfast.document.FieldType;
import dev.holdfast.query.QueryContext;
import dev.holdfast.world.Refusal;
import java.util.List;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.core.KeywordAnalyzer;
import org.apache.lucene.search.Query;

/// A field of a hit to be highlighted.
///
/// @param id of the document, for messages
/// @param doc number within the shard's reader
/// @param values of the field, never empty
/// @param query whose matches are marked
/// @param isUnnested whether the query was about nested objects, and now is about their values: it
///   matches no document of one field, so that its terms are marked
record HighlightTarget(
    QueryContext context,
    String id,
    int doc,
    String field,
    FieldType type,
    List<String> values,
    Query query,
    boolean isUnnested,
    HighlightOptions options) {
  Analyzer analyzer() {
    Analyzer analyzer = type.indexAnalyzer();
    return analyzer == null ? new KeywordAnalyzer() : analyzer;
  }

  /// Whether the index knows where in the text each term is, so that nothing needs analysis.
  boolean hasOffsets() {
    return type.toJson().path("index_options").asText().equals("offsets")
        || type.toJson().path("term_vector").asText().contains("offsets");
  }

  /// Characters that may be looked at.
  ///
  /// @throws Refusal when there are more and the request does not say to stop
  int analyzedMax(int length) {
    int max = context.mapping().limits().analyzedOffsetMax();
    if (options.analyzedOffsetMax() > 0) {
      return Math.min(max, options.analyzedOffsetMax());
    }
    if (options.analyzedOffsetMax() < 0 && length > max) {
      throw Refusal.badArgument(
          "The length of ["
              + field
              + "] field of ["
              + id
              + "] doc of ["
              + context.index()
              + "] index has exceeded ["
              + max
              + "] - maximum allowed to be analyzed for highlighting. This maximum can be set by"
              + " changing the [index.highlight.max_analyzed_offset] index level setting. For"
              + " large texts, indexing with offsets or term vectors is recommended!");
    }
    return max;
  }
}
