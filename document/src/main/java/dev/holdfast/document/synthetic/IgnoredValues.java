package dev.holdfast.document.synthetic;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.document.FieldColumns;
import dev.holdfast.document.scan.JsonScanner;
import dev.holdfast.document.scan.Token;
import dev.holdfast.world.Json;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Finds out which values of a field were ignored, by giving them to the field once more.
final class IgnoredValues {
  private final JsonScanner scanner = new JsonScanner();
  private final Map<String, FieldColumns> columns = new HashMap<>();

  List<JsonNode> of(RebuiltField field, JsonNode value) {
    List<JsonNode> ignored = new ArrayList<>();
    collect(field, value, ignored);
    if (field.sortsIgnored()) {
      ignored.sort(Comparator.comparing(JsonNode::asText));
    }
    return ignored;
  }

  private void collect(RebuiltField field, JsonNode value, List<JsonNode> to) {
    if (value.isArray() && !field.type().readsArrays()) {
      value.forEach(element -> collect(field, element, to));
    } else if (!value.isNull() && isIgnored(field, value)) {
      to.add(value);
    }
  }

  private boolean isIgnored(RebuiltField field, JsonNode value) {
    FieldColumns scratch =
        columns.computeIfAbsent(
            field.valuesPath(), _ -> field.type().newColumns(field.valuesPath()));
    ObjectNode alone = Json.object();
    alone.set("value", value);
    byte[] bytes = Json.bytes(alone);
    scanner.open(bytes, 0, bytes.length);
    scanner.next();
    scanner.nextMember(true);
    Token token = scanner.next();
    if (token == Token.OBJECT || token == Token.ARRAY) {
      scanner.tree();
    }
    boolean isKept = scratch.add(0, scanner);
    scratch.clear();
    return !isKept;
  }
}
