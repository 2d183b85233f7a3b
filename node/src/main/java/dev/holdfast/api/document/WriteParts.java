package dev.holdfast.api.document;

import dev.holdfast.indexing.operation.WriteOperation;
import java.util.ArrayList;
import java.util.List;

/// A shard's share of a large write, cut so that a node of the smallest heap admits each part.
final class WriteParts {
  private WriteParts() {}

  /// In order, as few as hold so many bytes of documents at most; a larger document is alone.
  static List<List<WriteOperation>> of(List<WriteOperation> operations, long bytesMax) {
    List<List<WriteOperation>> parts = new ArrayList<>();
    int from = 0;
    long bytes = 0;
    for (int i = 0; i < operations.size(); i++) {
      int length = operations.get(i).length();
      if (i > from && bytes + length > bytesMax) {
        parts.add(operations.subList(from, i));
        from = i;
        bytes = 0;
      }
      bytes += length;
    }
    parts.add(operations.subList(from, operations.size()));
    return parts;
  }
}
