package dev.holdfast.query.suggest;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.FieldType;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.QueryReader;
import dev.holdfast.query.RegexpAutomata;
import dev.holdfast.query.result.Hit;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.StopSignal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.suggest.document.CompletionQuery;
import org.apache.lucene.search.suggest.document.FuzzyCompletionQuery;
import org.apache.lucene.search.suggest.document.PrefixCompletionQuery;
import org.apache.lucene.search.suggest.document.RegexCompletionQuery;
import org.apache.lucene.search.suggest.document.SuggestIndexSearcher;
import org.apache.lucene.search.suggest.document.TopSuggestDocs.SuggestScoreDoc;
import org.apache.lucene.util.automaton.Operations;
import org.apache.lucene.util.automaton.RegExp;
import org.jspecify.annotations.Nullable;

/// `completion`: suggestions of documents that begin with what was typed.
///
/// @param fuzzy null for exact beginnings
/// @param contexts by name; null for none
record CompletionSuggester(
    String text,
    String field,
    int size,
    boolean isRegexp,
    boolean skipsDuplicates,
    @Nullable Fuzzy fuzzy,
    @Nullable JsonNode contexts)
    implements Suggester {

  /// Inputs read to find enough documents.
  private static final int INPUTS_MAX = 10_000;

  /// How much a beginning may differ.
  record Fuzzy(
      int edits, boolean withTranspositions, int lengthMin, int prefix, boolean isUnicode) {}

  static Suggester parse(JsonObject json, String text, QueryReader queries) {
    String field = json.string("field");
    if (field == null) {
      throw SuggestRequest.missingField();
    }
    JsonNode fuzzy = json.take("fuzzy");
    JsonNode regexp = json.take("regex");
    String _ = json.string("analyzer");
    int _ = json.integer("shard_size", 5);
    int size = json.integer("size", 5);
    if (size <= 0) {
      throw new Refusal(
          ErrorType.X_CONTENT_PARSE,
          "[completion] failed to parse field [size]",
          Refusal.badArgument("size must be positive"));
    }
    String own = json.string("text", json.string("prefix", text));
    return new CompletionSuggester(
        own,
        field,
        size,
        regexp != null,
        json.bool("skip_duplicates", false),
        fuzzy == null || (fuzzy.isBoolean() && !fuzzy.asBoolean())
            ? null
            : fuzzy(JsonObject.of("fuzzy", fuzzy.isObject() ? fuzzy : Json.object())),
        json.take("contexts"));
  }

  private static Fuzzy fuzzy(JsonObject json) {
    JsonNode edits = json.take("fuzziness");
    String given = edits == null ? "1" : edits.asText();
    Fuzzy fuzzy =
        new Fuzzy(
            given.toUpperCase(Locale.ROOT).startsWith("AUTO") ? 1 : edits(given),
            json.bool("transpositions", true),
            json.integer("min_length", 3),
            json.integer("prefix_length", 1),
            json.bool("unicode_aware", false));
    int _ = json.integer("max_determinized_states", 10_000);
    json.done();
    return fuzzy;
  }

  private static int edits(String given) {
    try {
      return Math.clamp((long) Double.parseDouble(given), 0, 2);
    } catch (NumberFormatException e) {
      throw new Refusal(ErrorType.ILLEGAL_ARGUMENT, "Invalid fuzziness value: " + given, e);
    }
  }

  @Override
  public List<Entry> of(QueryContext context, Documents documents) throws IOException {
    FieldType type = context.type(field);
    if (type == null) {
      throw Refusal.badArgument("no mapping found for field [" + field + "]");
    }
    FieldType.Completion completion = type.completion();
    if (completion == null) {
      throw Refusal.badArgument("Field [" + field + "] is not a completion suggest field");
    }
    CompletionQuery query = query(context, completion);
    if (!completion.contexts().isEmpty()) {
      query = CompletionContexts.narrow(query, completion.contexts(), contexts);
    } else if (contexts != null) {
      throw Refusal.badArgument("suggester [completion] doesn't expect any context");
    }
    SuggestIndexSearcher searcher = new SuggestIndexSearcher(context.searcher().getIndexReader());
    List<SuggestScoreDoc> best = best(searcher, query);
    List<Integer> docs = best.stream().map(one -> one.doc).toList();
    List<Option> options = new ArrayList<>();
    List<Hit> hits = documents.of(docs);
    for (int i = 0; i < hits.size(); i++) {
      SuggestScoreDoc one = best.get(i);
      options.add(new Option(one.key.toString(), one.score, -1, null, null, hits.get(i)));
    }
    return List.of(new Entry(text, 0, text.length(), options));
  }

  /// A document counts once, whichever of its inputs were found: as many inputs are read as it
  /// takes to have enough documents.
  private List<SuggestScoreDoc> best(SuggestIndexSearcher searcher, CompletionQuery query)
      throws IOException {
    int wanted = size;
    while (true) {
      StopSignal.look();
      SuggestScoreDoc[] found = searcher.suggest(query, wanted, skipsDuplicates).scoreLookupDocs();
      List<SuggestScoreDoc> best = new ArrayList<>();
      Set<Integer> seen = new HashSet<>();
      for (SuggestScoreDoc one : found) {
        if (best.size() < size && seen.add(one.doc)) {
          best.add(one);
        }
      }
      if (best.size() >= size || found.length < wanted || wanted >= INPUTS_MAX) {
        return best;
      }
      wanted = Math.min(2 * wanted, INPUTS_MAX);
    }
  }

  private CompletionQuery query(QueryContext context, FieldType.Completion completion) {
    Term term = new Term(field, text);
    if (isRegexp) {
      RegexpAutomata.check(context.memory(), text, RegExp.ALL);
      return new RegexCompletionQuery(term, RegExp.ALL, Operations.DEFAULT_DETERMINIZE_WORK_LIMIT);
    }
    return fuzzy == null
        ? new PrefixCompletionQuery(completion.search(), term)
        : new FuzzyCompletionQuery(
            completion.search(),
            term,
            null,
            fuzzy.edits,
            fuzzy.withTranspositions,
            fuzzy.prefix,
            fuzzy.lengthMin,
            fuzzy.isUnicode,
            Operations.DEFAULT_DETERMINIZE_WORK_LIMIT);
  }

  @Override
  public List<Entry> merge(List<List<Entry>> shards) {
    List<Option> all = new ArrayList<>();
    shards.forEach(shard -> all.addAll(shard.getFirst().options()));
    all.sort(Comparator.comparingDouble((Option one) -> -one.score()).thenComparing(Option::text));
    List<Option> best = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    for (Option one : all) {
      if (best.size() < size && (seen.add(one.text()) || !skipsDuplicates)) {
        best.add(one);
      }
    }
    return List.of(new Entry(text, 0, text.length(), best));
  }
}
