package dev.holdfast.query;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Place;
import dev.holdfast.world.Refusal;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads queries at one depth of nesting.
///
/// @param depth of the queries it reads; the outermost is 1
record QueryReader(int depth) {
  /// `indices.query.bool.max_nested_depth`.
  static final int DEPTH_MAX = 30;

  /// Reads `{"kind": {…}}`.
  QueryClause read(@Nullable JsonNode node) {
    if (depth > DEPTH_MAX) {
      throw Refusal.badArgument(
          "The nested depth of the query exceeds the maximum nested depth for queries set in"
              + " [indices.query.bool.max_nested_depth]");
    }
    if (!(node instanceof ObjectNode object)) {
      throw parsing("[_na] query malformed, must start with start_object");
    }
    Iterator<String> names = object.fieldNames();
    if (!names.hasNext()) {
      throw Refusal.badArgument("query malformed, empty clause found");
    }
    String kind = names.next();
    Queries.Parser parser = Queries.ALL.get(kind);
    if (parser == null) {
      throw Refusal.unknownKind(
          MissingKinds.complaint("unknown query [" + kind + "]", kind, Queries.ALL.names()),
          kind,
          Place.ofValue(object, kind));
    }
    if (!(object.get(kind) instanceof ObjectNode body)) {
      throw parsing("[" + kind + "] query malformed, no start_object after query name")
          .at(Place.ofValue(object, kind));
    }
    if (names.hasNext()) {
      throw parsing("[" + kind + "] malformed query, expected [END_OBJECT] but found [FIELD_NAME]")
          .at(Place.ofName(object, names.next()));
    }
    return parser.parse(new ClauseBody(kind, body), new QueryReader(depth + 1));
  }

  /// Reads a query or an array of queries; none when absent.
  List<QueryClause> readAll(@Nullable JsonNode node) {
    List<QueryClause> clauses = new ArrayList<>();
    if (node != null && node.isArray()) {
      node.forEach(one -> clauses.add(read(one)));
    } else if (node != null && !node.isNull()) {
      clauses.add(read(node));
    }
    return List.copyOf(clauses);
  }

  static Refusal parsing(String reason) {
    return new Refusal(ErrorType.PARSING, reason);
  }
}
