package dev.holdfast.query.clause.interval;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.FieldType;
import dev.holdfast.query.ClauseBody;
import dev.holdfast.query.QueryClause;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.QueryReader;
import dev.holdfast.query.clause.term.FieldQueries;
import dev.holdfast.world.Refusal;
import org.apache.lucene.queries.intervals.IntervalQuery;
import org.apache.lucene.search.Query;

/// Documents in whose field words lie as a rule says: in order, near each other, inside or outside
/// of others.
public record IntervalsClause(String field, IntervalRule rule) implements QueryClause {
  public static QueryClause parse(ClauseBody body) {
    ClauseBody.OneField of = body.oneField("match");
    if (body.node().size() > 1) {
      throw QueryReader.parsing("Expected [END_OBJECT] but got [FIELD_NAME]");
    }
    for (String name : of.options().json().rest()) {
      if (!name.equals("boost") && !name.equals("_name")) {
        JsonNode given = of.options().take(name);
        IntervalRule rule = IntervalRule.parse(name, given);
        return of.options().finish(new IntervalsClause(of.field(), rule));
      }
    }
    throw QueryReader.parsing(
        "Missing intervals from interval query definition for [" + of.field() + "]");
  }

  @Override
  public Query toLucene(QueryContext context) {
    FieldType type = context.type(field);
    if (type == null) {
      return FieldQueries.unmapped(field);
    }
    if (type.searchAnalyzer() == null) {
      throw Refusal.badArgument(
          "Can only use interval queries on text fields - not on ["
              + field
              + "] which is of type ["
              + type.typeName()
              + "]");
    }
    FieldQueries.checkSearchable(field, type);
    String path = context.path(field);
    FieldQueries.checkPositions(context, path);
    return new IntervalQuery(path, rule.source(context, path));
  }
}
