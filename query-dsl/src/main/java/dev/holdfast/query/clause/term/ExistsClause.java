package dev.holdfast.query.clause.term;

import dev.holdfast.document.FieldType;
import dev.holdfast.query.ClauseBody;
import dev.holdfast.query.QueryClause;
import dev.holdfast.query.QueryContext;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.Query;

/// Documents with any value in a field, in any field of an object, or in any field of a pattern.
public record ExistsClause(String field) implements QueryClause {
  public static QueryClause parse(ClauseBody body) {
    ClauseBody.Options options = body.options();
    String field = options.json().string("field");
    if (field == null) {
      throw new Refusal(ErrorType.PARSING, "[exists] must be provided with a [field]");
    }
    if (field.isEmpty()) {
      throw Refusal.badArgument("field name is null or empty");
    }
    return options.finish(new ExistsClause(field));
  }

  @Override
  public Query toLucene(QueryContext context) {
    List<String> fields = new ArrayList<>(context.mapping().matching(field));
    if (fields.isEmpty() && context.type(field) != null) {
      fields.add(field);
    }
    fields.addAll(context.mapping().matching(field + ".*"));
    BooleanQuery.Builder any = new BooleanQuery.Builder();
    for (String path : fields) {
      FieldType type = context.type(path);
      if (type != null) {
        any.add(type.existsQuery(context.path(path)), Occur.SHOULD);
      }
    }
    List<BooleanClause> clauses = any.build().clauses();
    return switch (clauses.size()) {
      case 0 -> FieldQueries.unmapped(field);
      case 1 -> new ConstantScoreQuery(clauses.getFirst().query());
      default -> new ConstantScoreQuery(any.build());
    };
  }
}
