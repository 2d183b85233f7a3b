package dev.holdfast.query.clause.specialized;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.FieldType;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.clause.fulltext.TextQueries;
import dev.holdfast.query.clause.specialized.MoreLikeThisClause.Item;
import dev.holdfast.query.clause.specialized.MoreLikeThisClause.Selection;
import dev.holdfast.query.clause.term.MinimumShouldMatch;
import dev.holdfast.query.source.SourceValues;
import dev.holdfast.world.StopSignal;
import dev.holdfast.world.WorkMemory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.similarities.ClassicSimilarity;
import org.jspecify.annotations.Nullable;

/// The words of texts and documents that tell them best from others: often in them, seldom in the
/// index.
final class InterestingTerms {
  private static final int WORD_BYTES = 128;

  private final QueryContext context;
  private final MoreLikeThisClause clause;
  private final List<String> fields;
  private final IndexReader reader;
  private final Set<Term> unwanted = new HashSet<>();

  /// @param reader in which words are more or less frequent
  InterestingTerms(
      QueryContext context, MoreLikeThisClause clause, List<String> fields, IndexReader reader) {
    this.context = context;
    this.clause = clause;
    this.fields = fields;
    this.reader = reader;
  }

  /// A word with its worth.
  private record Telling(Term term, float score) {}

  /// One query for the documents liked, one for the texts.
  List<Query> queries() {
    try {
      for (Item item : clause.unlike()) {
        String text = item.text();
        if (text != null) {
          refuse(item, fields.getFirst(), text); // Elasticsearch looks into the first field alone
        }
        for (String field : fields) {
          for (String value : values(item, field)) {
            refuse(item, field, value);
          }
        }
      }
      List<Query> queries = new ArrayList<>();
      add(queries, ofDocuments());
      add(queries, ofTexts());
      return queries;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void refuse(Item item, String field, String text) throws IOException {
    count(item, field, text, new HashMap<>())
        .keySet()
        .forEach(word -> unwanted.add(new Term(field, word)));
  }

  private void add(List<Query> queries, BooleanQuery query) {
    if (!query.clauses().isEmpty()) {
      queries.add(MinimumShouldMatch.apply(query, clause.minimumShouldMatch()));
    }
  }

  private BooleanQuery ofDocuments() throws IOException {
    BooleanQuery.Builder all = new BooleanQuery.Builder();
    Set<String> compared = new LinkedHashSet<>(fields);
    for (Item item : clause.like()) {
      compared.addAll(artificialFields(item));
    }
    for (String field : compared) {
      Map<String, Integer> frequencies = new HashMap<>();
      for (Item item : clause.like()) {
        List<String> only = item.fields();
        boolean isWanted =
            (item.document() != null && item.id() == null)
                ? artificialFields(item).contains(field)
                : (only == null
                    ? fields.contains(field)
                    : only.stream().map(context::path).anyMatch(field::equals));
        if (!isWanted) {
          continue;
        }
        for (String value : values(item, field)) {
          count(item, field, value, frequencies);
        }
      }
      addBest(all, frequencies, word -> new Term(field, word));
    }
    return all.build();
  }

  /// Documents that are in no index are compared by all their texts, whatever fields the query
  /// names; Elasticsearch makes their term vectors like that.
  private List<String> artificialFields(Item item) {
    JsonNode document = item.document();
    if (document == null || item.id() != null) {
      return List.of();
    }
    return context.mapping().matching("*").stream()
        .filter(field -> MoreLikeThisClause.isSupported(context.type(field)))
        .filter(field -> !values(item, field).isEmpty())
        .toList();
  }

  /// Words of texts belong to the field where they are most frequent.
  private BooleanQuery ofTexts() throws IOException {
    Map<String, Integer> frequencies = new HashMap<>();
    for (Item item : clause.like()) {
      String text = item.text();
      if (text != null) {
        count(item, fields.getFirst(), text, frequencies);
      }
    }
    BooleanQuery.Builder all = new BooleanQuery.Builder();
    addBest(all, frequencies, this::inBestField);
    return all.build();
  }

  private Term inBestField(String word) {
    Term best = new Term(fields.getFirst(), word);
    int most = -1;
    try {
      for (String field : fields) {
        Term term = new Term(field, word);
        int frequency = reader.docFreq(term);
        if (frequency > most) {
          most = frequency;
          best = term;
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return best;
  }

  private void addBest(
      BooleanQuery.Builder all, Map<String, Integer> frequencies, Function<String, Term> term)
      throws IOException {
    Selection selection = clause.selection();
    ClassicSimilarity similarity = new ClassicSimilarity();
    List<Telling> telling = new ArrayList<>();
    for (Map.Entry<String, Integer> word : frequencies.entrySet()) {
      Term one = term.apply(word.getKey());
      int docFrequency = reader.docFreq(one);
      if (word.getValue() < selection.termFrequencyMin()
          || docFrequency < selection.docFrequencyMin()
          || docFrequency > selection.docFrequencyMax()
          || docFrequency == 0
          || unwanted.contains(one)) {
        continue;
      }
      float score = word.getValue() * similarity.idf(docFrequency, reader.numDocs());
      telling.add(new Telling(one, score));
    }
    telling.sort(
        Comparator.comparingDouble((Telling one) -> -one.score).thenComparing(one -> one.term));
    List<Telling> kept = telling.subList(0, Math.min(telling.size(), selection.termsMax()));
    float least = kept.isEmpty() ? 1 : kept.getLast().score;
    for (Telling one : kept) {
      Query query = new TermQuery(one.term);
      float boost = selection.boostTerms() * one.score / least;
      all.add(selection.boostTerms() > 0 ? new BoostQuery(query, boost) : query, Occur.SHOULD);
    }
  }

  private List<String> values(Item item, String field) {
    JsonNode document = item.document();
    return document == null ? List.of() : SourceValues.textsOfField(context, document, field);
  }

  private Map<String, Integer> count(
      Item item, String field, String text, Map<String, Integer> frequencies) throws IOException {
    Analyzer analyzer = analyzer(item, field);
    if (analyzer == null) {
      FieldType type = context.type(field);
      String whole = type == null ? text : type.normalize(text);
      if (isWord(whole)) {
        frequencies.merge(whole, 1, Integer::sum);
      }
      return frequencies;
    }
    try (TokenStream tokens = analyzer.tokenStream(field, text)) {
      CharTermAttribute word = tokens.addAttribute(CharTermAttribute.class);
      tokens.reset();
      while (tokens.incrementToken()) {
        StopSignal.pollForCancelling();
        String candidate = word.toString();
        if (isWord(candidate) && frequencies.merge(candidate, 1, Integer::sum) == 1) {
          WorkMemory.add(WORD_BYTES + candidate.length());
        }
      }
      tokens.end();
    }
    return frequencies;
  }

  private boolean isWord(String word) {
    Selection selection = clause.selection();
    return word.length() >= selection.lengthMin()
        && (selection.lengthMax() <= 0 || word.length() <= selection.lengthMax())
        && !selection.stopWords().contains(word);
  }

  private @Nullable Analyzer analyzer(Item item, String field) {
    String ofQuery = clause.selection().analyzer();
    String ofItem = item.analyzers().get(field);
    String named = ofItem == null ? ofQuery : ofItem;
    FieldType type = context.type(field);
    return named != null
        ? TextQueries.analyzer(context, type, named)
        : type == null ? null : type.indexAnalyzer();
  }
}
