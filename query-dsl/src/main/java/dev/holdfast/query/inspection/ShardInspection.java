package dev.holdfast.query.inspection;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.query.QueryContext;
import java.io.IOException;

/// A question about one shard. One file a kind, one line in `ShardInspections`.
@FunctionalInterface
public interface ShardInspection {
  ObjectNode answer(QueryContext context, ObjectNode body) throws IOException;
}
