package dev.holdfast.query.suggest;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.QueryReader;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.StopSignal;
import dev.holdfast.world.WorkMemory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.spell.SuggestWord;
import org.jspecify.annotations.Nullable;

/// `phrase`: other texts, made of words of the index that are near the text's own, and that follow
/// each other in the index.
///
/// @param gramSize words that one term of the field holds at most
/// @param confidence suggestions must be better than the text by this factor
/// @param errorsMax words that may be wrong: a number, or a share below 1
/// @param needsWords whether an analyser that gives groups of words only is refused
/// @param preTag null for no highlighting
/// @param collate query that a suggestion must find something with; null for none
/// @param queries reads that query
record PhraseSuggester(
    String text,
    String field,
    @Nullable String analyzer,
    int size,
    int shardSize,
    int gramSize,
    double realWordLikelihood,
    double confidence,
    double errorsMax,
    String separator,
    boolean needsWords,
    int tokensMax,
    List<Generator> generators,
    Smoothing smoothing,
    @Nullable String preTag,
    String postTag,
    @Nullable String collate,
    Map<String, String> collateParams,
    boolean collatePrunes,
    QueryReader queries)
    implements Suggester {
  /// Texts tried: more would take too long.
  private static final int TRIES_MAX = 100_000;

  /// A guess beside its words.
  private static final int GUESS_BYTES = 64;

  /// A letter that is joined, and its copy in the text.
  private static final int LETTER_BYTES = 4;

  /// Where candidates for a word come from.
  ///
  /// @param before analyser of the word, before others like it are looked for; null for none
  /// @param after analyser of the words found; null for none
  record Generator(
      String field,
      int size,
      SpellOptions spelling,
      @Nullable String before,
      @Nullable String after) {}

  /// What corrected words are shown in.
  ///
  /// @param before null for not at all
  private record Tags(@Nullable String before, String after) {
    static Tags parse(@Nullable JsonNode given) {
      if (given == null) {
        return new Tags(null, "");
      }
      if (!given.isObject()) {
        throw new Refusal(ErrorType.PARSING, "suggester[phrase] doesn't support field [highlight]");
      }
      JsonObject json = JsonObject.ofValuesOrNull("highlight", given);
      String before = json.string("pre_tag");
      String after = json.string("post_tag");
      if (!json.rest().isEmpty()) {
        throw new Refusal(
            ErrorType.PARSING,
            "suggester[phrase][highlight] doesn't support field [" + json.rest().getFirst() + "]");
      }
      if ((before == null) != (after == null)) {
        throw Refusal.badArgument("Pre and post tag must both be null or both not be null.");
      }
      return new Tags(before, after == null ? "" : after);
    }
  }

  static Suggester parse(JsonObject json, String text, QueryReader queries) {
    String field = json.string("field");
    if (field == null) {
      throw SuggestRequest.missingField();
    }
    int size = json.integer("size", 5);
    if (size <= 0) {
      throw Refusal.badArgument("size must be positive");
    }
    List<Generator> generators = generators(json.take("direct_generator"), field);
    Tags tags = Tags.parse(json.take("highlight"));
    Collation collation = Collation.parse(json.take("collate"));
    String own = json.string("text");
    return new PhraseSuggester(
        own == null ? text : own,
        field,
        json.string("analyzer"),
        size,
        SuggestNumbers.shardSize(json, size),
        json.has("gram_size") ? SuggestNumbers.atLeastOne(json, "gram_size", "gramSize") : 0,
        SuggestNumbers.positive(
            json, "real_word_error_likelihood", "real_word_error_likelihood", 0.95),
        SuggestNumbers.confidence(json),
        SuggestNumbers.positive(json, "max_errors", "max_error", 1),
        json.string("separator", " "),
        json.bool("force_unigrams", true),
        json.has("token_limit")
            ? SuggestNumbers.atLeastOne(json, "token_limit", "token_limit")
            : 10,
        generators,
        Smoothing.parse(json.take("smoothing")),
        tags.before(),
        tags.after(),
        collation.query(),
        collation.params(),
        collation.prunes(),
        queries);
  }

  /// @param given null for one generator over the field itself
  private static List<Generator> generators(@Nullable JsonNode given, String field) {
    if (given == null) {
      SpellOptions spelling = SpellOptions.parse(JsonObject.of("g", Json.object()));
      return List.of(new Generator(field, 5, spelling, null, null));
    }
    if (!given.isArray()) {
      throw new Refusal(
          ErrorType.PARSING, "suggester[phrase] doesn't support array field [direct_generator]");
    }
    List<Generator> generators = new ArrayList<>();
    for (JsonNode one : given) {
      JsonObject options = JsonObject.ofKinds("direct_generator", one);
      String from = options.string("field");
      if (from == null) {
        throw Refusal.badArgument("Required [field]");
      }
      int count = options.integer("size", 5);
      if (count <= 0) {
        throw Refusal.badArgument("Size must be positive");
      }
      String before = options.string("pre_filter");
      String after = options.string("post_filter");
      generators.add(new Generator(from, count, SpellOptions.parse(options), before, after));
      options.done();
    }
    return List.copyOf(generators);
  }

  /// A word that could be at a place.
  record Candidate(String word, double distance, boolean isOriginal) {}

  /// A text that could have been meant.
  private record Guess(List<Candidate> words, double score) {}

  /// Tries the candidates of all places with each other, place by place.
  private static final class Guessing {
    private final WordModel model;
    private final List<List<Candidate>> places;
    private final double scoreMin;
    private final int kept;
    private final List<Candidate> sofar = new ArrayList<>();
    private final List<Guess> found = new ArrayList<>();
    private int foundMax;
    private int tries;

    /// @param scoreMin which guesses must be above
    /// @param kept how many are wanted at most
    Guessing(WordModel model, List<List<Candidate>> places, double scoreMin, int kept) {
      this.model = model;
      this.places = places;
      this.scoreMin = scoreMin;
      this.kept = kept;
    }

    /// The guesses with so many other words than the text at most, best first.
    List<Guess> best(int errorsMax) throws IOException {
      go(errorsMax);
      cut();
      return found;
    }

    /// Keeps the best, of equal ones those found first.
    private void cut() {
      found.sort(Comparator.comparingDouble(guess -> -guess.score));
      if (found.size() > kept) {
        found.subList(kept, found.size()).clear();
      }
    }

    private void keep(Guess guess) {
      found.add(guess);
      if (found.size() > foundMax) {
        foundMax = found.size();
        WorkMemory.add(GUESS_BYTES + (long) Integer.BYTES * places.size());
      }
      if (found.size() >= 2L * kept) {
        cut();
      }
    }

    private void go(int errorsLeft) throws IOException {
      if (sofar.size() == places.size()) {
        double score = model.score(sofar);
        if (score > scoreMin) {
          keep(new Guess(List.copyOf(sofar), score));
        }
        return;
      }
      for (Candidate candidate : places.get(sofar.size())) {
        if ((!candidate.isOriginal && errorsLeft == 0) || tries++ > TRIES_MAX) {
          continue;
        }
        StopSignal.poll();
        sofar.add(candidate);
        go(candidate.isOriginal ? errorsLeft : errorsLeft - 1);
        sofar.removeLast();
      }
    }
  }

  @Override
  public List<Entry> of(QueryContext context, Documents documents) throws IOException {
    List<Option> options = new ArrayList<>();
    List<SuggestTokens.Token> tokens = words(context);
    IndexReader reader = context.searcher().getIndexReader();
    if (!tokens.isEmpty() && tokens.size() <= tokensMax) {
      WordModel model =
          WordModel.of(reader, context.path(field), separator, gramSize(context), this);
      List<List<Candidate>> places = new ArrayList<>();
      for (SuggestTokens.Token token : tokens) {
        places.add(candidates(context, token.text()));
      }
      double own = model.score(places.stream().map(List::getFirst).toList());
      int errors =
          (int) (errorsMax >= 1 ? errorsMax : Math.max(1, Math.round(errorsMax * tokens.size())));
      for (Guess guess : new Guessing(model, places, own * confidence, shardSize).best(errors)) {
        Option option = option(context, guess);
        if (option != null) {
          options.add(option);
        }
      }
    }
    return List.of(new Entry(text, 0, text.length(), options));
  }

  /// The text's words; of several at one place, as shingles are, the shortest.
  private List<SuggestTokens.Token> words(QueryContext context) throws IOException {
    Map<Integer, SuggestTokens.Token> byStart = new TreeMap<>();
    List<SuggestTokens.Token> tokens = SuggestTokens.of(context, field, analyzer, text);
    if (needsWords
        && !tokens.isEmpty()
        && tokens.stream().allMatch(SuggestTokens.Token::isShingle)) {
      throw Refusal.badArgument(
          "The analyzer of field ["
              + field
              + "] can't be used by a phrase suggester since it doesn't emit unigrams; set"
              + " [force_unigrams] to false if that is meant");
    }
    for (SuggestTokens.Token token : tokens) {
      byStart.merge(token.start(), token, (a, b) -> a.end() <= b.end() ? a : b);
    }
    return new ArrayList<>(byStart.values());
  }

  /// As asked, or the longest of the shingles that the analyser makes.
  private int gramSize(QueryContext context) throws IOException {
    if (gramSize > 0) {
      return gramSize;
    }
    int longest = 1;
    for (SuggestTokens.Token token : SuggestTokens.of(context, field, analyzer, text)) {
      if (token.isShingle()) {
        longest = Math.max(longest, token.text().split(Pattern.quote(separator), -1).length);
      }
    }
    return longest;
  }

  private List<Candidate> candidates(QueryContext context, String word) throws IOException {
    IndexReader reader = context.searcher().getIndexReader();
    List<Candidate> candidates = new ArrayList<>();
    Set<String> seen = new LinkedHashSet<>();
    candidates.add(new Candidate(word, realWordLikelihood, true));
    seen.add(word);
    for (Generator generator : generators) {
      String path = context.path(generator.field);
      Term sought = new Term(path, filtered(context, generator.before, word));
      for (SuggestWord similar : generator.spelling.similar(sought, generator.size, reader)) {
        String found = filtered(context, generator.after, similar.string);
        if (seen.add(found)) {
          candidates.add(new Candidate(found, similar.score, false));
        }
      }
    }
    return candidates;
  }

  /// A word as an analyser leaves it.
  private String filtered(QueryContext context, @Nullable String by, String word)
      throws IOException {
    List<SuggestTokens.Token> tokens =
        by == null ? List.of() : SuggestTokens.of(context, field, by, word);
    return tokens.isEmpty() ? word : tokens.getFirst().text();
  }

  private @Nullable Option option(QueryContext context, Guess guess) throws IOException {
    reserve(guess);
    String joined = String.join(separator, guess.words.stream().map(Candidate::word).toList());
    Boolean match = collate == null ? null : (Boolean) isFound(context, joined);
    if (match != null && !match && !collatePrunes) {
      return null;
    }
    return new Option(
        joined,
        guess.score,
        -1,
        preTag == null ? null : highlighted(guess),
        collatePrunes ? match : null);
  }

  /// The separator and the tags may each be as long as a body.
  private void reserve(Guess guess) {
    long words = guess.words.size();
    long letters = words * separator.length();
    for (Candidate word : guess.words) {
      letters += word.word.length();
    }
    if (preTag != null) {
      letters = 2 * letters + words * ((long) preTag.length() + postTag.length());
    }
    WorkMemory.add(LETTER_BYTES * letters);
  }

  private boolean isFound(QueryContext context, String suggestion) throws IOException {
    String query = Collation.filled(String.valueOf(collate), suggestion, collateParams);
    return context.searcher().count(queries.read(Json.parse(query)).toLucene(context)) > 0;
  }

  private String highlighted(Guess guess) {
    List<String> parts = new ArrayList<>();
    List<String> run = new ArrayList<>();
    for (Candidate word : guess.words) {
      if (word.isOriginal && !run.isEmpty()) {
        parts.add(preTag + String.join(separator, run) + postTag);
        run.clear();
      }
      (word.isOriginal ? parts : run).add(word.word);
    }
    if (!run.isEmpty()) {
      parts.add(preTag + String.join(separator, run) + postTag);
    }
    return String.join(separator, parts);
  }

  @Override
  public List<Entry> merge(List<List<Entry>> shards) {
    Map<String, Option> options = new LinkedHashMap<>();
    for (List<Entry> shard : shards) {
      for (Option one : shard.getFirst().options()) {
        options.merge(one.text(), one, (a, b) -> a.score() >= b.score() ? a : b);
      }
    }
    List<Option> best = new ArrayList<>(options.values());
    best.sort(Comparator.comparingDouble((Option one) -> -one.score()).thenComparing(Option::text));
    return List.of(
        new Entry(
            text, 0, text.length(), List.copyOf(best.subList(0, Math.min(size, best.size())))));
  }
}
