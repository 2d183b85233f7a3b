package dev.holdfast.query.clause.fulltext;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.holdfast.document.FieldType;
import dev.holdfast.document.MetadataFields;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.clause.term.FieldQueries;
import dev.holdfast.query.clause.term.Fuzziness;
import dev.holdfast.query.clause.term.MinimumShouldMatch;
import dev.holdfast.query.clause.term.Patterns;
import dev.holdfast.world.Refusal;
import java.util.List;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.PrefixQuery;
import org.apache.lucene.search.Query;
import org.jspecify.annotations.Nullable;

/// What the match family asks of one field: analysed text for text fields, the exact value for
/// others.
public final class TextQueries {
  /// What a text without any token means where it means nothing; compared by identity.
  static final Query NO_TERMS = new MatchNoDocsQuery("no terms in the text");

  private TextQueries() {}

  static Query match(
      QueryContext context, String field, JsonNode value, MatchKind kind, MatchOptions options) {
    FieldType type = context.type(field);
    if (type == null && !field.equals(MetadataFields.INDEX)) {
      return FieldQueries.unmapped(field);
    }
    Analyzer analyzer =
        kind == MatchKind.PHRASE && options.analyzer() == null && type != null
            ? type.quoteAnalyzer()
            : analyzer(context, type, options.analyzer());
    if (type != null && analyzer == null && type.splitsWords() && !kind.isPhrase()) {
      return ofWords(context, field, type, value.asText(), kind, options);
    }
    if (type == null || analyzer == null || !type.hasTerms()) {
      return exact(context, field, type, value, kind, options);
    }
    FieldQueries.checkSearchable(field, type);
    if (kind.isPhrase()) {
      FieldQueries.checkPositions(context, field);
    }
    return analysed(
        context,
        new TextQueryBuilder(analyzer, options),
        context.path(field),
        value.asText(),
        kind,
        options);
  }

  /// The analyser for query text, or null when the field's values are not analysed.
  public static @Nullable Analyzer analyzer(
      QueryContext context, @Nullable FieldType type, @Nullable String name) {
    return name == null ? (type == null ? null : type.searchAnalyzer()) : named(context, name);
  }

  static Query analysed(
      QueryContext context,
      TextQueryBuilder builder,
      String field,
      String text,
      MatchKind kind,
      MatchOptions options) {
    Query query =
        switch (kind) {
          case BOOLEAN -> builder.createBooleanQuery(field, text, options.operator());
          case BOOLEAN_PREFIX -> {
            Query all = builder.createBooleanQuery(field, text, options.operator());
            yield all == null ? null : TrailingPrefix.ofWords(context, all);
          }
          case PHRASE -> builder.createPhraseQuery(field, text, options.slop());
          case PHRASE_PREFIX -> {
            Query phrase = builder.createUnfinishedPhrase(field, text, options.slop());
            yield phrase == null ? null : TrailingPrefix.ofPhrase(phrase, options.expansionsMax());
          }
        };
    if (query == null) {
      return options.isZeroTermsAll() ? MatchAllDocsQuery.INSTANCE : NO_TERMS;
    }
    return query instanceof BooleanQuery words && !kind.isPhrase()
        ? MinimumShouldMatch.apply(words, options.minimumShouldMatch())
        : query;
  }

  /// Each word between white space as a value of its own.
  private static Query ofWords(
      QueryContext context,
      String field,
      FieldType type,
      String text,
      MatchKind kind,
      MatchOptions options) {
    if (text.isBlank()) {
      return options.isZeroTermsAll() ? MatchAllDocsQuery.INSTANCE : NO_TERMS;
    }
    List<String> words = List.of(text.strip().split("\\s+", -1));
    BooleanQuery.Builder all = new BooleanQuery.Builder();
    for (int i = 0; i < words.size(); i++) {
      MatchKind one = i == words.size() - 1 ? kind : MatchKind.BOOLEAN;
      JsonNode word = TextNode.valueOf(words.get(i));
      Query query = exact(context, field, type, word, one, options);
      if (words.size() == 1) {
        return query;
      }
      all.add(query, options.operator());
    }
    return MinimumShouldMatch.apply(all.build(), options.minimumShouldMatch());
  }

  private static Query exact(
      QueryContext context,
      String field,
      @Nullable FieldType type,
      JsonNode value,
      MatchKind kind,
      MatchOptions options) {
    try {
      if (type != null && type.hasTerms()) {
        Fuzziness fuzziness = options.fuzziness();
        String text = Patterns.exact(type, value.asText());
        if (kind == MatchKind.BOOLEAN && fuzziness != null) {
          return fuzziness.query(field, text, options.fuzzyRewrite());
        }
        if (kind == MatchKind.BOOLEAN_PREFIX) {
          return new PrefixQuery(new Term(field, text));
        }
      }
      if (kind == MatchKind.PHRASE_PREFIX) {
        throw Refusal.badArgument(
            "Can only use phrase prefix queries on text fields - not on ["
                + field
                + "] which is of type ["
                + (type == null ? field : type.typeName())
                + "]");
      }
      return FieldQueries.term(context, field, value);
    } catch (Refusal e) {
      if (options.isLenient()) {
        return new MatchNoDocsQuery("failed leniently: " + e.reason());
      }
      throw e;
    }
  }

  /// Refuses the name of an analyzer that the index does not have: no leniency of a query hides it.
  static void requireAnalyzer(QueryContext context, @Nullable String name) {
    if (name != null) {
      var _ = named(context, name);
    }
  }

  private static Analyzer named(QueryContext context, String name) {
    Analyzer analyzer = context.mapping().analyzer(name);
    if (analyzer == null) {
      throw Refusal.badArgument("analyzer [" + name + "] not found");
    }
    return analyzer;
  }
}
