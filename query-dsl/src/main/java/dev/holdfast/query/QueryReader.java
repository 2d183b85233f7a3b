package dev.holdfast.query;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.MemberLocation;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.Registry;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Reads queries at one depth of nesting. It is handed to whatever may contain a query, so that no
/// clause knows which other kinds there are.
///
/// @param kinds parsers of all kinds, by the names that requests use
/// @param depth of the queries it reads; the outermost is 1
/// @param seen hears the name of each query that is read, and of those inside
public record QueryReader(Registry<QueryParser> kinds, int depth, Consumer<String> seen) {
  /// `indices.query.bool.max_nested_depth`.
  static final int DEPTH_MAX = 30;

  /// Reads the outermost queries.
  public QueryReader(Registry<QueryParser> kinds) {
    this(kinds, 1, _ -> {});
  }

  /// The same, with somebody who hears what is read.
  public QueryReader heardBy(Consumer<String> listener) {
    return new QueryReader(kinds, depth, listener);
  }

  /// Reads queries that stand on their own, such as those that documents hold.
  public QueryReader outermost() {
    return new QueryReader(kinds);
  }

  /// Reads the queries inside those that this one reads.
  public QueryReader inner() {
    return new QueryReader(kinds, depth + 1, seen);
  }

  /// Reads `{"kind": {…}}`.
  ///
  /// @throws Refusal `parsing_exception` and kin for anything unknown or malformed
  public QueryClause read(@Nullable JsonNode node) {
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
    QueryParser parser = kinds.get(kind);
    if (parser == null) {
      throw Refusal.unknownKind(
          UnsupportedFeatures.complaint("unknown query [" + kind + "]", kind, kinds.names()),
          kind,
          MemberLocation.ofValue(object, kind));
    }
    if (!(object.get(kind) instanceof ObjectNode body)) {
      throw parsing("[" + kind + "] query malformed, no start_object after query name")
          .at(MemberLocation.ofValue(object, kind));
    }
    if (names.hasNext()) {
      throw parsing("[" + kind + "] malformed query, expected [END_OBJECT] but found [FIELD_NAME]")
          .at(MemberLocation.ofName(object, names.next()));
    }
    seen.accept(kind);
    return parser.parse(new ClauseBody(kind, body), inner());
  }

  /// Reads a query or an array of queries; none when absent.
  public List<QueryClause> readAll(@Nullable JsonNode node) {
    List<QueryClause> clauses = new ArrayList<>();
    if (node != null && node.isArray()) {
      node.forEach(one -> clauses.add(read(one)));
    } else if (node != null && !node.isNull()) {
      clauses.add(read(node));
    }
    return List.copyOf(clauses);
  }

  public static Refusal parsing(String reason) {
    return new Refusal(ErrorType.PARSING, reason);
  }
}
