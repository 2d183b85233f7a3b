package dev.holdfast.query;

import com.fasterxml.jackson.databind.node.TextNode;
import dev.holdfast.document.FieldType;
import dev.holdfast.world.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.lucene.analysis.core.KeywordAnalyzer;
import org.apache.lucene.index.Term;
import org.apache.lucene.queryparser.simple.SimpleQueryParser;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.DisjunctionMaxQuery;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.PrefixQuery;
import org.apache.lucene.search.Query;
import org.jspecify.annotations.Nullable;

/// Lucene's simple parser with Elasticsearch's fields.
final class SimpleStringParser extends SimpleQueryParser {
  private final QueryContext context;
  private final SimpleQueryStringClause clause;
  private final FieldWeights fields;

  SimpleStringParser(QueryContext context, SimpleQueryStringClause clause, FieldWeights fields) {
    super(new KeywordAnalyzer(), fields.boosts(), clause.flags());
    this.context = context;
    this.clause = clause;
    this.fields = fields;
  }

  /// What one field makes of a part of the text.
  @FunctionalInterface
  private interface ForField {
    Query query(String field, MatchOptions options);
  }

  @SuppressWarnings("ReferenceEquality") // a marker
  private @Nullable Query each(ForField of) {
    boolean isLenient = clause.options().isLenient() || fields.isLenient();
    MatchOptions options = isLenient ? clause.options().lenient() : clause.options();
    List<Query> queries = new ArrayList<>();
    for (Map.Entry<String, Float> one : fields.boosts().entrySet()) {
      Query query;
      try {
        query = of.query(one.getKey(), options);
      } catch (Refusal e) {
        if (!isLenient) {
          throw e;
        }
        query = new MatchNoDocsQuery("failed leniently: " + e.reason());
      }
      if (query != TextQueries.NO_TERMS) {
        queries.add(one.getValue() == 1 ? query : new BoostQuery(query, one.getValue()));
      }
    }
    return switch (queries.size()) {
      case 0 -> null;
      case 1 -> queries.getFirst();
      default -> new DisjunctionMaxQuery(queries, 1);
    };
  }

  @Override
  @SuppressWarnings("NullAway") // the parser leaves out what is null
  protected Query newDefaultQuery(String text) {
    return each((field, options) ->
        TextQueries.match(context, field, TextNode.valueOf(text), MatchKind.BOOLEAN, options));
  }

  @Override
  @SuppressWarnings("NullAway") // the parser leaves out what is null
  protected Query newFuzzyQuery(String text, int edits) {
    return each((field, options) -> {
      FieldType type = context.type(field);
      if (type == null) {
        return FieldQueries.unmapped(field);
      }
      if (!type.hasTerms()) {
        throw Refusal.badArgument(
            "Can only use fuzzy queries on keyword and text fields - not on ["
                + field
                + "] which is of type ["
                + type.typeName()
                + "]");
      }
      return clause
          .fuzziness()
          .withEdits(edits)
          .query(field, type.normalize(text), options.fuzzyRewrite());
    });
  }

  @Override
  @SuppressWarnings("NullAway") // the parser leaves out what is null
  protected Query newPhraseQuery(String text, int slop) {
    String suffix = clause.quoteFieldSuffix();
    return each((field, options) -> {
      String asked =
          suffix != null && context.type(field + suffix) != null ? field + suffix : field;
      return TextQueries.match(
          context,
          asked,
          TextNode.valueOf(text),
          MatchKind.PHRASE,
          options.phrase(options.analyzer(), slop, options.isLenient()));
    });
  }

  @Override
  @SuppressWarnings("NullAway") // the parser leaves out what is null
  protected Query newPrefixQuery(String text) {
    return each((field, _) -> {
      FieldType type = context.type(field);
      if (type == null) {
        return FieldQueries.unmapped(field);
      }
      return Patterns.withTerms(
          context,
          "prefix",
          field,
          known -> new PrefixQuery(new Term(field, known.normalize(text))));
    });
  }
}
