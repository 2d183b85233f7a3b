package dev.holdfast.query.suggest;

import dev.holdfast.query.QueryContext;
import dev.holdfast.query.QueryReader;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.WorkMemory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.spell.SuggestWord;
import org.jspecify.annotations.Nullable;

/// `term`: for each word of the text, words of the index that are near it.
///
/// @param shardSize words that each shard contributes
record TermSuggester(
    String text,
    String field,
    @Nullable String analyzer,
    int size,
    int shardSize,
    SpellOptions spelling)
    implements Suggester {
  /// A word that is suggested, on its shard.
  private static final int OPTION_BYTES = 96;

  static Suggester parse(JsonObject json, String text, QueryReader queries) {
    String field = json.string("field");
    if (field == null) {
      throw SuggestRequest.missingField();
    }
    int size = json.integer("size", 5);
    if (size <= 0) {
      throw Refusal.badArgument("size must be positive");
    }
    String own = json.string("text");
    SpellOptions spelling = SpellOptions.parse(json);
    spelling.requireInRange();
    return new TermSuggester(
        own == null ? text : own,
        field,
        json.string("analyzer"),
        size,
        SuggestNumbers.shardSize(json, size),
        spelling);
  }

  @Override
  public List<Entry> of(QueryContext context, Documents documents) throws IOException {
    List<Entry> entries = new ArrayList<>();
    for (SuggestTokens.Token token : SuggestTokens.of(context, field, analyzer, text)) {
      List<Option> options = new ArrayList<>();
      Term term = new Term(context.path(field), token.text());
      for (SuggestWord word :
          spelling.similar(term, shardSize, context.searcher().getIndexReader())) {
        WorkMemory.add(OPTION_BYTES);
        options.add(new Option(word.string, word.score, word.freq, null, null));
      }
      entries.add(new Entry(token.text(), token.start(), token.end() - token.start(), options));
    }
    return entries;
  }

  @Override
  public List<Entry> merge(List<List<Entry>> shards) {
    List<Entry> merged = new ArrayList<>();
    if (shards.isEmpty()) {
      return merged;
    }
    for (int i = 0; i < shards.getFirst().size(); i++) {
      Map<String, Option> options = new LinkedHashMap<>();
      for (List<Entry> shard : shards) {
        for (Option one : i < shard.size() ? shard.get(i).options() : List.<Option>of()) {
          options.merge(
              one.text(),
              one,
              (a, b) ->
                  new Option(
                      a.text(),
                      Math.max(a.score(), b.score()),
                      a.frequency() + b.frequency(),
                      null,
                      null));
        }
      }
      List<Option> best = new ArrayList<>(options.values());
      best.sort(order());
      Entry first = shards.getFirst().get(i);
      merged.add(
          new Entry(
              first.text(),
              first.offset(),
              first.length(),
              List.copyOf(best.subList(0, Math.min(size, best.size())))));
    }
    return merged;
  }

  private Comparator<Option> order() {
    Comparator<Option> byScore = Comparator.comparingDouble(one -> -one.score());
    Comparator<Option> byFrequency = Comparator.comparingLong(one -> -one.frequency());
    Comparator<Option> first =
        spelling.isByFrequency()
            ? byFrequency.thenComparing(byScore)
            : byScore.thenComparing(byFrequency);
    return first.thenComparing(Option::text);
  }
}
