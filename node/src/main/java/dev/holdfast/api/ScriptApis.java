package dev.holdfast.api;

import static dev.holdfast.http.BodyRule.LINES;
import static dev.holdfast.http.BodyRule.NONE;
import static dev.holdfast.http.BodyRule.OPTIONAL;
import static dev.holdfast.http.BodyRule.REQUIRED;

import dev.holdfast.api.script.ScriptLanguageApi;
import dev.holdfast.api.search.MultiSearchApi;
import dev.holdfast.api.search.SearchApi;
import dev.holdfast.api.search.evaluation.RankEvalApi;
import dev.holdfast.api.search.template.MultiSearchTemplateApi;
import dev.holdfast.api.search.template.SearchTemplateApi;
import dev.holdfast.api.search.template.SearchTemplates;
import dev.holdfast.api.search.template.StoredScriptApi;
import dev.holdfast.api.stats.SearchUsage;
import dev.holdfast.http.Routes;
import java.util.ArrayList;
import java.util.List;

/// The APIs about stored scripts and templates of searches.
final class ScriptApis {
  private ScriptApis() {}

  static void add(Routes routes, ApiDependencies rooms, SearchUsage usage) {
    SearchTemplates templates = new SearchTemplates(rooms.metadata());
    SearchTemplateApi search =
        new SearchTemplateApi(new SearchApi(rooms.metadata(), rooms.searches(), usage), templates);
    MultiSearchTemplateApi multiSearch =
        new MultiSearchTemplateApi(
            new MultiSearchApi(
                rooms.world(), rooms.metadata(), rooms.searches(), usage, templates));
    RankEvalApi rankEval = new RankEvalApi(rooms.metadata(), rooms.searches(), templates);
    StoredScriptApi scripts = new StoredScriptApi(rooms.metadata());
    ScriptLanguageApi languages =
        new ScriptLanguageApi(rooms.metadata(), rooms.mappings(), rooms.world().clock());
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
        .on("GET", "/_script_context", NONE, languages::contexts)
        .on("GET", "/_script_language", NONE, languages::languages)
        .on("GET|POST", "/_scripts/painless/_execute", REQUIRED, languages::execute)
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
