package dev.holdfast.api;

import static dev.holdfast.http.BodyRule.NONE;
import static dev.holdfast.http.BodyRule.OPTIONAL;
import static dev.holdfast.http.BodyRule.REQUIRED;

import dev.holdfast.api.indices.alias.DeleteAliasApi;
import dev.holdfast.api.indices.alias.GetAliasApi;
import dev.holdfast.api.indices.alias.PutAliasApi;
import dev.holdfast.api.indices.alias.UpdateAliasesApi;
import dev.holdfast.api.indices.resolve.IndexExpression;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.http.Api;
import dev.holdfast.http.Routes;
import dev.holdfast.world.Clock;
import java.util.List;

/// The APIs about aliases of indices.
final class AliasApis {
  private AliasApis() {}

  static void add(Routes routes, Metadata metadata, Clock clock) {
    Api get = new GetAliasApi(metadata);
    Api put = new PutAliasApi(metadata, clock);
    Api delete = new DeleteAliasApi(metadata);
    List<String> reading = IndexExpression.parameters("local", "master_timeout");
    List<String> changing = List.of("master_timeout", "timeout");
    routes.on("POST", "/_aliases", REQUIRED, new UpdateAliasesApi(metadata, clock), changing);
    routes.on("GET", "/_aliases", NONE, get, reading);
    routes.on("GET", "/_alias", NONE, get, reading);
    routes.on("GET|HEAD", "/_alias/{name}", NONE, get, reading);
    routes.on("GET|HEAD", "/{index}/_alias", NONE, get, reading);
    routes.on("GET|HEAD", "/{index}/_alias/{name}", NONE, get, reading);
    routes.on("PUT", "/_alias", OPTIONAL, put, changing);
    routes.on("PUT", "/{index}/_alias", OPTIONAL, put, changing);
    for (String word : List.of("_alias", "_aliases")) {
      routes.on("PUT|POST", "/" + word + "/{name}", OPTIONAL, put, changing);
      routes.on("PUT|POST", "/{index}/" + word + "/{name}", OPTIONAL, put, changing);
      routes.on("DELETE", "/{index}/" + word + "/{name}", NONE, delete, changing);
    }
  }
}
