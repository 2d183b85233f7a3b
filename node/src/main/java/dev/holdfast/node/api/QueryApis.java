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
import dev.holdfast.node.api.search.ExplainApi;
import dev.holdfast.node.api.search.FieldCapsApi;
import dev.holdfast.node.api.search.MultiSearchApi;
import dev.holdfast.node.api.search.RankEvalApi;
import dev.holdfast.node.api.search.SearchApi;
import dev.holdfast.node.api.search.SearchShardsApi;
import dev.holdfast.node.api.search.TermVectorsApi;
import dev.holdfast.node.api.search.TermsEnumApi;
import dev.holdfast.node.api.search.ValidateQueryApi;
import dev.holdfast.node.api.synonym.SynonymsApi;
import dev.holdfast.node.api.tile.VectorTileApi;
import dev.holdfast.node.http.Routes;
import java.util.ArrayList;
import java.util.List;

/// The APIs about queries, templates of them, and what fields and terms there are for them.
final class QueryApis {
  private QueryApis() {}

  static void add(Routes routes, Rooms rooms) {
    ValidateQueryApi validate = new ValidateQueryApi(rooms.metadata(), rooms.searches());
    TermsEnumApi terms = new TermsEnumApi(rooms.metadata(), rooms.searches());
    TermVectorsApi vectors = new TermVectorsApi(rooms.world(), rooms.metadata(), rooms.searches());
    SearchShardsApi shards = new SearchShardsApi(rooms.metadata(), rooms.identity());
    FieldCapsApi caps = new FieldCapsApi(rooms.metadata(), rooms.searches(), rooms.mappings());
    routes
        .on(
            "GET|POST",
            "/{index}/_explain/{id}",
            OPTIONAL,
            new ExplainApi(rooms.metadata(), rooms.searches()),
            ExplainApi.PARAMETERS)
        .on("GET|POST", "/_validate/query", OPTIONAL, validate, ValidateQueryApi.PARAMETERS)
        .on("GET|POST", "/{index}/_validate/query", OPTIONAL, validate, ValidateQueryApi.PARAMETERS)
        .on("GET|POST", "/{index}/_terms_enum", REQUIRED, terms, TermsEnumApi.PARAMETERS)
        .on("GET|POST", "/{index}/_termvectors", REQUIRED, vectors::one, TermVectorsApi.PARAMETERS)
        .on(
            "GET|POST",
            "/{index}/_termvectors/{id}",
            OPTIONAL,
            vectors::one,
            TermVectorsApi.PARAMETERS)
        .on("GET|POST", "/_mtermvectors", OPTIONAL, vectors::several, TermVectorsApi.PARAMETERS)
        .on(
            "GET|POST",
            "/{index}/_mtermvectors",
            OPTIONAL,
            vectors::several,
            TermVectorsApi.PARAMETERS)
        .on("GET|POST", "/_search_shards", OPTIONAL, shards, SearchShardsApi.PARAMETERS)
        .on("GET|POST", "/{index}/_search_shards", OPTIONAL, shards, SearchShardsApi.PARAMETERS)
        .on(
            "GET|POST",
            "/{index}/_mvt/{field}/{zoom}/{x}/{y}",
            OPTIONAL,
            new VectorTileApi(rooms.metadata(), rooms.searches()),
            VectorTileApi.PARAMETERS)
        .on("GET|POST", "/_field_caps", OPTIONAL, caps, FieldCapsApi.PARAMETERS)
        .on("GET|POST", "/{index}/_field_caps", OPTIONAL, caps, FieldCapsApi.PARAMETERS);
    templates(routes, rooms);
    synonyms(routes, new SynonymsApi(rooms.metadata(), rooms.world().ids()));
  }

  private static void synonyms(Routes routes, SynonymsApi synonyms) {
    routes
        .on("GET", "/_synonyms", NONE, synonyms::sets, "from", "size")
        .on("GET", "/_synonyms/{set}", NONE, synonyms::set, "from", "size")
        .on("PUT", "/_synonyms/{set}", REQUIRED, synonyms::putSet, "refresh", "timeout")
        .on("DELETE", "/_synonyms/{set}", NONE, synonyms::deleteSet, "refresh", "timeout")
        .on("GET", "/_synonyms/{set}/{rule}", NONE, synonyms::rule)
        .on("PUT", "/_synonyms/{set}/{rule}", REQUIRED, synonyms::putRule, "refresh", "timeout")
        .on("DELETE", "/_synonyms/{set}/{rule}", NONE, synonyms::deleteRule, "refresh", "timeout");
  }

  private static void templates(Routes routes, Rooms rooms) {
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
