package dev.holdfast.query.source;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.field.vector.PackedVector;
import dev.holdfast.query.QueryContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Values that a document has at a path, however its members are nested or dotted.
public final class SourceValues {
  private SourceValues() {}

  /// The values, arrays taken apart, nulls left out.
  public static List<JsonNode> of(JsonNode document, String path) {
    return of(document, path, null);
  }

  /// The values, arrays taken apart.
  ///
  /// @param whenNull in place of nulls; null to leave them out
  static List<JsonNode> of(JsonNode document, String path, @Nullable JsonNode whenNull) {
    List<JsonNode> found = new ArrayList<>();
    collect(document, path, found, true, whenNull);
    return found;
  }

  /// The values, arrays as they are, for kinds whose values are arrays.
  public static List<JsonNode> whole(JsonNode document, String path) {
    List<JsonNode> found = new ArrayList<>();
    collect(document, path, found, false, null);
    return found;
  }

  /// The vectors of a field, as numbers, however they were sent.
  public static List<Object> vectors(JsonNode document, Map.Entry<String, PackedVector> field) {
    List<Object> found = new ArrayList<>();
    for (JsonNode sent : whole(document, field.getKey())) {
      JsonNode numbers = sent.isTextual() ? field.getValue().numbers(sent.asText()) : null;
      found.add(numbers == null ? sent : numbers);
    }
    return found;
  }

  /// The values of a field: those at its path, or of the field that it is a multi-field of.
  static List<JsonNode> ofField(QueryContext context, JsonNode document, String field) {
    return ofField(context, document, field, null);
  }

  /// @param whenNull in place of nulls; null to leave them out
  static List<JsonNode> ofField(
      QueryContext context, JsonNode document, String field, @Nullable JsonNode whenNull) {
    return ofField(context, field, path -> of(document, path, whenNull));
  }

  /// The same, arrays as they are.
  static List<JsonNode> wholeOfField(QueryContext context, JsonNode document, String field) {
    return ofField(context, field, path -> whole(document, path));
  }

  private static List<JsonNode> ofField(
      QueryContext context, String field, Function<String, List<JsonNode>> at) {
    String path = context.path(field);
    List<JsonNode> found = at.apply(path);
    while (found.isEmpty()
        && path.indexOf('.') > 0
        && context.type(path.substring(0, path.lastIndexOf('.'))) != null) {
      path = path.substring(0, path.lastIndexOf('.'));
      found = at.apply(path);
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

  private static void collect(
      JsonNode node,
      String path,
      List<JsonNode> found,
      boolean takesApart,
      @Nullable JsonNode whenNull) {
    if (node.isArray()) {
      node.forEach(element -> collect(element, path, found, takesApart, whenNull));
      return;
    }
    JsonNode whole = node.get(path);
    if (whole != null && takesApart) {
      leaves(whole, found, whenNull);
    } else if (whole != null && !whole.isNull()) {
      found.add(whole);
    }
    for (int dot = path.indexOf('.'); dot > 0; dot = path.indexOf('.', dot + 1)) {
      JsonNode inner = node.get(path.substring(0, dot));
      if (inner != null && inner.isContainerNode()) {
        collect(inner, path.substring(dot + 1), found, takesApart, whenNull);
      }
    }
  }

  private static void leaves(JsonNode node, List<JsonNode> found, @Nullable JsonNode whenNull) {
    if (node.isArray()) {
      node.forEach(element -> leaves(element, found, whenNull));
    } else if (!node.isNull()) {
      found.add(node);
    } else if (whenNull != null) {
      found.add(whenNull);
    }
  }
}
