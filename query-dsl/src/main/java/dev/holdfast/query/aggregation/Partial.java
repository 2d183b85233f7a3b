package dev.holdfast.query.aggregation;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;

/// What an aggregation knows after some of the documents: immutable, mergeable, and the only thing
/// that travels between nodes.
public interface Partial {
  /// Both together; `other` is of the same kind and request.
  Partial merge(Partial other);

  /// The final step after all merges: cut to size, fill gaps, compute pipelines. Called once,
  /// before rendering.
  default Partial reduce() {
    return this;
  }

  /// Writes the members of this aggregation's answer (`"buckets": …`, `"value": …`) into the open
  /// object.
  void render(JsonGenerator out) throws IOException;
}
