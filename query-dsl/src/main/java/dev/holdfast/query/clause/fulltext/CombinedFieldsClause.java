package dev.holdfast.query.clause.fulltext;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.FieldType;
import dev.holdfast.query.ClauseBody;
import dev.holdfast.query.QueryClause;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.clause.term.MinimumShouldMatch;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.CombinedFieldQuery;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.util.QueryBuilder;
import org.jspecify.annotations.Nullable;

/// Documents with the words of a text in any of several fields, scored as if the fields were one.
public record CombinedFieldsClause(String query, List<String> fields, MatchOptions options)
    implements QueryClause {

  public static QueryClause parse(ClauseBody body) {
    ClauseBody.Options of = body.options();
    JsonObject json = of.json();
    String query = json.string("query");
    if (query == null) {
      throw Refusal.badArgument("Required [query]");
    }
    List<String> fields = json.strings("fields");
    if (fields.isEmpty()) {
      throw Refusal.badArgument("No fields specified for combined_fields query");
    }
    MatchOptions options =
        new MatchOptions(
            null,
            MatchOptions.operator(json.string("operator")),
            least(json),
            null,
            null,
            false,
            MatchOptions.zeroTerms(json.string("zero_terms_query")),
            json.bool("auto_generate_synonyms_phrase_query", true),
            0,
            MatchOptions.PLAIN.expansionsMax());
    MinimumShouldMatch.check(options.minimumShouldMatch());
    return of.finish(new CombinedFieldsClause(query, List.copyOf(fields), options));
  }

  /// As text; a number is one, too.
  private static @Nullable String least(JsonObject json) {
    JsonNode given = json.orNull("minimum_should_match");
    return given != null && given.isNumber()
        ? given.asText()
        : json.stringOrNull("minimum_should_match");
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // the same analyser, not an equal one
  public Query toLucene(QueryContext context) {
    Map<String, Float> boosts = FieldWeights.resolve(context, fields).boosts();
    boosts.keySet().removeIf(field -> context.type(field) == null);
    if (boosts.isEmpty()) {
      return new MatchNoDocsQuery("no fields");
    }
    Analyzer shared = null;
    for (Map.Entry<String, Float> field : boosts.entrySet()) {
      FieldType type = context.type(field.getKey());
      Analyzer analyzer = type == null ? null : type.searchAnalyzer();
      if (type == null || analyzer == null) {
        throw Refusal.badArgument(
            "Field ["
                + field.getKey()
                + "] of type ["
                + (type == null ? "" : type.typeName())
                + "] does not support [combined_fields] queries");
      }
      if (field.getValue() < 1) {
        throw Refusal.badArgument("[combined_fields] requires field boosts to be >= 1.0");
      }
      if (shared != null && shared != analyzer) {
        throw Refusal.badArgument(
            "All fields in [combined_fields] query must have the same search analyzer");
      }
      shared = analyzer;
    }
    return query(shared, boosts);
  }

  private Query query(@Nullable Analyzer analyzer, Map<String, Float> boosts) {
    Query words =
        new Combining(analyzer, boosts, options)
            .createBooleanQuery(boosts.keySet().iterator().next(), query, options.operator());
    if (words == null) {
      return options.isZeroTermsAll() ? MatchAllDocsQuery.INSTANCE : TextQueries.NO_TERMS;
    }
    return words instanceof BooleanQuery several
        ? MinimumShouldMatch.apply(several, options.minimumShouldMatch())
        : words;
  }

  /// Makes a word a query over all fields.
  private static final class Combining extends QueryBuilder {
    private final Map<String, Float> boosts;

    Combining(@Nullable Analyzer analyzer, Map<String, Float> boosts, MatchOptions options) {
      super(Objects.requireNonNull(analyzer));
      this.boosts = boosts;
      setAutoGenerateMultiTermSynonymsPhraseQuery(options.withSynonymPhrases());
    }

    @Override
    protected @Nullable Query createFieldQuery(
        TokenStream source,
        BooleanClause.Occur operator,
        String field,
        boolean isQuoted,
        int slop) {
      return super.createFieldQuery(new CountedTokens(source), operator, field, isQuoted, slop);
    }

    @Override
    protected Query newTermQuery(Term term, float boost) {
      CombinedFieldQuery.Builder combined = new CombinedFieldQuery.Builder(term.bytes());
      boosts.forEach(combined::addField);
      return combined.build();
    }

    @Override
    protected Query newSynonymQuery(String field, TermAndBoost[] terms) {
      BooleanQuery.Builder any = new BooleanQuery.Builder();
      for (TermAndBoost term : terms) {
        any.add(
            newTermQuery(new Term(field, term.term()), term.boost()), BooleanClause.Occur.SHOULD);
      }
      return any.build();
    }
  }
}
