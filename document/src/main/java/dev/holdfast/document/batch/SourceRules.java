package dev.holdfast.document.batch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.document.mapping.SourcePatterns;
import dev.holdfast.world.Json;
import java.util.ArrayList;
import java.util.List;

/// Which parts of documents are kept in `_source`: those that `includes` names, without those that
/// `excludes` names. An object that is named is named with all that it holds.
final class SourceRules {
  private final SourcePatterns patterns;

  SourceRules(SourcePatterns patterns) {
    this.patterns = patterns;
  }

  /// What is kept of a document.
  byte[] apply(byte[] bytes, int offset, int length) {
    ObjectNode document = (ObjectNode) Json.parse(bytes, offset, length);
    filter(document, "", patterns.includesAll());
    return Json.bytes(document);
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
    if (patterns.excludes(path)) {
      return false;
    }
    boolean isNamed = isIncluded || patterns.includes(path);
    return switch (value) {
      case ObjectNode object -> {
        boolean wasEmpty = object.isEmpty();
        filter(object, path, isNamed);
        yield isNamed || (!wasEmpty && !object.isEmpty());
      }
      case ArrayNode array -> {
        for (int i = array.size() - 1; i >= 0; i--) {
          if (array.get(i).isContainerNode() && !keeps(array.get(i), path, isIncluded)) {
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
