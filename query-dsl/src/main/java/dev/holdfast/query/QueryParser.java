package dev.holdfast.query;

/// Reads one kind of query.
@FunctionalInterface
public interface QueryParser {
  /// @param body the kind's own object
  /// @param inner reads the queries inside this one
  /// @throws dev.holdfast.world.Refusal `parsing_exception` and kin for anything malformed
  QueryClause parse(ClauseBody body, QueryReader inner);
}
