package dev.holdfast.query.clause.term;

import dev.holdfast.document.FieldType;
import dev.holdfast.query.ClauseBody;
import dev.holdfast.query.QueryClause;
import dev.holdfast.query.QueryContext;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import org.apache.lucene.search.MultiTermQuery;
import org.apache.lucene.search.Query;
import org.jspecify.annotations.Nullable;

/// Documents whose field holds a term within some edits of a text.
///
/// @param rewrite null for Lucene's own
public record FuzzyClause(
    String field, String value, Fuzziness fuzziness, MultiTermQuery.@Nullable RewriteMethod rewrite)
    implements QueryClause {
  public static QueryClause parse(ClauseBody body) {
    ClauseBody.OneField of = body.oneField("value").named("field name cannot be null or empty");
    JsonObject json = of.options().json();
    String value = of.value("value").asText();
    Fuzziness fuzziness = Fuzziness.parse(json, "AUTO");
    String rewrite = json.string("rewrite");
    return of.options()
        .finish(
            new FuzzyClause(
                of.field(), value, fuzziness, rewrite == null ? null : Patterns.rewrite(rewrite)));
  }

  @Override
  public Query toLucene(QueryContext context) {
    FieldType type = context.type(field);
    if (type != null && !type.hasTerms() && !type.typeName().equals("keyword")) {
      throw Refusal.badArgument(
          "Can only use fuzzy queries on keyword and text fields - not on ["
              + field
              + "] which is of type ["
              + type.typeName()
              + "]");
    }
    return Patterns.withTerms(
        context,
        "fuzzy",
        field,
        known -> fuzziness.query(context.path(field), Patterns.exact(known, value), rewrite));
  }
}
