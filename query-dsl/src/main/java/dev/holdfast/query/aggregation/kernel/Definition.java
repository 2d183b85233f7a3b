package dev.holdfast.query.aggregation.kernel;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.query.QueryClause;
import dev.holdfast.world.JsonObject;
import java.util.List;
import java.util.function.Function;

/// One aggregation of a request as its kind's parser gets it.
///
/// @param body the kind's own object; members nobody asks for are refused afterwards
/// @param children its sub-aggregations
/// @param queries reads a query inside it
/// @param above the kinds of the aggregations around it, the outermost first
public record Definition(
    Label label,
    JsonObject body,
    AggregationTree children,
    Function<JsonNode, QueryClause> queries,
    List<String> above) {
  public Definition {
    above = List.copyOf(above);
  }
}
