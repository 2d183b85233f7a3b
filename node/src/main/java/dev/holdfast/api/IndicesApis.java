package dev.holdfast.api;

import static dev.holdfast.http.BodyRule.NONE;
import static dev.holdfast.http.BodyRule.OPTIONAL;
import static dev.holdfast.http.BodyRule.REQUIRED;

import dev.holdfast.api.indices.BlockApi;
import dev.holdfast.api.indices.CreateFromApi;
import dev.holdfast.api.indices.CreateIndexApi;
import dev.holdfast.api.indices.DeleteIndexApi;
import dev.holdfast.api.indices.GetIndexApi;
import dev.holdfast.api.indices.IndexCreation;
import dev.holdfast.api.indices.OpenIndexApi;
import dev.holdfast.api.indices.ReshardApi;
import dev.holdfast.api.indices.ResizeApi;
import dev.holdfast.api.indices.RolloverApi;
import dev.holdfast.api.indices.UnnamedIndex;
import dev.holdfast.api.indices.analysis.AnalyzeApi;
import dev.holdfast.api.indices.analysis.ReloadAnalyzersApi;
import dev.holdfast.api.indices.mapping.GetFieldMappingApi;
import dev.holdfast.api.indices.mapping.GetMappingApi;
import dev.holdfast.api.indices.mapping.PutMappingApi;
import dev.holdfast.api.indices.resolve.IndexExpression;
import dev.holdfast.api.indices.resolve.ResolveClusterApi;
import dev.holdfast.api.indices.resolve.ResolveIndexApi;
import dev.holdfast.api.indices.settings.GetSettingsApi;
import dev.holdfast.api.indices.settings.PutSettingsApi;
import dev.holdfast.http.Api;
import dev.holdfast.http.Routes;
import java.util.List;
import java.util.Locale;

/// The APIs about indices: their life, mappings and settings, what names stand for.
final class IndicesApis {
  private IndicesApis() {}

  static void add(Routes routes, ApiDependencies rooms) {
    life(routes, rooms, rooms.creation());
    making(routes, rooms, rooms.creation());
    metadata(routes, rooms);
  }

  private static void life(Routes routes, ApiDependencies rooms, IndexCreation creation) {
    OpenIndexApi open = new OpenIndexApi(rooms.metadata(), rooms.indexing());
    BlockApi blocks = new BlockApi(rooms.metadata());
    Api resolve = new ResolveClusterApi(rooms.metadata());
    Api names = new ResolveIndexApi(rooms.metadata());
    List<String> opening =
        IndexExpression.parameters("master_timeout", "timeout", "wait_for_active_shards");
    List<String> changing = IndexExpression.parameters("master_timeout", "timeout");
    routes
        .on(
            "PUT",
            "/{index}",
            OPTIONAL,
            new CreateIndexApi(creation, rooms.indexing()),
            "master_timeout",
            "timeout",
            "wait_for_active_shards")
        .on(
            "DELETE",
            "/{index}",
            NONE,
            new DeleteIndexApi(rooms.metadata()),
            IndexExpression.parameters("master_timeout", "timeout"))
        .on("POST", "/_open", NONE, UnnamedIndex.refused("index is missing"))
        .on("POST", "/_close", NONE, UnnamedIndex.refused("index is missing"))
        .on("POST", "/{index}/_open", NONE, open.open(), opening)
        .on("POST", "/{index}/_close", NONE, open.close(), opening)
        .on("GET", "/_resolve/index/{name}", NONE, names, IndexExpression.parameters("mode"))
        .on("POST", "/_resolve/index/{name}", OPTIONAL, names, IndexExpression.parameters("mode"))
        .on("PUT", "/{index}/_block/{block}", NONE, blocks.add(), changing)
        .on("DELETE", "/{index}/_block/{block}", NONE, blocks.remove(), changing)
        .on("GET", "/_resolve/cluster", NONE, resolve, IndexExpression.parameters("timeout"))
        .on(
            "GET",
            "/_resolve/cluster/{name}",
            NONE,
            resolve,
            IndexExpression.parameters("timeout"));
  }

  private static void making(Routes routes, ApiDependencies rooms, IndexCreation creation) {
    ResizeApi resize =
        new ResizeApi(
            rooms.world(),
            rooms.metadata(),
            creation,
            rooms.indexing(),
            rooms.instruments().looking());
    for (ResizeApi.Kind kind : ResizeApi.Kind.values()) {
      routes.on(
          "PUT|POST",
          "/{index}/_" + kind.name().toLowerCase(Locale.ROOT) + "/{target}",
          OPTIONAL,
          resize.of(kind),
          "master_timeout",
          "timeout",
          "wait_for_active_shards",
          "copy_settings");
    }
    ReshardApi reshard = new ReshardApi(rooms.world(), rooms.metadata());
    routes
        .on("POST", "/{index}/_reshard", OPTIONAL, reshard.begin(), ReshardApi.PARAMETERS)
        .on("GET", "/{index}/_reshard", NONE, reshard.show())
        .on("DELETE", "/{index}/_reshard", NONE, reshard.giveUp());
    Api rollover =
        new RolloverApi(rooms.metadata(), creation, rooms.indexing(), rooms.world().clock());
    routes
        .on(
            "PUT|POST",
            "/_create_from/{source}/{dest}",
            OPTIONAL,
            new CreateFromApi(rooms.metadata(), creation, rooms.indexing()),
            "master_timeout",
            "timeout")
        .on("POST", "/{alias}/_rollover", OPTIONAL, rollover, RolloverApi.PARAMETERS)
        .on("POST", "/{alias}/_rollover/{new_index}", OPTIONAL, rollover, RolloverApi.PARAMETERS);
  }

  private static void metadata(Routes routes, ApiDependencies rooms) {
    GetMappingApi getMapping = new GetMappingApi(rooms.metadata());
    PutMappingApi putMapping = new PutMappingApi(rooms.metadata(), rooms.mappings());
    GetSettingsApi getSettings = new GetSettingsApi(rooms.metadata());
    PutSettingsApi putSettings = new PutSettingsApi(rooms.metadata(), rooms.mappings());
    List<String> ofMappings = IndexExpression.parameters("local", "master_timeout");
    List<String> ofSettings =
        IndexExpression.parameters("local", "master_timeout", "flat_settings", "include_defaults");
    List<String> mapping =
        IndexExpression.parameters("master_timeout", "timeout", "write_index_only");
    List<String> setting =
        IndexExpression.parameters(
            "master_timeout", "timeout", "flat_settings", "preserve_existing", "reopen");
    Api fieldMapping = new GetFieldMappingApi(rooms.metadata());
    List<String> fields = IndexExpression.parameters("include_defaults", "local");
    Api analyze = new AnalyzeApi(rooms.metadata(), rooms.mappings());
    routes
        .on(
            "GET|HEAD",
            "/{index}",
            NONE,
            new GetIndexApi(rooms.metadata()),
            IndexExpression.parameters(
                "local", "master_timeout", "flat_settings", "include_defaults", "features"))
        .on("GET", "/_mapping", NONE, getMapping, ofMappings)
        .on("GET", "/_mappings", NONE, getMapping, ofMappings)
        .on("GET", "/{index}/_mapping", NONE, getMapping, ofMappings)
        .on("GET", "/{index}/_mappings", NONE, getMapping, ofMappings)
        .on("PUT|POST", "/{index}/_mappings", REQUIRED, putMapping, mapping)
        .on("PUT|POST", "/{index}/_mapping", REQUIRED, putMapping, mapping)
        .on("GET", "/_settings", NONE, getSettings, ofSettings)
        .on("GET", "/_settings/{name}", NONE, getSettings, ofSettings)
        .on("GET", "/{index}/_settings", NONE, getSettings, ofSettings)
        .on("GET", "/{index}/_settings/{name}", NONE, getSettings, ofSettings)
        .on("PUT", "/_settings", REQUIRED, putSettings, setting)
        .on("PUT", "/{index}/_settings", REQUIRED, putSettings, setting)
        .on("GET", "/_mapping/field/{fields}", NONE, fieldMapping, fields)
        .on("GET", "/{index}/_mapping/field/{fields}", NONE, fieldMapping, fields)
        .on("GET|POST", "/_analyze", REQUIRED, analyze, "index")
        .on("GET|POST", "/{index}/_analyze", REQUIRED, analyze, "index")
        .on(
            "GET|POST",
            "/{index}/_reload_search_analyzers",
            NONE,
            new ReloadAnalyzersApi(rooms.metadata()),
            IndexExpression.parameters("resource"));
  }
}
