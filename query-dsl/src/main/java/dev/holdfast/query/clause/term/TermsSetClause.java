package dev.holdfast.query.clause.term;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.FieldType;
import dev.holdfast.query.ClauseBody;
import dev.holdfast.query.FieldNumbers;
import dev.holdfast.query.QueryClause;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.QueryReader;
import dev.holdfast.query.script.ScriptedMinimum;
import dev.holdfast.script.ScriptSource;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.sandbox.search.CoveringQuery;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;
import org.jspecify.annotations.Nullable;

/// Documents with as many of some terms as another of their fields says.
///
/// @param minimumField the field that says how many; null when `minimum` does
/// @param minimum as `minimum_should_match` is written; null when the field says it
/// @param script that says how many; null when something else does
public record TermsSetClause(
    String field,
    List<JsonNode> terms,
    @Nullable String minimumField,
    @Nullable String minimum,
    @Nullable ScriptSource script)
    implements QueryClause {

  public static QueryClause parse(ClauseBody body) {
    ClauseBody.OneField of = body.oneField("terms");
    JsonObject json = of.options().json();
    JsonNode given = json.required("terms");
    if (!given.isArray()) {
      throw QueryReader.parsing("[terms_set] unknown token [" + given + "] after [terms]");
    }
    List<JsonNode> terms = new ArrayList<>();
    for (JsonNode term : given) {
      if (term.isNull() || term.isContainerNode()) {
        throw QueryReader.parsing("[terms_set] unknown token [" + term + "] after [terms]");
      }
      terms.add(term);
    }
    String minimumField = json.string("minimum_should_match_field");
    String minimum = json.string("minimum_should_match");
    JsonNode script = json.take("minimum_should_match_script");
    if (minimumField == null && minimum == null && script == null) {
      throw Refusal.badArgument(
          "No minimum should match has been specified: one of [minimum_should_match_field],"
              + " [minimum_should_match_script] or [minimum_should_match] is required");
    }
    if (minimumField != null && script != null) {
      throw Refusal.badArgument(
          "A field has already been specified. Cannot specify both a field and script");
    }
    return of.options()
        .finish(
            new TermsSetClause(
                of.field(),
                List.copyOf(terms),
                minimumField,
                minimum,
                script == null ? null : ScriptSource.parse(script)));
  }

  @Override
  public Query toLucene(QueryContext context) {
    if (terms.isEmpty()) {
      return new MatchNoDocsQuery("no terms");
    }
    List<Query> queries =
        terms.stream().map(term -> FieldQueries.term(context, field, term)).toList();
    if (script != null) {
      return new CoveringQuery(queries, ScriptedMinimum.of(script, terms.size(), context));
    }
    if (minimumField == null) {
      BooleanQuery.Builder any = new BooleanQuery.Builder();
      queries.forEach(query -> any.add(query, Occur.SHOULD));
      return MinimumShouldMatch.apply(any.build(), minimum);
    }
    FieldType type = context.type(minimumField);
    if (type == null) {
      throw new Refusal(
          ErrorType.QUERY_SHARD,
          "failed to find minimum_should_match field [" + minimumField + "]");
    }
    if (!type.values().isNumeric()) {
      throw Refusal.badArgument(
          "minimum_should_match_field [" + minimumField + "] must be a numeric field");
    }
    return new CoveringQuery(queries, FieldNumbers.of(context, minimumField).toLongValuesSource());
  }
}
