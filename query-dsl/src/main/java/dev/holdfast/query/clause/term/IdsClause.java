package dev.holdfast.query.clause.term;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.MetadataFields;
import dev.holdfast.query.ClauseBody;
import dev.holdfast.query.QueryClause;
import dev.holdfast.query.QueryContext;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.MemberLocation;
import dev.holdfast.world.Refusal;
import java.util.List;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermInSetQuery;
import org.apache.lucene.util.BytesRef;

/// Documents with any of these ids.
public record IdsClause(List<String> values) implements QueryClause {
  public static QueryClause parse(ClauseBody body) {
    ClauseBody.Options options = body.options();
    JsonNode given = options.json().node().path("values");
    if (!given.isArray() && !given.isTextual() && !given.isNull() && !given.isMissingNode()) {
      throw new Refusal(
              ErrorType.PARSING,
              "[ids] values doesn't support values of type: "
                  + (given.isNumber()
                      ? "VALUE_NUMBER"
                      : given.isBoolean() ? "VALUE_BOOLEAN" : "START_OBJECT"))
          .at(MemberLocation.ofName(options.json().node(), "values"));
    }
    for (JsonNode one : given) {
      if (one.isNull() || one.isContainerNode()) {
        throw new Refusal(ErrorType.PARSING, "[ids] failed to parse field [values]")
            .at(MemberLocation.ofName(options.json().node(), "values"));
      }
    }
    List<String> values = List.copyOf(options.json().strings("values"));
    if (values.contains("")) {
      throw Refusal.badArgument("Ids can't be empty");
    }
    return options.finish(new IdsClause(values));
  }

  @Override
  public Query toLucene(QueryContext context) {
    return values.isEmpty()
        ? new MatchNoDocsQuery("no ids")
        : new TermInSetQuery(MetadataFields.ID, values.stream().map(BytesRef::new).toList());
  }
}
