package dev.holdfast.api;

import static dev.holdfast.http.BodyRule.NONE;
import static dev.holdfast.http.BodyRule.REQUIRED;

import dev.holdfast.api.synonyms.SynonymsApi;
import dev.holdfast.http.Routes;

/// The APIs about sets of synonyms.
final class SynonymApis {
  private SynonymApis() {}

  static void add(Routes routes, ApiDependencies rooms) {
    SynonymsApi synonyms = new SynonymsApi(rooms.metadata(), rooms.world().ids());
    routes
        .on("GET", "/_synonyms", NONE, synonyms::sets, "from", "size")
        .on("GET", "/_synonyms/{set}", NONE, synonyms::set, "from", "size")
        .on("PUT", "/_synonyms/{set}", REQUIRED, synonyms::putSet, "refresh", "timeout")
        .on("DELETE", "/_synonyms/{set}", NONE, synonyms::deleteSet, "refresh", "timeout")
        .on("GET", "/_synonyms/{set}/{rule}", NONE, synonyms::rule)
        .on("PUT", "/_synonyms/{set}/{rule}", REQUIRED, synonyms::putRule, "refresh", "timeout")
        .on("DELETE", "/_synonyms/{set}/{rule}", NONE, synonyms::deleteRule, "refresh", "timeout");
  }
}
