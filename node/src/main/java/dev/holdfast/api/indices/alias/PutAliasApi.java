package dev.holdfast.api.indices.alias;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.indices.resolve.DateMathNames;
import dev.holdfast.api.indices.resolve.IndexNameRules;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.world.Clock;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.util.List;
import java.util.Map;

/// `PUT|POST /{index}/_alias/{name}`, and forms that name either in the body.
public final class PutAliasApi implements Api {
  private static final List<String> MEMBERS =
      List.of(
          "filter",
          "index-routing",
          "indexRouting",
          "index_routing",
          "is_write_index",
          "routing",
          "search-routing",
          "searchRouting",
          "search_routing");

  private final Metadata metadata;
  private final Clock clock;

  public PutAliasApi(Metadata metadata, Clock clock) {
    this.metadata = metadata;
    this.clock = clock;
  }

  @Override
  public Answer handle(ApiRequest request) throws InterruptedException {
    ObjectNode body = request.body().kept();
    String index = said(body, "index", request.text("index", ""));
    String alias =
        DateMathNames.resolve(said(body, "alias", request.text("name", "")), clock.epochMillis());
    body.remove(List.of("index", "alias"));
    if (index.isEmpty()) {
      throw Refusal.badArgument("[indices] can't be empty");
    }
    if (alias.isEmpty()) {
      throw Refusal.badArgument("[alias] can't be empty string");
    }
    requireKnown(body);
    IndexNameRules.requireAliasName(alias);
    UpdateAliasesApi.apply(
        metadata, List.of(new AliasChange.Add(index, alias, Aliases.readAdded(alias, body))));
    return UpdateAliasesApi.done();
  }

  /// What the body says goes before the path.
  private static String said(ObjectNode body, String member, String ofPath) {
    JsonNode given = body.get(member);
    if (given != null && given.isNull()) {
      throw new Refusal(ErrorType.PARSING, "Unexpected token [VALUE_NULL]");
    }
    return given == null ? ofPath : given.asText();
  }

  private static void requireKnown(ObjectNode body) {
    for (Map.Entry<String, JsonNode> member : body.properties()) {
      if (!MEMBERS.contains(member.getKey())) {
        throw Refusal.badArgument("Unsupported field [" + member.getKey() + "]");
      }
    }
  }
}
