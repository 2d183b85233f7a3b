package dev.holdfast.node.api;

import static dev.holdfast.node.http.BodyRule.NONE;
import static dev.holdfast.node.http.BodyRule.OPTIONAL;
import static dev.holdfast.node.http.BodyRule.REQUIRED;

import dev.holdfast.node.Rooms;
import dev.holdfast.node.api.index.AnalyzeApi;
import dev.holdfast.node.api.index.DeleteAliasApi;
import dev.holdfast.node.api.index.GetAliasApi;
import dev.holdfast.node.api.index.GetFieldMappingApi;
import dev.holdfast.node.api.index.IndexExpression;
import dev.holdfast.node.api.index.OpenIndexApi;
import dev.holdfast.node.api.index.PutAliasApi;
import dev.holdfast.node.api.index.ResolveIndexApi;
import dev.holdfast.node.api.index.UpdateAliasesApi;
import dev.holdfast.node.http.Api;
import dev.holdfast.node.http.Routes;
import java.util.ArrayList;
import java.util.List;

/// The APIs about names and states of indices: aliases, opening and closing, what names stand for.
final class IndexApis {
  private IndexApis() {}

  static void add(Routes routes, Rooms rooms) {
    aliases(routes, rooms);
    OpenIndexApi open = new OpenIndexApi(rooms.metadata(), rooms.indexing());
    Api fieldMapping = new GetFieldMappingApi(rooms.metadata());
    List<String> opening = targets("master_timeout", "timeout", "wait_for_active_shards");
    List<String> fields = targets("include_defaults", "local");
    Api analyze = new AnalyzeApi(rooms.metadata(), rooms.mappings());
    routes
        .on("GET|POST", "/_analyze", REQUIRED, analyze, "index")
        .on("GET|POST", "/{index}/_analyze", REQUIRED, analyze, "index")
        .on("POST", "/{index}/_open", NONE, open.open(), opening)
        .on("POST", "/{index}/_close", NONE, open.close(), opening)
        .on(
            "GET",
            "/_resolve/index/{name}",
            NONE,
            new ResolveIndexApi(rooms.metadata()),
            targets("mode"))
        .on("GET", "/_mapping/field/{fields}", NONE, fieldMapping, fields)
        .on("GET", "/{index}/_mapping/field/{fields}", NONE, fieldMapping, fields);
  }

  private static void aliases(Routes routes, Rooms rooms) {
    Api get = new GetAliasApi(rooms.metadata());
    Api put = new PutAliasApi(rooms.metadata());
    Api delete = new DeleteAliasApi(rooms.metadata());
    List<String> reading = targets("local", "master_timeout");
    List<String> changing = List.of("master_timeout", "timeout");
    routes.on("POST", "/_aliases", REQUIRED, new UpdateAliasesApi(rooms.metadata()), changing);
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

  private static List<String> targets(String... more) {
    List<String> all = new ArrayList<>(IndexExpression.PARAMETERS);
    all.addAll(List.of(more));
    return all;
  }
}
