package dev.holdfast.node.api;

import static dev.holdfast.node.http.BodyRule.LINES;
import static dev.holdfast.node.http.BodyRule.NONE;
import static dev.holdfast.node.http.BodyRule.OPTIONAL;
import static dev.holdfast.node.http.BodyRule.REQUIRED;

import dev.holdfast.node.Rooms;
import dev.holdfast.node.api.script.MultiSearchTemplateApi;
import dev.holdfast.node.api.script.SearchTemplateApi;
import dev.holdfast.node.api.script.StoredScriptApi;
import dev.holdfast.node.api.script.Templates;
import dev.holdfast.node.api.search.MultiSearchApi;
import dev.holdfast.node.api.search.RankEvalApi;
import dev.holdfast.node.api.search.SearchApi;
import dev.holdfast.node.http.Routes;
import java.util.ArrayList;
import java.util.List;

/// The APIs about stored scripts and templates of searches.
final class ScriptApis {
  private ScriptApis() {}

  static void add(Routes routes, Rooms rooms) {
    Templates templates = new Templates(rooms.metadata());
    SearchTemplateApi search =
        new SearchTemplateApi(new SearchApi(rooms.metadata(), rooms.searches()), templates);
    MultiSearchTemplateApi multiSearch =
        new MultiSearchTemplateApi(
            new MultiSearchApi(rooms.world(), rooms.metadata(), rooms.searches(), templates));
    RankEvalApi rankEval = new RankEvalApi(rooms.metadata(), rooms.searches(), templates);
    StoredScriptApi scripts = new StoredScriptApi(rooms.metadata());
    List<String> searching = new ArrayList<>(SearchApi.PARAMETERS);
    searching.add("profile");
    routes
        .on("GET|POST", "/_render/template", OPTIONAL, search::render)
        .on("GET|POST", "/_render/template/{id}", OPTIONAL, search::render)
        .on("GET|POST", "/_search/template", REQUIRED, search, searching)
        .on("GET|POST", "/{index}/_search/template", REQUIRED, search, searching)
        .on("GET|POST", "/_msearch/template", LINES, multiSearch, MultiSearchApi.PARAMETERS)
        .on("GET|POST", "/{index}/_msearch/template", LINES, multiSearch, MultiSearchApi.PARAMETERS)
        .on("GET|POST", "/_rank_eval", REQUIRED, rankEval, RankEvalApi.PARAMETERS)
        .on("GET|POST", "/{index}/_rank_eval", REQUIRED, rankEval, RankEvalApi.PARAMETERS)
        .on("GET", "/_scripts/{id}", NONE, scripts::get, "master_timeout")
        .on("DELETE", "/_scripts/{id}", NONE, scripts::delete, "master_timeout", "timeout")
        .on(
            "PUT|POST",
            "/_scripts/{id}",
            REQUIRED,
            scripts::put,
            "master_timeout",
            "timeout",
            "context")
        .on(
            "PUT|POST",
            "/_scripts/{id}/{context}",
            REQUIRED,
            scripts::put,
            "master_timeout",
            "timeout");
  }
}
