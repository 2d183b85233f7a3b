package dev.holdfast.query.clause.specialized;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.query.ClauseBody;
import dev.holdfast.query.QueryClause;
import dev.holdfast.query.QueryReader;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.text.JsonTree;
import java.util.Base64;

/// A query written as Base64.
public final class WrapperClause {
  private WrapperClause() {}

  public static QueryClause parse(ClauseBody body, QueryReader inner) {
    ClauseBody.Options of = body.options();
    JsonNode given = of.take("query");
    if (given == null || !given.isTextual() || given.asText().isEmpty()) {
      throw QueryReader.parsing("[wrapper] query string is null or empty");
    }
    byte[] query;
    try {
      query = Base64.getDecoder().decode(given.asText());
    } catch (IllegalArgumentException e) {
      throw new Refusal(ErrorType.ILLEGAL_ARGUMENT, String.valueOf(e.getMessage()), e);
    }
    JsonTree.askFor(query, 0, query.length);
    return of.finish(inner.read(Json.parse(query)));
  }
}
