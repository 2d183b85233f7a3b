package dev.holdfast.query.clause.fulltext;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.FieldType;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.clause.term.MinimumShouldMatch;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.util.QueryBuilder;
import org.jspecify.annotations.Nullable;

/// `cross_fields`: fields with the same analyser are searched as if they were one; each word may be
/// in any of them, its frequencies blended.
final class CrossFields {
  private CrossFields() {}

  /// A query for each group of fields that share an analyser, and one for each field without.
  static List<Query> queries(
      QueryContext context,
      Map<String, Float> boosts,
      JsonNode value,
      MatchOptions options,
      float tieBreaker) {
    List<Group> groups = new ArrayList<>();
    List<Query> queries = new ArrayList<>();
    for (Map.Entry<String, Float> field : boosts.entrySet()) {
      FieldType type = context.type(field.getKey());
      Analyzer analyzer = type == null ? null : TextQueries.analyzer(context, type, null);
      if (type == null || analyzer == null) {
        Query query = TextQueries.match(context, field.getKey(), value, MatchKind.BOOLEAN, options);
        queries.add(new BoostQuery(query, field.getValue()));
        continue;
      }
      groupOf(groups, analyzer).boosts().put(field.getKey(), field.getValue());
    }
    BlendedTerms terms = new BlendedTerms(context.searcher(), tieBreaker);
    for (Group group : groups) {
      Analyzer named = TextQueries.analyzer(context, null, options.analyzer());
      Analyzer used = named == null ? group.analyzer() : named;
      queries.add(blended(used, group.boosts(), value.asText(), options, terms));
    }
    return queries;
  }

  /// Fields that share an analyser, with their boosts.
  private record Group(Analyzer analyzer, Map<String, Float> boosts) {}

  @SuppressWarnings("ReferenceEquality") // the same analyser, not an equal one
  private static Group groupOf(List<Group> groups, Analyzer analyzer) {
    for (Group group : groups) {
      if (group.analyzer() == analyzer) {
        return group;
      }
    }
    Group group = new Group(analyzer, new LinkedHashMap<>());
    groups.add(group);
    return group;
  }

  private static Query blended(
      Analyzer analyzer,
      Map<String, Float> boosts,
      String text,
      MatchOptions options,
      BlendedTerms blended) {
    Query query =
        new Blending(analyzer, boosts, blended)
            .createBooleanQuery(boosts.keySet().iterator().next(), text, options.operator());
    if (query == null) {
      return options.isZeroTermsAll()
          ? MatchAllDocsQuery.INSTANCE
          : new MatchNoDocsQuery("no terms in the text");
    }
    return query instanceof BooleanQuery words
        ? MinimumShouldMatch.apply(words, options.minimumShouldMatch())
        : query;
  }

  /// Makes a word a query over all fields of a group.
  private static final class Blending extends QueryBuilder {
    private final Map<String, Float> boosts;
    private final BlendedTerms blended;

    Blending(Analyzer analyzer, Map<String, Float> boosts, BlendedTerms blended) {
      super(analyzer);
      this.boosts = boosts;
      this.blended = blended;
    }

    @Override
    protected @Nullable Query createFieldQuery(
        TokenStream source, Occur operator, String field, boolean isQuoted, int slop) {
      return super.createFieldQuery(new CountedTokens(source), operator, field, isQuoted, slop);
    }

    @Override
    protected Query newTermQuery(Term term, float boost) {
      List<BlendedTerms.Weighted> terms = new ArrayList<>();
      boosts.forEach((field, weight) ->
          terms.add(new BlendedTerms.Weighted(new Term(field, term.bytes()), weight * boost)));
      return blended.query(terms);
    }

    @Override
    protected Query newSynonymQuery(String field, TermAndBoost[] terms) {
      BooleanQuery.Builder any = new BooleanQuery.Builder();
      for (TermAndBoost term : terms) {
        any.add(newTermQuery(new Term(field, term.term()), term.boost()), Occur.SHOULD);
      }
      return any.build();
    }
  }
}
