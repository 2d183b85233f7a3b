package dev.holdfast.api;

import static dev.holdfast.http.BodyRule.NONE;
import static dev.holdfast.http.BodyRule.REQUIRED;

import dev.holdfast.api.document.WriteRequests;
import dev.holdfast.api.document.reindex.ReindexApi;
import dev.holdfast.api.enrich.EnrichPoliciesApi;
import dev.holdfast.api.enrich.EnrichSearches;
import dev.holdfast.api.enrich.EnrichStatsApi;
import dev.holdfast.api.enrich.ExecutePolicyApi;
import dev.holdfast.api.search.Scrolls;
import dev.holdfast.api.search.lookup.QueryLookups;
import dev.holdfast.api.tasks.BackgroundTasks;
import dev.holdfast.http.Routes;

/// The APIs about enrich policies.
final class EnrichApis {
  private EnrichApis() {}

  static void add(
      Routes routes,
      ApiDependencies rooms,
      EnrichSearches searches,
      WriteRequests writes,
      BackgroundTasks background) {
    EnrichPoliciesApi policies = new EnrichPoliciesApi(rooms.metadata());
    ExecutePolicyApi execute =
        new ExecutePolicyApi(
            rooms.metadata(),
            rooms.creation(),
            rooms.indexing(),
            new ReindexApi(
                rooms.metadata(),
                new QueryLookups(rooms.metadata(), rooms.searches()),
                new Scrolls(rooms.metadata(), rooms.searches()),
                writes,
                background),
            background,
            rooms.world().clock());
    routes
        .on(
            "PUT|POST",
            "/_enrich/policy/{name}/_execute",
            NONE,
            execute,
            "master_timeout",
            "wait_for_completion")
        .on("GET", "/_enrich/policy", NONE, policies::get, "master_timeout")
        .on("GET", "/_enrich/policy/{name}", NONE, policies::get, "master_timeout")
        .on("PUT", "/_enrich/policy/{name}", REQUIRED, policies::put, "master_timeout")
        .on("DELETE", "/_enrich/policy/{name}", NONE, policies::delete, "master_timeout")
        .on(
            "GET",
            "/_enrich/_stats",
            NONE,
            new EnrichStatsApi(searches, execute, rooms.identity().id()),
            "master_timeout");
  }
}
