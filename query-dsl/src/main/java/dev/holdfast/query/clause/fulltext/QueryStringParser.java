package dev.holdfast.query.clause.fulltext;

import com.fasterxml.jackson.databind.node.TextNode;
import dev.holdfast.document.FieldType;
import dev.holdfast.document.FieldType.Range;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.RegexpAutomata;
import dev.holdfast.query.clause.term.ExistsClause;
import dev.holdfast.query.clause.term.FieldQueries;
import dev.holdfast.query.clause.term.Fuzziness;
import dev.holdfast.query.clause.term.Patterns;
import dev.holdfast.query.clause.term.RegexpClause;
import dev.holdfast.query.clause.term.WildcardClause;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.lucene.analysis.core.KeywordAnalyzer;
import org.apache.lucene.index.Term;
import org.apache.lucene.queryparser.charstream.CharStream;
import org.apache.lucene.queryparser.classic.ParseException;
import org.apache.lucene.queryparser.classic.QueryParser;
import org.apache.lucene.queryparser.classic.Token;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.DisjunctionMaxQuery;
import org.apache.lucene.search.FuzzyQuery;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.MultiTermQuery;
import org.apache.lucene.search.PrefixQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.util.automaton.RegExp;
import org.jspecify.annotations.Nullable;

/// Lucene's classic parser with Elasticsearch's fields: every word, phrase, prefix or range is
/// asked of each field that it may mean, as the field's type reads it.
final class QueryStringParser extends QueryParser {
  private static final String ANY = "";
  private static final String EXISTS = "_exists_";

  /// Stands for a `~` without a number: more than any number of edits.
  private static final float FUZZINESS_OF_REQUEST = 1000;

  private final QueryContext context;
  private final QueryStringClause clause;
  private final LeafLimit leaves = new LeafLimit();

  QueryStringParser(QueryContext context, QueryStringClause clause) {
    super(ANY, new KeywordAnalyzer());
    this.context = context;
    this.clause = clause;
  }

  @Override
  public void ReInit(CharStream text) {
    super.ReInit(new PolledCharStream(text));
  }

  /// What one field makes of a part of the text.
  @FunctionalInterface
  private interface ForField {
    Query query(String field, boolean isLenient) throws ParseException;
  }

  /// The fields that a part of the text is asked of.
  private FieldWeights fieldsOf(String field) {
    return FieldWeights.resolve(context, field.equals(ANY) ? clause.fields() : List.of(field));
  }

  /// What does not fit a field is passed over when that was said, or when nothing was said and all
  /// fields were meant.
  private boolean isLenient() {
    return clause.saysLeniency() ? clause.options().isLenient() : fieldsOf(ANY).isLenient();
  }

  private @Nullable Query each(String field, ForField of) throws ParseException {
    FieldWeights fields = fieldsOf(field);
    boolean isLenient = isLenient();
    List<Query> queries = new ArrayList<>();
    boolean hadNoTerms = false;
    for (Map.Entry<String, Float> one : fields.boosts().entrySet()) {
      Query query;
      try {
        query = of.query(one.getKey(), isLenient);
      } catch (Refusal e) {
        if (!isLenient) {
          throw e;
        }
        query = new MatchNoDocsQuery("failed leniently: " + e.reason());
      }
      query = leaves.add(query);
      if (isNothing(query)) {
        hadNoTerms = true;
      } else {
        queries.add(one.getValue() == 1 ? query : new BoostQuery(query, one.getValue()));
      }
    }
    if (queries.isEmpty()) {
      return hadNoTerms ? null : new MatchNoDocsQuery("no fields");
    }
    double tie = clause.tieBreaker() == null ? clause.type().tieBreaker() : clause.tieBreaker();
    return queries.size() == 1 ? queries.getFirst() : new DisjunctionMaxQuery(queries, (float) tie);
  }

  @SuppressWarnings("ReferenceEquality") // a marker
  private static boolean isNothing(Query query) {
    return query == TextQueries.NO_TERMS;
  }

  @Override
  @SuppressWarnings("NullAway") // the parser leaves out what is null
  protected Query getFieldQuery(String field, String text, boolean isQuoted) throws ParseException {
    return isQuoted ? phrase(field, text, getPhraseSlop()) : words(field, text);
  }

  @Override
  @SuppressWarnings("NullAway") // the parser leaves out what is null
  protected Query getFieldQuery(String field, String text, int slop) throws ParseException {
    return phrase(field, text, slop);
  }

  private @Nullable Query words(String field, String text) throws ParseException {
    if (field.equals(EXISTS)) {
      return new ExistsClause(text).toLucene(context);
    }
    if (text.equals("*")) {
      return wildcard(field, "*");
    }
    if (text.length() > 1 && (text.charAt(0) == '>' || text.charAt(0) == '<')) {
      boolean isInclusive = text.charAt(1) == '=';
      String bound = text.substring(isInclusive ? 2 : 1);
      return text.charAt(0) == '>'
          ? getRangeQuery(field, bound, "*", isInclusive, true)
          : getRangeQuery(field, "*", bound, true, isInclusive);
    }
    if (clause.type() == MultiMatchClause.Type.CROSS_FIELDS) {
      return crossFields(field, text);
    }
    MatchKind kind = clause.type().kind();
    return each(
        field,
        (one, isLenient) ->
            TextQueries.match(
                context,
                one,
                TextNode.valueOf(text),
                kind,
                clause.options().ofOneField(isLenient)));
  }

  private Query crossFields(String field, String text) {
    FieldWeights fields = fieldsOf(field);
    float tie = clause.tieBreaker() == null ? 0 : clause.tieBreaker().floatValue();
    MatchOptions options = clause.options().ofOneField(isLenient());
    List<Query> queries =
        CrossFields.queries(context, fields.boosts(), TextNode.valueOf(text), options, tie);
    return queries.size() == 1 ? queries.getFirst() : new DisjunctionMaxQuery(queries, tie);
  }

  private @Nullable Query phrase(String field, String text, int slop) throws ParseException {
    if (field.equals(EXISTS)) {
      return new ExistsClause(text).toLucene(context);
    }
    String suffix = clause.quoteFieldSuffix();
    String analyzer =
        clause.quoteAnalyzer() == null ? clause.options().analyzer() : clause.quoteAnalyzer();
    return each(
        field,
        (one, isLenient) -> {
          String asked = suffix != null && context.type(one + suffix) != null ? one + suffix : one;
          MatchOptions options = clause.options().phrase(analyzer, slop, isLenient);
          return TextQueries.match(
              context, asked, TextNode.valueOf(text), MatchKind.PHRASE, options);
        });
  }

  @Override
  @SuppressWarnings("NullAway") // the parser leaves out what is null
  protected Query getRangeQuery(
      String field, String from, String to, boolean fromInclusive, boolean toInclusive)
      throws ParseException {
    return each(
        field,
        (one, _) -> {
          FieldType type = context.type(one);
          if (type == null) {
            return FieldQueries.unmapped(one);
          }
          Range range =
              new Range(bound(from), fromInclusive, bound(to), toInclusive, null, clause.zone());
          return range.from() == null && range.to() == null
              ? type.existsQuery(one)
              : type.rangeQuery(one, range, context.nowMillis());
        });
  }

  private static @Nullable TextNode bound(@Nullable String text) {
    return text == null || text.equals("*") ? null : TextNode.valueOf(text);
  }

  @Override
  @SuppressWarnings("NullAway") // the parser leaves out what is null
  protected Query getPrefixQuery(String field, String text) throws ParseException {
    return each(
        field,
        (one, _) -> {
          FieldType type = context.type(one);
          if (type == null) {
            return FieldQueries.unmapped(one);
          }
          if (!type.hasTerms()) {
            throw unwalkable("prefix", one, type);
          }
          Term term = new Term(one, type.normalize(text));
          return new PrefixQuery(term, rewrite());
        });
  }

  @Override
  @SuppressWarnings("NullAway") // the parser leaves out what is null
  protected Query getWildcardQuery(String field, String text) throws ParseException {
    return wildcard(field, text);
  }

  private @Nullable Query wildcard(String field, String text) throws ParseException {
    if (text.equals("*")) {
      if (field.equals("*") || (field.equals(ANY) && clause.fields().isEmpty())) {
        return MatchAllDocsQuery.INSTANCE;
      }
      if (field.equals(EXISTS)) {
        return new ExistsClause("*").toLucene(context);
      }
      return each(field, (one, _) -> new ExistsClause(one).toLucene(context));
    }
    if (!getAllowLeadingWildcard() && (text.startsWith("*") || text.startsWith("?"))) {
      throw new ParseException("'*' or '?' not allowed as first character in WildcardQuery");
    }
    return each(
        field,
        (one, _) -> {
          FieldType type = context.type(one);
          if (type != null && !type.hasTerms()) {
            throw unwalkable("wildcard", one, type);
          }
          return new WildcardClause(one, text, false, rewrite()).toLucene(context);
        });
  }

  @Override
  @SuppressWarnings("NullAway") // the parser leaves out what is null
  protected Query getFuzzyQuery(String field, String text, float similarity) throws ParseException {
    Fuzziness fuzziness = clause.fuzziness();
    return each(
        field,
        (one, _) -> {
          FieldType type = context.type(one);
          if (type == null) {
            return FieldQueries.unmapped(one);
          }
          if (!type.hasTerms()) {
            throw Refusal.badArgument(
                "Can only use fuzzy queries on keyword and text fields - not on ["
                    + one
                    + "] which is of type ["
                    + type.typeName()
                    + "]");
          }
          Fuzziness used =
              similarity == FUZZINESS_OF_REQUEST
                  ? fuzziness
                  : fuzziness.withEdits((int) similarity);
          return used.query(one, type.normalize(text), clause.options().fuzzyRewrite());
        });
  }

  /// A `~` without a number means the fuzziness of the request.
  @Override
  protected float getFuzzyDistance(Token fuzzyToken, String text) {
    String number = fuzzyToken.image.substring(1);
    return number.isEmpty()
        ? FUZZINESS_OF_REQUEST
        : FuzzyQuery.floatToEdits(Float.parseFloat(number), text.codePointCount(0, text.length()));
  }

  @Override
  @SuppressWarnings("NullAway") // the parser leaves out what is null
  protected Query getRegexpQuery(String field, String text) throws ParseException {
    RegexpClause.checkLength(context, text, "[query_string]");
    return each(
        field,
        (one, _) -> {
          FieldType type = context.type(one);
          if (type == null) {
            return FieldQueries.unmapped(one);
          }
          if (!type.hasTerms()) {
            throw unwalkable("regexp", one, type);
          }
          return RegexpAutomata.query(
              context,
              new Term(one, Patterns.exact(type, text)),
              RegExp.ALL,
              0,
              clause.determinizedStatesMax(),
              rewrite());
        });
  }

  private MultiTermQuery.RewriteMethod rewrite() {
    MultiTermQuery.RewriteMethod rewrite = clause.rewrite();
    return rewrite == null ? MultiTermQuery.CONSTANT_SCORE_BLENDED_REWRITE : rewrite;
  }

  private static Refusal unwalkable(String kind, String field, FieldType type) {
    return new Refusal(
        ErrorType.QUERY_SHARD,
        "Can only use "
            + kind
            + " queries on keyword, text and wildcard fields - not on ["
            + field
            + "] which is of type ["
            + type.typeName()
            + "]");
  }

  /// Only exclusions: from all documents.
  @Override
  protected Query getBooleanQuery(List<BooleanClause> clauses) throws ParseException {
    Query query = super.getBooleanQuery(clauses);
    if (query instanceof BooleanQuery words
        && !words.clauses().isEmpty()
        && words.clauses().stream().allMatch(one -> one.occur() == Occur.MUST_NOT)) {
      BooleanQuery.Builder builder = new BooleanQuery.Builder();
      words.clauses().forEach(builder::add);
      return builder.add(MatchAllDocsQuery.INSTANCE, Occur.FILTER).build();
    }
    return query;
  }
}
