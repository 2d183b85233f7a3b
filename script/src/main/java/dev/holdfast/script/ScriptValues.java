package dev.holdfast.script;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.script.runtime.Contents;
import dev.holdfast.script.runtime.ScriptLimitError;
import dev.holdfast.script.value.GeoPoint;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.text.JsonTree;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// JSON as scripts hold it, maps and lists that can be changed, and back.
public final class ScriptValues {
  /// Objects in objects: what is deeper holds itself.
  private static final int DEPTH_MAX = 500;

  private static final int MAP_AND_TREE = 2;

  private ScriptValues() {}

  @SuppressWarnings("NullAway") // a map of JSON holds null where the JSON does
  public static Map<String, Object> map(JsonNode object) {
    Map<String, Object> map = new LinkedHashMap<>();
    object.properties().forEach(e -> map.put(e.getKey(), java(e.getValue())));
    return map;
  }

  /// An object of a text of JSON.
  ///
  /// @throws Refusal when it is none, or there is no memory for it (429)
  public static Map<String, Object> map(byte[] json, int offset, int length) {
    if (length <= JsonTree.SMALL_MAX_BYTES) {
      return ScriptJson.read(json, offset, length);
    }
    try (JsonTree tree = JsonTree.of(json, offset, length, MAP_AND_TREE)) {
      if (!tree.root().isObject()) {
        throw new Refusal(ErrorType.PARSING, "expected a JSON object");
      }
      return map(tree.root());
    }
  }

  public static @Nullable Object java(@Nullable JsonNode json) {
    if (json == null) {
      return null;
    }
    return switch (json.getNodeType()) {
      case OBJECT -> map(json);
      case ARRAY -> {
        List<@Nullable Object> list = new ArrayList<>();
        json.forEach(element -> list.add(java(element)));
        yield list;
      }
      case STRING -> json.asText();
      case BOOLEAN -> json.asBoolean();
      case NUMBER ->
          json.isBigDecimal() || json.isFloat() ? (Object) json.doubleValue() : json.numberValue();
      default -> null;
    };
  }

  /// @throws Refusal 400 for what is no JSON, holds itself, or would be too large as JSON
  public static JsonNode json(@Nullable Object value) {
    return json(bounded(value), 0);
  }

  /// The text of [#json] of a map.
  ///
  /// @throws Refusal as [#json]
  public static byte[] bytes(Map<?, ?> object) {
    bounded(object);
    return ScriptJson.write(object);
  }

  /// What a script answered, for people.
  ///
  /// @throws Refusal 400 when it would be too long
  public static String text(@Nullable Object value) {
    return String.valueOf(bounded(value));
  }

  private static @Nullable Object bounded(@Nullable Object value) {
    try {
      return Contents.bounded(value);
    } catch (ScriptLimitError | UnsupportedOperationException e) {
      // The second says that it is no map to be walked, but one that is asked by name.
      throw Refusal.badArgument(String.valueOf(e.getMessage()));
    }
  }

  static void requireShallow(int depth) {
    if (depth > DEPTH_MAX) {
      throw Refusal.badArgument("Iterable object is self-referencing itself");
    }
  }

  static JsonNode json(@Nullable Object value, int depth) {
    requireShallow(depth);
    return switch (value) {
      case null -> Json.MAPPER.nullNode();
      case JsonNode node -> node;
      case Map<?, ?> map -> {
        ObjectNode object = Json.object();
        map.forEach((key, inner) -> {
          if (key == null) {
            throw Refusal.badArgument("field name cannot be null.");
          }
          object.set(String.valueOf(key), json(inner, depth + 1));
        });
        yield object;
      }
      case Iterable<?> values -> {
        ArrayNode array = Json.MAPPER.createArrayNode();
        values.forEach(inner -> array.add(json(inner, depth + 1)));
        yield array;
      }
      case Object[] values -> json(Arrays.asList(values), depth + 1);
      case byte[] bytes ->
          Json.MAPPER.getNodeFactory().textNode(Base64.getEncoder().encodeToString(bytes));
      case String text -> Json.MAPPER.getNodeFactory().textNode(text);
      case Boolean is -> Json.MAPPER.getNodeFactory().booleanNode(is);
      case Integer n -> Json.MAPPER.getNodeFactory().numberNode(n);
      case Long n -> Json.MAPPER.getNodeFactory().numberNode(n);
      case Short n -> Json.MAPPER.getNodeFactory().numberNode(n.intValue());
      case Byte n -> Json.MAPPER.getNodeFactory().numberNode(n.intValue());
      case Double n -> Json.MAPPER.getNodeFactory().numberNode(n);
      case Float n -> Json.MAPPER.getNodeFactory().numberNode(n);
      case BigInteger n -> Json.MAPPER.getNodeFactory().numberNode(n);
      case BigDecimal n -> Json.MAPPER.getNodeFactory().numberNode(n);
      case Enum<?> one -> Json.MAPPER.getNodeFactory().textNode(one.toString());
      case GeoPoint point -> Json.object().put("lat", point.lat()).put("lon", point.lon());
      case Object array when array.getClass().isArray() -> {
        ArrayNode list = Json.MAPPER.createArrayNode();
        for (int i = 0; i < java.lang.reflect.Array.getLength(array); i++) {
          list.add(json(java.lang.reflect.Array.get(array, i), depth + 1));
        }
        yield list;
      }
      case Object other when other.getClass().getName().startsWith("dev.holdfast.script.") ->
          Json.MAPPER.getNodeFactory().textNode(other.toString());
      default -> Json.MAPPER.getNodeFactory().textNode(TimeText.of(value));
    };
  }
}
