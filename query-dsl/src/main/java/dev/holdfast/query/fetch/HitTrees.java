package dev.holdfast.query.fetch;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.world.text.JsonTree;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The trees of a document, for as long as its hit is being made.
final class HitTrees implements AutoCloseable {
  private final List<JsonTree> open = new ArrayList<>(2);

  /// @param text null for none
  @Nullable JsonNode of(byte @Nullable [] text) {
    if (text == null) {
      return null;
    }
    JsonTree tree = JsonTree.of(text);
    open.add(tree);
    return tree.root();
  }

  @Override
  public void close() {
    open.forEach(JsonTree::close);
  }
}
