package dev.holdfast.document.ingest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.document.ingest.file.FileParser;
import dev.holdfast.world.Refusal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The pipelines of the cluster, by id.
@FunctionalInterface
public interface Pipelines {
  @Nullable IngestPipeline find(String id);

  /// A stored script, `{"lang", "source"}`, or null.
  default @Nullable JsonNode storedScript(String id) {
    return null;
  }

  /// @throws dev.holdfast.world.Refusal when nothing can be asked of the policy of that name
  default void requireEnrich(String policy) {
    throw Refusal.badArgument("no enrich index exists for policy with name [" + policy + "]");
  }

  /// The database of addresses of that file name; null for none.
  default @Nullable IpDatabase ipDatabase(String file) {
    return null;
  }

  /// What takes text out of files.
  default FileParser fileParser() {
    return (base64, name, charsMax) -> {
      throw Refusal.badArgument("files are not parsed here");
    };
  }

  /// What the index of an enrich policy has for a value.
  default List<ObjectNode> enriched(EnrichQuestion question) {
    return List.of();
  }
}
