package dev.holdfast.query.clause.term;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.query.ClauseBody;
import dev.holdfast.query.QueryClause;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.QueryReader;
import dev.holdfast.world.Refusal;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.search.Query;
import org.jspecify.annotations.Nullable;

/// Documents with any of these values.
public record TermsClause(String field, List<JsonNode> values) implements QueryClause {
  public static QueryClause parse(ClauseBody body) {
    ClauseBody.Options options = body.options();
    String field = null;
    JsonNode given = null;
    for (String name : options.json().rest()) {
      if (name.equals("boost") || name.equals("_name")) {
        continue;
      }
      if (field != null) {
        throw QueryReader.parsing("[terms] query does not support multiple fields");
      }
      field = name;
      given = options.take(name);
    }
    if (field != null && field.isEmpty()) {
      throw Refusal.badArgument("field name cannot be null.");
    }
    if (field == null) {
      throw QueryReader.parsing(
          "[terms] query requires a field name, followed by array of terms or a document lookup"
              + " specification");
    }
    return options.finish(new TermsClause(field, values(field, given)));
  }

  private static List<JsonNode> values(String field, @Nullable JsonNode given) {
    if (given == null || !given.isArray()) {
      throw QueryReader.parsing(
          given != null && given.isObject()
              ? "[terms] lookup of [" + field + "] requires [index, id, path]"
              : "[terms] query does not support [" + field + "]");
    }
    List<JsonNode> values = new ArrayList<>(given.size());
    for (JsonNode value : given) {
      if (value.isNull()) {
        throw Refusal.badArgument("No value specified for terms query");
      }
      if (value.isArray()) {
        throw QueryReader.parsing("[terms] unknown token [END_ARRAY] after [" + field + "]");
      }
      values.add(value);
    }
    return List.copyOf(values);
  }

  @Override
  public Query toLucene(QueryContext context) {
    int max = context.mapping().limits().termsMax();
    if (values.size() > max) {
      throw Refusal.badArgument(
          "The number of terms ["
              + values.size()
              + "] used in the Terms Query request has exceeded the allowed maximum of ["
              + max
              + "]. This maximum can be set by changing the [index.max_terms_count] index level"
              + " setting.");
    }
    return FieldQueries.terms(context, field, values);
  }
}
