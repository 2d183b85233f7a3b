package dev.holdfast.api.enrich;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.world.Json;

/// `GET /_enrich/_stats`: what this node executes and asks.
public final class EnrichStatsApi implements Api {
  private final EnrichSearches searches;
  private final ExecutePolicyApi executions;
  private final String self;

  /// @param self this node's ephemeral id
  public EnrichStatsApi(EnrichSearches searches, ExecutePolicyApi executions, String self) {
    this.searches = searches;
    this.executions = executions;
    this.self = self;
  }

  @Override
  public Answer handle(ApiRequest request) {
    ObjectNode answer = Json.object();
    ArrayNode executing = answer.putArray("executing_policies");
    executions.executing().stream()
        .sorted()
        .forEach(name -> executing.addObject().put("name", name));
    ObjectNode cache = searches.stats();
    answer
        .putArray("coordinator_stats")
        .addObject()
        .put("node_id", self)
        .put("queue_size", 0)
        .put("remote_requests_current", 0)
        .put("remote_requests_total", cache.path("misses").asLong())
        .put("executed_searches_total", cache.path("misses").asLong());
    ObjectNode shown = answer.putArray("cache_stats").addObject().put("node_id", self);
    shown.setAll(cache);
    return Answer.of(200, answer);
  }
}
