package dev.holdfast.oracle;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/// Every way to make one member of a body mean nothing: a member that nobody knows in each of its
/// objects, and in the place of each value one of another kind.
final class MemberMutations {
  private static final String UNKNOWN = "banana";
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  /// A changed body.
  ///
  /// @param kind what was done
  /// @param place where, without the numbers of elements: the same place of two bodies is the same
  record Mutation(String kind, String place, String body) {}

  private final JsonNode whole;
  private final List<Mutation> all = new ArrayList<>();

  private MemberMutations(JsonNode whole) {
    this.whole = whole;
  }

  /// All changes of one member; the body is left as it is.
  static List<Mutation> of(JsonNode body) {
    MemberMutations mutations = new MemberMutations(body.deepCopy());
    mutations.walk(mutations.whole, "");
    return mutations.all;
  }

  private void walk(JsonNode node, String place) {
    if (node instanceof ObjectNode object) {
      if (!object.has(UNKNOWN)) {
        object.put(UNKNOWN, 1);
        note("unknown member", place);
        object.remove(UNKNOWN);
      }
      for (Map.Entry<String, JsonNode> member : List.copyOf(object.properties())) {
        String inner = place + "/" + member.getKey();
        JsonNode value = member.getValue();
        replace(value, inner, other -> object.set(member.getKey(), other));
        walk(value, inner);
      }
    } else if (node instanceof ArrayNode array) {
      for (int i = 0; i < array.size(); i++) {
        int at = i;
        JsonNode value = array.get(i);
        replace(value, place + "/*", other -> array.set(at, other));
        walk(value, place + "/*");
      }
    }
  }

  private void replace(JsonNode value, String place, Consumer<JsonNode> put) {
    change("null", place, NODES.nullNode(), put);
    change("array of one", place, NODES.arrayNode().add(value.deepCopy()), put);
    if (value.isNumber() || value.isBoolean()) {
      change("as text", place, NODES.textNode(value.asText()), put);
    }
    if (!value.isTextual()) {
      change("text", place, NODES.textNode("pear"), put);
    }
    if (!value.isNumber()) {
      change("number", place, NODES.numberNode(7), put);
    }
    if (!value.isBoolean()) {
      change("boolean", place, NODES.booleanNode(true), put);
    }
    if (!value.isObject()) {
      change("object", place, NODES.objectNode(), put);
    }
    put.accept(value);
  }

  private void change(String kind, String place, JsonNode other, Consumer<JsonNode> put) {
    put.accept(other);
    note(kind, place);
  }

  private void note(String kind, String place) {
    all.add(new Mutation(kind, place.isEmpty() ? "/" : place, whole.toString()));
  }
}
