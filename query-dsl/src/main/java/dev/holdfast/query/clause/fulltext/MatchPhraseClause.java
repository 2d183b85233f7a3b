package dev.holdfast.query.clause.fulltext;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.query.ClauseBody;
import dev.holdfast.query.QueryClause;
import dev.holdfast.query.QueryContext;
import org.apache.lucene.search.Query;

/// Documents whose field holds the words of a text in a row.
public record MatchPhraseClause(String field, JsonNode value, MatchOptions options)
    implements QueryClause {
  public static QueryClause parse(ClauseBody body) {
    ClauseBody.OneField of = body.oneField("query").named("[match_phrase] requires fieldName");
    JsonNode value = of.value("query");
    MatchOptions options = MatchOptions.parse(of.options().json(), MatchKind.PHRASE);
    return of.options().finish(new MatchPhraseClause(of.field(), value, options));
  }

  @Override
  public Query toLucene(QueryContext context) {
    return TextQueries.match(context, field, value, MatchKind.PHRASE, options);
  }
}
