package dev.holdfast.query.clause.specialized;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.document.FieldType;
import dev.holdfast.query.ClauseBody;
import dev.holdfast.query.QueryClause;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.QueryReader;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.apache.lucene.search.Query;

/// Documents that hold a query which finds one of the given documents. A document that is named by
/// its id was put in before the query reached the shards.
///
/// @param field of type `percolator`
/// @param name of the field that shows which of the documents were found
/// @param queries reads the queries that documents hold
public record PercolateClause(
    String field, List<ObjectNode> documents, String name, QueryReader queries)
    implements QueryClause {
  private static final String SLOT = "_percolator_document_slot";

  public static QueryClause parse(ClauseBody body, QueryReader inner) {
    ClauseBody.Options of = body.options();
    JsonObject json = of.json();
    List<String> given = Stream.of("id", "document", "documents").filter(json::has).toList();
    if (given.isEmpty()) {
      throw Refusal.badArgument(
          "Required one of fields [document, documents, id], but none were specified. ");
    }
    if (given.size() > 1) {
      throw Refusal.badArgument("The following fields are not allowed together: " + given + " ");
    }
    String field = json.string("field");
    if (field == null) {
      throw Refusal.badArgument("[percolate] query is missing required [field] parameter");
    }
    if (json.has("id")) {
      throw new Refusal(
          ErrorType.PARSING, "[percolate] of a document in an index is not supported here");
    }
    String name = json.string("name");
    JsonNode one = json.take("document");
    JsonNode many = json.take("documents");
    List<ObjectNode> documents = new ArrayList<>();
    for (JsonNode document : many == null ? Collections.singletonList(one) : many) {
      if (!(document instanceof ObjectNode object)) {
        throw new Refusal(ErrorType.PARSING, "[percolate] a document must be an object");
      }
      documents.add(object);
    }
    return of.finish(
        new PercolateClause(
            field,
            List.copyOf(documents),
            name == null ? SLOT : SLOT + "_" + name,
            inner.outermost()));
  }

  @Override
  public Query toLucene(QueryContext context) {
    context.beExpensive("[percolate] queries", "");
    return new PercolateQuery(percolated(context));
  }

  /// What a query was named whose slots are shown under a name, with `_` behind; nothing for none.
  static String nameOf(String slots) {
    return slots.equals(SLOT) ? "" : slots.substring(SLOT.length() + 1) + "_";
  }

  PercolatedDocuments percolated(QueryContext context) {
    FieldType type = context.type(field);
    if (type == null) {
      throw new Refusal(ErrorType.QUERY_SHARD, "field [" + field + "] does not exist");
    }
    if (!type.typeName().equals("percolator")) {
      throw new Refusal(
          ErrorType.QUERY_SHARD,
          "expected field ["
              + field
              + "] to be of type [percolator], but is of type ["
              + type.typeName()
              + "]");
    }
    return new PercolatedDocuments(context, context.path(field), documents, queries);
  }
}
