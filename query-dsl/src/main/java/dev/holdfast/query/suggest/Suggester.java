package dev.holdfast.query.suggest;

import dev.holdfast.query.QueryContext;
import dev.holdfast.query.QueryReader;
import dev.holdfast.query.result.Hit;
import dev.holdfast.world.JsonObject;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A kind of suggester, with its options.
public interface Suggester {
  /// Reads the options of one kind.
  @FunctionalInterface
  interface Parser {
    /// @param text the text to suggest for
    /// @param queries reads the queries that suggestions are checked with
    Suggester parse(JsonObject json, String text, QueryReader queries);
  }

  /// What one shard suggests.
  ///
  /// @param documents shows documents as the search asks for
  List<Entry> of(QueryContext context, Documents documents) throws IOException;

  /// Shows the documents that suggestions are of.
  @FunctionalInterface
  interface Documents {
    /// @param docs numbers within the shard's reader
    List<Hit> of(List<Integer> docs) throws IOException;
  }

  /// The suggestions of all shards as one.
  List<Entry> merge(List<List<Entry>> shards);

  /// A part of the text with what it could have been. Plain data.
  record Entry(String text, int offset, int length, List<Option> options) {}

  /// Another text.
  ///
  /// @param frequency documents that have it; -1 where not shown
  /// @param highlighted null where not asked for
  /// @param collateMatch null where not asked for
  /// @param hit the document that suggests it; null where words are suggested
  record Option(
      String text,
      double score,
      long frequency,
      @Nullable String highlighted,
      @Nullable Boolean collateMatch,
      @Nullable Hit hit) {
    Option(
        String text,
        double score,
        long frequency,
        @Nullable String highlighted,
        @Nullable Boolean collateMatch) {
      this(text, score, frequency, highlighted, collateMatch, null);
    }
  }
}
