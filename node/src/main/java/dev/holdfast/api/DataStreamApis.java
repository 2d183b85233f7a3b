package dev.holdfast.api;

import static dev.holdfast.http.BodyRule.NONE;
import static dev.holdfast.http.BodyRule.OPTIONAL;
import static dev.holdfast.http.BodyRule.REQUIRED;

import dev.holdfast.api.document.WriteRequests;
import dev.holdfast.api.indices.downsample.BackgroundDownsampling;
import dev.holdfast.api.indices.resolve.IndexExpression;
import dev.holdfast.api.indices.stream.DataStreamsApi;
import dev.holdfast.api.indices.stream.LifecycleRuns;
import dev.holdfast.api.indices.stream.MigrateStreamApi;
import dev.holdfast.api.indices.stream.ModifyStreamsApi;
import dev.holdfast.api.indices.stream.PromoteStreamApi;
import dev.holdfast.api.indices.stream.SeriesRangeRuns;
import dev.holdfast.api.indices.stream.SplitRuns;
import dev.holdfast.api.indices.stream.StreamDownsampling;
import dev.holdfast.api.indices.stream.StreamLifecycleApi;
import dev.holdfast.api.indices.stream.StreamOptionsApi;
import dev.holdfast.api.indices.stream.StreamPartsApi;
import dev.holdfast.api.indices.stream.StreamStatsApi;
import dev.holdfast.http.Api;
import dev.holdfast.http.Routes;
import dev.holdfast.objectstore.open.StoreClock;
import java.util.List;

/// The APIs about data streams.
final class DataStreamApis {
  private static final List<String> READING = List.of("expand_wildcards", "master_timeout");
  private static final List<String> CHANGING =
      List.of("expand_wildcards", "master_timeout", "timeout");
  private static final List<String> PUT = List.of("dry_run", "master_timeout", "timeout");

  private DataStreamApis() {}

  static void add(Routes routes, ApiDependencies rooms, WriteRequests writes) {
    streams(routes, rooms);
    parts(routes, rooms);
    lifecycles(routes, rooms, writes);
  }

  private static void streams(Routes routes, ApiDependencies rooms) {
    DataStreamsApi streams =
        new DataStreamsApi(
            rooms.metadata(), rooms.creation().streams(), rooms.shardHealth(), rooms.searches());
    Api stats = new StreamStatsApi(rooms.metadata(), rooms.indexing(), rooms.searches());
    List<String> getting =
        List.of("expand_wildcards", "include_defaults", "master_timeout", "verbose");
    List<String> making = List.of("master_timeout", "timeout");
    routes
        .on("PUT", "/_data_stream/{name}", NONE, streams.create(), making)
        .on("GET", "/_data_stream", NONE, streams.get(), getting)
        .on("GET", "/_data_stream/{name}", NONE, streams.get(), getting)
        .on("DELETE", "/_data_stream/{name}", NONE, streams.delete(), READING)
        .on("GET", "/_data_stream/_stats", NONE, stats, List.of("expand_wildcards"))
        .on("GET", "/_data_stream/{name}/_stats", NONE, stats, List.of("expand_wildcards"))
        .on(
            "POST",
            "/_data_stream/_modify",
            REQUIRED,
            new ModifyStreamsApi(rooms.metadata(), rooms.mappings()),
            making)
        .on(
            "POST",
            "/_data_stream/_migrate/{name}",
            NONE,
            new MigrateStreamApi(rooms.metadata(), rooms.mappings()),
            making)
        .on(
            "POST",
            "/_data_stream/_promote/{name}",
            NONE,
            new PromoteStreamApi(rooms.metadata()),
            "master_timeout");
  }

  private static void parts(Routes routes, ApiDependencies rooms) {
    StreamPartsApi parts = new StreamPartsApi(rooms.metadata(), rooms.creation().streams());
    StreamOptionsApi options = new StreamOptionsApi(rooms.metadata());
    routes
        .on("GET", "/_data_stream/{name}/_settings", NONE, parts.getSettings(), "master_timeout")
        .on("PUT", "/_data_stream/{name}/_settings", REQUIRED, parts.putSettings(), PUT)
        .on("GET", "/_data_stream/{name}/_mappings", NONE, parts.getMappings(), "master_timeout")
        .on("PUT", "/_data_stream/{name}/_mappings", REQUIRED, parts.putMappings(), PUT)
        .on("GET", "/_data_stream/{name}/_options", NONE, options.get(), READING)
        .on("PUT", "/_data_stream/{name}/_options", REQUIRED, options.put(), CHANGING)
        .on("DELETE", "/_data_stream/{name}/_options", NONE, options.delete(), CHANGING);
  }

  private static void lifecycles(Routes routes, ApiDependencies rooms, WriteRequests writes) {
    StoreClock storeClock = rooms.instruments().tiers().storeClock();
    LifecycleRuns runs =
        new LifecycleRuns(
            rooms.metadata(),
            rooms.creation().streams(),
            rooms.indexing(),
            rooms.world(),
            rooms.identity().id(),
            new StreamDownsampling(
                rooms.metadata(),
                new BackgroundDownsampling(
                    rooms.world().tasks(),
                    rooms.metadata()::current,
                    DocumentApis.downsampling(rooms, writes)::run),
                rooms.world().clock(),
                storeClock),
            storeClock);
    runs.start(rooms.world());
    new SeriesRangeRuns(rooms.metadata(), rooms.world().clock(), rooms.identity().id(), storeClock)
        .start(rooms.world());
    new SplitRuns(rooms.metadata(), rooms.indexing(), rooms.world().clock(), rooms.identity().id())
        .start(rooms.world());
    StreamLifecycleApi lifecycles =
        new StreamLifecycleApi(rooms.metadata(), runs, rooms.world().clock());
    List<String> getting = List.of("expand_wildcards", "include_defaults", "master_timeout");
    List<String> explaining = IndexExpression.parameters("include_defaults", "master_timeout");
    routes
        .on("GET", "/_data_stream/{name}/_lifecycle", NONE, lifecycles.get(), getting)
        .on("PUT", "/_data_stream/{name}/_lifecycle", OPTIONAL, lifecycles.put(), CHANGING)
        .on("DELETE", "/_data_stream/{name}/_lifecycle", NONE, lifecycles.delete(), CHANGING)
        .on("GET", "/{index}/_lifecycle/explain", NONE, lifecycles.explain(), explaining)
        .on("POST", "/{index}/_lifecycle/explain", NONE, lifecycles.explain(), explaining)
        .on("GET", "/_lifecycle/stats", NONE, lifecycles.stats());
  }
}
