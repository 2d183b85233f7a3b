package dev.holdfast.query.clause.term;

import dev.holdfast.document.FieldType;
import dev.holdfast.document.MetadataFields;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.RegexpAutomata;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.function.Function;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.AutomatonQuery;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.MultiTermQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.automaton.CompiledAutomaton;
import org.apache.lucene.util.automaton.Operations;
import org.apache.lucene.util.automaton.RegExp;
import org.jspecify.annotations.Nullable;

/// What the queries that walk over terms (prefix, wildcard, regexp, fuzzy) have in common.
public final class Patterns {
  /// Patterns that the name of an index is compared with.
  private static final List<String> INDEX_KINDS = List.of("prefix", "wildcard");

  private Patterns() {}

  /// The query, for a field that has terms to walk over; none for an unmapped one.
  ///
  /// @throws Refusal when the cluster allows no expensive queries
  public static Query withTerms(
      QueryContext context, String kind, String field, Function<FieldType, Query> query) {
    FieldType type = context.type(field);
    if (type != null && !kind.equals("term")) {
      context.beExpensive(
          "[" + kind + "] queries",
          kind.equals("prefix")
              ? " For optimised prefix queries on text fields please enable [index_prefixes]."
              : "");
    }
    if (type == null) {
      return FieldQueries.unmapped(field);
    }
    if (!type.hasTerms() && type.typeName().equals("keyword") && type.values().hasOrdinals()) {
      return overDocValues(context, query.apply(type));
    }
    boolean isRead = !field.equals(MetadataFields.INDEX) || INDEX_KINDS.contains(kind);
    if (type.isConstant() && isRead && query.apply(type) instanceof AutomatonQuery pattern) {
      return matches(pattern.getCompiled(), type.constant())
          ? MatchAllDocsQuery.INSTANCE
          : new MatchNoDocsQuery("constant differs");
    }
    if (!type.hasTerms() && !field.equals(MetadataFields.ROUTING)) {
      throw new Refusal(
          ErrorType.QUERY_SHARD,
          "Can only use "
              + kind
              + " queries on keyword, text and wildcard fields - not on ["
              + field
              + "] which is of type ["
              + type.typeName()
              + "]");
    }
    FieldQueries.checkSearchable(field, type);
    return query.apply(type);
  }

  /// Whether the value that all documents share matches; null while there is none yet.
  private static boolean matches(CompiledAutomaton pattern, @Nullable String constant) {
    if (constant == null) {
      return false;
    }
    BytesRef value = new BytesRef(constant);
    return switch (pattern.type) {
      case ALL -> true;
      case NONE -> false;
      case SINGLE -> value.equals(pattern.term);
      case NORMAL -> pattern.runAutomaton.run(value.bytes, value.offset, value.length);
    };
  }

  /// Of a field that is not indexed: the terms are its doc values'.
  private static Query overDocValues(QueryContext context, Query query) {
    try {
      return query instanceof MultiTermQuery many
          ? MultiTermQuery.DOC_VALUES_REWRITE.rewrite(context.searcher(), many)
          : query;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Text as a keyword's normaliser leaves it; unchanged for analysed fields.
  public static String exact(FieldType type, String text) {
    return type.searchAnalyzer() == null ? type.normalize(text) : text;
  }

  /// Terms equal to a text, or beginning with it, whatever the case of their letters.
  ///
  /// @param rewrite how the terms become clauses
  static Query literal(
      QueryContext context,
      String kind,
      String field,
      String text,
      boolean isPrefix,
      MultiTermQuery.RewriteMethod rewrite) {
    FieldType own = context.type(field);
    Term term = own == null || own.hasTerms() ? null : own.ownTerm(context.path(field), text);
    return term != null
        ? literal(context, term, isPrefix, rewrite)
        : withTerms(
            context,
            kind,
            field,
            type ->
                literal(
                    context, new Term(context.path(field), exact(type, text)), isPrefix, rewrite));
  }

  private static Query literal(
      QueryContext context, Term term, boolean isPrefix, MultiTermQuery.RewriteMethod rewrite) {
    StringBuilder regexp = new StringBuilder();
    term.text().chars().forEach(c -> escape((char) c, regexp));
    return RegexpAutomata.query(
        context,
        new Term(term.field(), regexp.append(isPrefix ? ".*" : "").toString()),
        RegExp.NONE,
        RegExp.CASE_INSENSITIVE,
        Operations.DEFAULT_DETERMINIZE_WORK_LIMIT,
        rewrite);
  }

  /// Appends a character so that a regular expression takes it as itself.
  static void escape(char c, StringBuilder regexp) {
    if (c < 128 && !Character.isLetterOrDigit(c)) {
      regexp.append('\\');
    }
    regexp.append(c);
  }

  /// The `rewrite` option: how matching terms become clauses.
  public static MultiTermQuery.RewriteMethod rewrite(@Nullable String name) {
    if (name == null) {
      return MultiTermQuery.CONSTANT_SCORE_BLENDED_REWRITE;
    }
    int size = name.startsWith("top_terms_") ? sizeAtEnd(name) : 0;
    if (name.startsWith("top_terms_boost_")) {
      return new CountedExpansion(new MultiTermQuery.TopTermsBoostOnlyBooleanQueryRewrite(size));
    }
    if (name.startsWith("top_terms_blended_freqs_")) {
      return new CountedExpansion(new MultiTermQuery.TopTermsBlendedFreqScoringRewrite(size));
    }
    if (name.startsWith("top_terms_")) {
      return new CountedExpansion(new MultiTermQuery.TopTermsScoringBooleanQueryRewrite(size));
    }
    return switch (name) {
      case "constant_score", "constant_score_blended" ->
          MultiTermQuery.CONSTANT_SCORE_BLENDED_REWRITE;
      case "scoring_boolean" -> new CountedExpansion(MultiTermQuery.SCORING_BOOLEAN_REWRITE);
      case "constant_score_boolean" ->
          new CountedExpansion(MultiTermQuery.CONSTANT_SCORE_BOOLEAN_REWRITE);
      default -> throw Refusal.badArgument("Failed to parse rewrite_method [" + name + "]");
    };
  }

  private static int sizeAtEnd(String name) {
    try {
      return Integer.parseInt(name.substring(name.lastIndexOf('_') + 1));
    } catch (NumberFormatException e) {
      throw new Refusal(
          ErrorType.ILLEGAL_ARGUMENT, "Failed to parse rewrite_method [" + name + "]", e);
    }
  }
}
