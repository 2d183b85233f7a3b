package dev.holdfast.query.clause.fulltext;

import com.fasterxml.jackson.databind.node.TextNode;
import dev.holdfast.document.FieldType;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.clause.term.FieldQueries;
import dev.holdfast.query.clause.term.Patterns;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.StopSignal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

  /// What parts of the text became. The parser compares each part with all before it: of a text
  /// that repeats itself, all parts would be compared in depth, were they not the same object.
  private final Map<Part, Optional<Query>> made = new HashMap<>();

  private final LeafLimit leaves = new LeafLimit();

  SimpleStringParser(QueryContext context, SimpleQueryStringClause clause, FieldWeights fields) {
    super(new KeywordAnalyzer(), fields.boosts(), clause.flags());
    this.context = context;
    this.clause = clause;
    this.fields = fields;
  }

  /// A part of the text.
  ///
  /// @param number edits or slop
  private record Part(Kind kind, String text, int number) {
    enum Kind {
      WORDS,
      FUZZY,
      PHRASE,
      PREFIX
    }
  }

  /// What one field makes of a part of the text.
  @FunctionalInterface
  private interface ForField {
    Query query(String field, MatchOptions options);
  }

  private @Nullable Query each(Part part, ForField of) {
    StopSignal.poll();
    Optional<Query> known = made.get(part);
    if (known == null) {
      known = Optional.ofNullable(made(part, of));
      made.put(part, known);
    }
    return known.orElse(null);
  }

  @SuppressWarnings("ReferenceEquality") // a marker
  private @Nullable Query made(Part part, ForField of) {
    boolean isLenient = clause.options().isLenient() || fields.isLenient();
    MatchOptions options = clause.options().ofOneField(isLenient);
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
      query = leaves.add(query);
      if (query != TextQueries.NO_TERMS) {
        queries.add(one.getValue() == 1 ? query : new BoostQuery(query, one.getValue()));
      }
    }
    return switch (queries.size()) {
      case 0 -> null;
      case 1 -> queries.getFirst();
      default -> new DisjunctionMaxQuery(queries, part.kind() == Part.Kind.PHRASE ? 0 : 1);
    };
  }

  @Override
  @SuppressWarnings("NullAway") // the parser leaves out what is null
  protected Query newDefaultQuery(String text) {
    return each(
        new Part(Part.Kind.WORDS, text, 0),
        (field, options) ->
            TextQueries.match(context, field, TextNode.valueOf(text), MatchKind.BOOLEAN, options));
  }

  @Override
  @SuppressWarnings("NullAway") // the parser leaves out what is null
  protected Query newFuzzyQuery(String text, int edits) {
    return each(
        new Part(Part.Kind.FUZZY, text, edits),
        (field, options) -> {
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
    return each(
        new Part(Part.Kind.PHRASE, text, slop),
        (field, options) -> {
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
    return each(
        new Part(Part.Kind.PREFIX, text, 0),
        (field, _) -> {
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
