package dev.holdfast.api;

import static dev.holdfast.http.BodyRule.NONE;
import static dev.holdfast.http.BodyRule.REQUIRED;

import dev.holdfast.api.ingest.GrokApi;
import dev.holdfast.api.ingest.IngestPipelines;
import dev.holdfast.api.ingest.IngestSources;
import dev.holdfast.api.ingest.PipelinesApi;
import dev.holdfast.api.ingest.SimulateApi;
import dev.holdfast.api.ingest.SimulateIngestApi;
import dev.holdfast.api.ingest.place.IpDatabasesApi;
import dev.holdfast.http.Api;
import dev.holdfast.http.Routes;
import java.util.List;

/// The APIs about ingest pipelines.
final class IngestApis {
  private IngestApis() {}

  static void add(
      Routes routes, ApiDependencies rooms, IngestPipelines ingest, IngestSources sources) {
    places(routes, new IpDatabasesApi(sources.databases(), rooms.identity().id()));
    PipelinesApi pipelines = new PipelinesApi(rooms.metadata(), ingest, rooms.world().clock());
    Api simulate = new SimulateApi(ingest, rooms.world().clock());
    Api whole = new SimulateIngestApi(rooms.world(), rooms.metadata(), sources);
    List<String> changing = List.of("if_version", "master_timeout", "timeout");
    routes
        .on("GET", "/_ingest/processor/grok", NONE, new GrokApi(), "ecs_compatibility", "s")
        .on("GET", "/_ingest/pipeline", NONE, pipelines::get, "master_timeout", "summary")
        .on("GET", "/_ingest/pipeline/{id}", NONE, pipelines::get, "master_timeout", "summary")
        .on("PUT", "/_ingest/pipeline/{id}", REQUIRED, pipelines::put, changing)
        .on(
            "DELETE",
            "/_ingest/pipeline/{id}",
            NONE,
            pipelines::delete,
            "master_timeout",
            "timeout")
        .on("GET|POST", "/_ingest/_simulate", REQUIRED, whole, "merge_type", "pipeline")
        .on("GET|POST", "/_ingest/{index}/_simulate", REQUIRED, whole, "merge_type", "pipeline")
        .on("GET|POST", "/_ingest/pipeline/_simulate", REQUIRED, simulate, "verbose")
        .on("GET|POST", "/_ingest/pipeline/{id}/_simulate", REQUIRED, simulate, "verbose");
  }

  private static void places(Routes routes, IpDatabasesApi databases) {
    routes.on("GET", "/_ingest/geoip/stats", NONE, databases::stats);
    List<String> waiting = List.of("master_timeout", "timeout");
    for (String kind : List.of("geoip", "ip_location")) {
      String all = "/_ingest/" + kind + "/database";
      routes
          .on("GET", all, NONE, databases::get)
          .on("GET", all + "/{id}", NONE, databases::get)
          .on("PUT", all + "/{id}", REQUIRED, databases.put(), waiting)
          .on("DELETE", all + "/{id}", NONE, databases::delete, waiting);
    }
  }
}
