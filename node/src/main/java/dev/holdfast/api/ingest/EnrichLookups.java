package dev.holdfast.api.ingest;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.document.ingest.EnrichQuestion;
import java.util.List;

/// What enrich processors ask the indices of their policies.
public interface EnrichLookups {
  /// @throws dev.holdfast.world.Refusal `illegal_argument_exception` when a policy has no index
  void require(String policy);

  /// The documents that fit, at most as many as asked for.
  List<ObjectNode> find(EnrichQuestion question);
}
