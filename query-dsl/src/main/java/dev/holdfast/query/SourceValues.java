package dev.holdfast.query;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/// Values that a document has at a path, however its members are nested or dotted.
public final class SourceValues {
  private SourceValues() {}

  /// The values, arrays taken apart, nulls left out.
  public static List<JsonNode> of(JsonNode document, String path) {
    List<JsonNode> found = new ArrayList<>();
    collect(document, path, found, true);
    return found;
  }

  /// The values, arrays as they are, for kinds whose values are arrays.
  static List<JsonNode> whole(JsonNode document, String path) {
    List<JsonNode> found = new ArrayList<>();
    collect(document, path, found, false);
    return found;
  }

  /// The values of a field: those at its path, or of the field that it is a multi-field of.
  static List<JsonNode> ofField(QueryContext context, JsonNode document, String field) {
    String path = context.path(field);
    List<JsonNode> found = of(document, path);
    while (found.isEmpty()
        && path.indexOf('.') > 0
        && context.type(path.substring(0, path.lastIndexOf('.'))) != null) {
      path = path.substring(0, path.lastIndexOf('.'));
      found = of(document, path);
    }
    return found;
  }

  /// Those values as text, objects left out.
  public static List<String> textsOfField(QueryContext context, JsonNode document, String field) {
    return ofField(context, document, field).stream()
        .filter(JsonNode::isValueNode)
        .map(JsonNode::asText)
        .toList();
  }

  /// The values as text, objects left out.
  public static List<String> texts(JsonNode document, String path) {
    return of(document, path).stream().filter(JsonNode::isValueNode).map(JsonNode::asText).toList();
  }

  private static void collect(
      JsonNode node, String path, List<JsonNode> found, boolean takesApart) {
    if (node.isArray()) {
      node.forEach(element -> collect(element, path, found, takesApart));
      return;
    }
    JsonNode whole = node.get(path);
    if (whole != null && takesApart) {
      leaves(whole, found);
    } else if (whole != null && !whole.isNull()) {
      found.add(whole);
    }
    for (int dot = path.indexOf('.'); dot > 0; dot = path.indexOf('.', dot + 1)) {
      JsonNode inner = node.get(path.substring(0, dot));
      if (inner != null && inner.isContainerNode()) {
        collect(inner, path.substring(dot + 1), found, takesApart);
      }
    }
  }

  private static void leaves(JsonNode node, List<JsonNode> found) {
    if (node.isArray()) {
      node.forEach(element -> leaves(element, found));
    } else if (!node.isNull()) {
      found.add(node);
    }
  }
}
