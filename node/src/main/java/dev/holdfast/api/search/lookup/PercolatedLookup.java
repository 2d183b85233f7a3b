package dev.holdfast.api.search.lookup;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.List;

/// A `percolate` query of a document that is in some index: `index`, `id`, `routing`, `preference`
/// and `version` become its `document`.
final class PercolatedLookup {
  private static final List<String> MEMBERS =
      List.of("index", "id", "routing", "preference", "version");

  /// Stands for any version.
  private static final long ANY = -3;

  private final DocumentLookup documents;

  PercolatedLookup(DocumentLookup documents) {
    this.documents = documents;
  }

  /// Resolves a query in place; leaves one that names no document, or brings one, as it is.
  ///
  /// @throws Refusal when the document is missing, or has another version
  void resolve(ObjectNode query) throws IOException {
    boolean isBrought = query.has("document") || query.has("documents");
    if (isBrought && query.has("id")) {
      return; // which is refused
    }
    JsonObject lookup = JsonObject.ofKinds("percolate", query);
    String index = lookup.string("index");
    String id = lookup.string("id", "");
    String routing = lookup.string("routing");
    // The newest version is the same on every copy.
    var _ = Preference.shards(lookup.string("preference"));
    long version = lookup.longValue("version", ANY);
    if (isBrought || !query.has("id")) {
      // As in Elasticsearch, where a document is means nothing to one that is brought.
      query.remove(isBrought ? MEMBERS : List.of());
      return;
    }
    if (index == null) {
      throw new Refusal(
          ErrorType.X_CONTENT_PARSE,
          "Failed to build [percolate] after last required field arrived",
          Refusal.badArgument("[index] is a required argument"));
    }
    if (version <= 0 && version != ANY) {
      throw new Refusal(
          ErrorType.ACTION_REQUEST_VALIDATION,
          "Validation Failed: 1: illegal version value ["
              + version
              + "] for version type [INTERNAL];");
    }
    DocumentLookup.Found found =
        documents.find(index, id, routing == null || routing.isEmpty() ? null : routing, true);
    if (!found.document().exists()) {
      throw new Refusal(
          ErrorType.RESOURCE_NOT_FOUND,
          "indexed document [" + index + "/" + id + "] couldn't be found");
    }
    if (version != ANY && found.document().version() != version) {
      throw found.conflict(id, version);
    }
    JsonNode content = found.content();
    if (content == null) {
      throw Refusal.badArgument("indexed document [" + index + "/" + id + "] source disabled");
    }
    query.remove(MEMBERS);
    query.set("document", content);
  }
}
