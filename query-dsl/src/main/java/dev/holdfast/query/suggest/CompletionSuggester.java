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
import org.apache.lucene.util.automaton.TooComplexToDeterminizeException;
import org.jspecify.annotations.Nullable;

/// `completion`: suggestions of documents that begin with what was typed.
///
/// @param analyzer that must be there; the field's own is used
/// @param expression how the text is read as a regular expression; null for a beginning
/// @param fuzzy null for exact beginnings
/// @param contexts by name; null for none
record CompletionSuggester(
    String text,
    String field,
    @Nullable String analyzer,
    int size,
    @Nullable Expression expression,
    boolean skipsDuplicates,
    @Nullable Fuzzy fuzzy,
    @Nullable JsonNode contexts)
    implements Suggester {

  /// Inputs read to find enough documents.
  private static final int INPUTS_MAX = 10_000;

  /// What an input that was found takes, with its place in the queue.
  private static final int INPUT_BYTES = 128;

  /// How much a beginning may differ.
  record Fuzzy(
      int edits,
      boolean withTranspositions,
      int lengthMin,
      int prefix,
      boolean isUnicode,
      int statesMax) {}

  /// How a regular expression is read.
  record Expression(int flags, int statesMax) {}

  static Suggester parse(JsonObject json, String text, QueryReader queries) {
    String field = json.string("field");
    if (field == null) {
      throw SuggestRequest.missingField();
    }
    JsonNode fuzzy = json.take("fuzzy");
    if (fuzzy != null && !fuzzy.isObject() && !fuzzy.isBoolean()) {
      throw unfit("fuzzy", fuzzy);
    }
    JsonNode regexp = json.take("regex");
    if (regexp != null && !regexp.isObject()) {
      throw unfit("regex", regexp);
    }
    String analyzer = json.string("analyzer");
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
        analyzer,
        size,
        regexp == null ? null : expression(JsonObject.ofKinds("regex", regexp)),
        json.bool("skip_duplicates", false),
        fuzzy == null || (fuzzy.isBoolean() && !fuzzy.asBoolean())
            ? null
            : fuzzy(JsonObject.ofKinds("fuzzy", fuzzy.isObject() ? fuzzy : Json.object())),
        contexts(json.take("contexts")));
  }

  private static @Nullable JsonNode contexts(@Nullable JsonNode given) {
    if (given != null && !given.isObject()) {
      throw unfit("contexts", given);
    }
    return given;
  }

  private static Refusal unfit(String member, JsonNode value) {
    return new Refusal(
        ErrorType.X_CONTENT_PARSE,
        "[completion] " + member + " doesn't support values of type: " + JsonObject.token(value));
  }

  private static Expression expression(JsonObject json) {
    JsonNode given = json.take(json.has("flags_value") ? "flags_value" : "flags");
    if (given != null && !given.isTextual() && !given.isNumber()) {
      throw new Refusal(ErrorType.PARSE, "regex flags_value supports string or number");
    }
    int flags =
        given != null && given.isNumber()
            ? given.intValue()
            : RegexpAutomata.flags(given == null ? null : given.asText(), RegExp.ALL);
    Expression expression = new Expression(flags, statesMax(json));
    json.done();
    return expression;
  }

  private static int statesMax(JsonObject json) {
    int max = json.integer("max_determinized_states", Operations.DEFAULT_DETERMINIZE_WORK_LIMIT);
    if (max < 0) {
      throw Refusal.badArgument("maxDeterminizedStates must not be negative");
    }
    return max;
  }

  private static Fuzzy fuzzy(JsonObject json) {
    JsonNode edits = json.take("fuzziness");
    Fuzzy fuzzy =
        new Fuzzy(
            edits == null ? 1 : edits(edits),
            json.bool("transpositions", true),
            json.integer("min_length", 3),
            json.integer("prefix_length", 1),
            json.bool("unicode_aware", false),
            statesMax(json));
    json.done();
    if (fuzzy.lengthMin < 0 || fuzzy.prefix < 0) {
      throw Refusal.badArgument(
          (fuzzy.prefix < 0 ? "fuzzyPrefixLength" : "fuzzyMinLength") + " must not be negative");
    }
    return fuzzy;
  }

  /// What follows the point of a number is cut off, as Elasticsearch does.
  private static int edits(JsonNode given) {
    String text = given.asText();
    if (text.toUpperCase(Locale.ROOT).startsWith("AUTO")) {
      return 1;
    }
    double edits;
    try {
      edits = given.isNumber() ? given.intValue() : Double.parseDouble(text);
    } catch (NumberFormatException e) {
      throw new Refusal(ErrorType.ILLEGAL_ARGUMENT, "fuzziness cannot be [" + text + "].", e);
    }
    if (edits != 0 && edits != 1 && edits != 2) {
      throw Refusal.badArgument("Valid edit distances are [0, 1, 2] but was [" + text + "]");
    }
    return (int) edits;
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
    if (analyzer != null && context.mapping().analyzer(analyzer) == null) {
      throw Refusal.badArgument("analyzer [" + analyzer + "] doesn't exists");
    }
    CompletionQuery query = query(context, completion);
    if (!completion.contexts().isEmpty()) {
      query = CompletionContexts.narrow(query, completion.contexts(), contexts);
    } else if (contexts != null) {
      throw Refusal.badArgument("suggester [" + field + "] doesn't expect any context");
    }
    SuggestIndexSearcher searcher = new SuggestIndexSearcher(context.searcher().getIndexReader());
    List<SuggestScoreDoc> best;
    try {
      best = best(context, searcher, query);
    } catch (TooComplexToDeterminizeException e) {
      throw new Refusal(ErrorType.ILLEGAL_ARGUMENT, String.valueOf(e.getMessage()), e);
    }
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
  private List<SuggestScoreDoc> best(
      QueryContext context, SuggestIndexSearcher searcher, CompletionQuery query)
      throws IOException {
    // Lucene has room for as many as are wanted, whatever there is.
    int wanted = Math.min(size, Math.max(INPUTS_MAX, searcher.getIndexReader().maxDoc()));
    while (true) {
      StopSignal.look();
      context.memory().add((long) INPUT_BYTES * wanted);
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
    Term term = new Term(context.path(field), text);
    if (expression != null) {
      int statesMax =
          RegexpAutomata.affordable(context.memory(), text, expression.flags, expression.statesMax);
      return new RegexCompletionQuery(term, expression.flags, statesMax);
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
            RegexpAutomata.affordable(fuzzy.statesMax));
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
