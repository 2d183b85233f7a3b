package dev.holdfast.api;

import static dev.holdfast.http.BodyRule.NONE;
import static dev.holdfast.http.BodyRule.OPTIONAL;
import static dev.holdfast.http.BodyRule.REQUIRED;

import dev.holdfast.api.document.WriteRequests;
import dev.holdfast.api.ilm.ExplainLifecycleApi;
import dev.holdfast.api.ilm.MoveLifecycleApi;
import dev.holdfast.api.ilm.OperationModeApi;
import dev.holdfast.api.ilm.PoliciesApi;
import dev.holdfast.api.ilm.PolicyRuns;
import dev.holdfast.api.ilm.action.BackgroundMerges;
import dev.holdfast.api.ilm.action.StepTools;
import dev.holdfast.api.indices.ResizeApi;
import dev.holdfast.api.indices.RolloverApi;
import dev.holdfast.api.indices.downsample.BackgroundDownsampling;
import dev.holdfast.api.indices.resolve.IndexExpression;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.http.Api;
import dev.holdfast.http.Routes;
import dev.holdfast.world.Clock;
import java.util.List;

/// The APIs about lifecycle policies of indices.
final class LifecyclePolicyApis {
  private LifecyclePolicyApis() {}

  static void add(Routes routes, ApiDependencies rooms, WriteRequests writes) {
    runs(rooms, writes).start();
    Metadata metadata = rooms.metadata();
    Clock clock = rooms.world().clock();
    PoliciesApi policies = new PoliciesApi(metadata, clock);
    OperationModeApi modes = new OperationModeApi(metadata);
    MoveLifecycleApi moves = new MoveLifecycleApi(metadata, clock);
    Api explain = new ExplainLifecycleApi(metadata, clock);
    List<String> changing = List.of("master_timeout", "timeout");
    List<String> indices = IndexExpression.parameters("master_timeout", "timeout");
    routes
        .on("GET", "/_ilm/policy", NONE, policies::get, changing)
        .on("GET", "/_ilm/policy/{policy}", NONE, policies::get, changing)
        .on("PUT", "/_ilm/policy/{policy}", REQUIRED, policies::put, changing)
        .on("DELETE", "/_ilm/policy/{policy}", NONE, policies::delete, changing)
        .on("GET", "/_ilm/status", NONE, modes.status(), changing)
        .on("POST", "/_ilm/start", NONE, modes.start(), changing)
        .on("POST", "/_ilm/stop", NONE, modes.stop(), changing)
        .on("POST", "/_ilm/move/{index}", REQUIRED, moves.move(), changing)
        .on("POST", "/{index}/_ilm/retry", NONE, moves.retry(), indices)
        .on("POST", "/{index}/_ilm/remove", NONE, moves.remove(), indices)
        .on(
            "GET",
            "/{index}/_ilm/explain",
            NONE,
            explain,
            IndexExpression.parameters("master_timeout", "only_errors", "only_managed"));
    // Its one parameter changes nothing either.
    routes.on(
        "POST",
        "/_ilm/migrate_to_data_tiers",
        OPTIONAL,
        modes.migrate(),
        "dry_run",
        "master_timeout");
  }

  private static PolicyRuns runs(ApiDependencies rooms, WriteRequests writes) {
    StepTools tools =
        new StepTools(
            rooms.world(),
            rooms.metadata(),
            rooms.instruments().tiers().storeClock(),
            rooms.indexing(),
            new RolloverApi(
                rooms.metadata(), rooms.creation(), rooms.indexing(), rooms.world().clock()),
            new ResizeApi(
                rooms.world(),
                rooms.metadata(),
                rooms.creation(),
                rooms.indexing(),
                rooms.instruments().looking()),
            new BackgroundMerges(
                rooms.world().tasks(), rooms.metadata()::current, rooms.indexing()),
            new BackgroundDownsampling(
                rooms.world().tasks(),
                rooms.metadata()::current,
                DocumentApis.downsampling(rooms, writes)::run));
    return new PolicyRuns(tools, rooms.identity().id());
  }
}
