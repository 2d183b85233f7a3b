package dev.holdfast.document.batch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.document.MappedField;
import dev.holdfast.document.mapping.tree.DocumentMapping;
import dev.holdfast.document.mapping.tree.SourcePatterns;
import dev.holdfast.world.Json;
import dev.holdfast.world.text.JsonTree;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Which parts of documents are kept in `_source`: those that `includes` names, without those that
/// `excludes` names. An object that is named is named with all that it holds.
final class SourceRules {
  private final SourcePatterns patterns;
  private final boolean isSourceKept;

  /// Paths that are kept however the patterns look.
  private final Set<String> stored;

  SourceRules(SourcePatterns patterns) {
    this(patterns, true, Set.of());
  }

  private SourceRules(SourcePatterns patterns, boolean isSourceKept, Set<String> stored) {
    this.patterns = patterns;
    this.isSourceKept = isSourceKept;
    this.stored = stored;
  }

  /// What is kept for the sake of fields that are mapped with `store`; null when the source has
  /// them all.
  static @Nullable SourceRules ofStored(DocumentMapping mapping) {
    boolean isWhole = mapping.isSourceEnabled() && mapping.sourcePatterns().keepsAll();
    Set<String> stored = isWhole ? Set.of() : stored(mapping);
    return stored.isEmpty()
        ? null
        : new SourceRules(mapping.sourcePatterns(), mapping.isSourceEnabled(), stored);
  }

  private static Set<String> stored(DocumentMapping mapping) {
    Set<String> stored = new TreeSet<>();
    for (String path : mapping.matching("*")) {
      MappedField field = mapping.field(path);
      if (field != null && field.type().isStored()) {
        stored.add(mapping.member(path) == null ? path.substring(0, path.lastIndexOf('.')) : path);
      }
    }
    return stored;
  }

  /// What is kept of a document.
  byte[] apply(byte[] bytes, int offset, int length) {
    try (JsonTree tree = JsonTree.of(bytes, offset, length)) {
      ObjectNode document = (ObjectNode) tree.root();
      filter(document, "", isSourceKept && patterns.includesAll());
      return Json.bytes(document);
    }
  }

  /// @param isIncluded whether an object around it is included as a whole
  private void filter(ObjectNode object, String path, boolean isIncluded) {
    List<String> dropped = new ArrayList<>();
    object
        .properties()
        .forEach(member -> {
          String at = path.isEmpty() ? member.getKey() : path + "." + member.getKey();
          if (!keeps(member.getValue(), at, isIncluded)) {
            dropped.add(member.getKey());
          }
        });
    object.remove(dropped);
  }

  private boolean keeps(JsonNode value, String path, boolean isIncluded) {
    if (stored.contains(path)) {
      return true;
    }
    if (patterns.excludes(path)) {
      return !stored.isEmpty() && value.isContainerNode() && keepsInside(value, path, false);
    }
    return keepsInside(value, path, isIncluded || (isSourceKept && patterns.includes(path)));
  }

  private boolean keepsInside(JsonNode value, String path, boolean isNamed) {
    return switch (value) {
      case ObjectNode object -> {
        boolean wasEmpty = object.isEmpty();
        filter(object, path, isNamed);
        yield isNamed || (!wasEmpty && !object.isEmpty());
      }
      case ArrayNode array -> {
        for (int i = array.size() - 1; i >= 0; i--) {
          if (array.get(i).isContainerNode() && !keeps(array.get(i), path, isNamed)) {
            array.remove(i);
          } else if (!array.get(i).isContainerNode() && !isNamed) {
            array.remove(i);
          }
        }
        yield isNamed || !array.isEmpty();
      }
      default -> isNamed;
    };
  }
}
