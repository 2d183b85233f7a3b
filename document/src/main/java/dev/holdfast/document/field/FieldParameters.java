package dev.holdfast.document.field;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The parameters of one field's mapping: read by name, with default and with whether they may
/// change, then kept to show and to merge the mapping.
public final class FieldParameters {
  /// Whether an existing field's parameter may be given another value.
  public enum Change {
    FIXED,
    ALLOWED
  }

  /// What of its values a synthetic `_source` keeps as they came; every field may say.
  public static final String SOURCE_KEEP = "synthetic_source_keep";

  private static final List<String> SOURCE_KEEPS = List.of("none", "arrays", "all");

  private record Parameter(JsonNode value, JsonNode whenAbsent, Change change) {
    boolean isDefault() {
      return value.equals(whenAbsent);
    }
  }

  private final String field;
  private final String type;
  private final ObjectNode json;
  private final Map<String, Parameter> known = new LinkedHashMap<>();

  /// @param json the mapping of the field without `fields` and `copy_to`
  public FieldParameters(String field, String type, ObjectNode json) {
    this.field = field;
    this.type = type;
    this.json = json;
    known.put("type", new Parameter(TextNode.valueOf(type), NullNode.instance, Change.FIXED));
  }

  public String field() {
    return field;
  }

  String type() {
    return type;
  }

  public boolean bool(String name, boolean whenAbsent, Change change) {
    JsonNode given = json.get(name);
    if (given == null) {
      return keep(name, BooleanNode.valueOf(whenAbsent), whenAbsent, change).booleanValue();
    }
    return switch (given.asText()) {
      case "true" -> keep(name, BooleanNode.TRUE, whenAbsent, change).booleanValue();
      case "false" -> keep(name, BooleanNode.FALSE, whenAbsent, change).booleanValue();
      default ->
          throw Refusal.badArgument(
              "Failed to parse value ["
                  + given.asText()
                  + "] as only [true] or [false] are allowed.");
    };
  }

  private JsonNode keep(String name, JsonNode value, boolean whenAbsent, Change change) {
    known.put(name, new Parameter(value, BooleanNode.valueOf(whenAbsent), change));
    return value;
  }

  public int integer(String name, int whenAbsent, Change change) {
    JsonNode given = json.get(name);
    int value = whenAbsent;
    if (given != null) {
      try {
        value = given.isNumber() ? given.intValue() : Integer.parseInt(given.asText());
      } catch (NumberFormatException e) {
        throw mapperParsing("Failed to parse [" + name + "]: " + e.getMessage());
      }
    }
    known.put(name, new Parameter(IntNode.valueOf(value), IntNode.valueOf(whenAbsent), change));
    return value;
  }

  /// @return NaN when absent
  public double number(String name, Change change) {
    JsonNode given = json.get(name);
    if (given == null) {
      return Double.NaN;
    }
    try {
      double value = given.isNumber() ? given.doubleValue() : Double.parseDouble(given.asText());
      known.put(name, new Parameter(DoubleNode.valueOf(value), NullNode.instance, change));
      return value;
    } catch (NumberFormatException e) {
      throw mapperParsing("Failed to parse [" + name + "]: " + e.getMessage());
    }
  }

  public @Nullable String string(String name, Change change) {
    JsonNode given = json.get(name);
    boolean isAbsent = given == null || given.isNull();
    JsonNode value = isAbsent ? NullNode.instance : TextNode.valueOf(given.asText());
    known.put(name, new Parameter(value, NullNode.instance, change));
    return isAbsent ? null : value.textValue();
  }

  public String string(String name, String whenAbsent, Change change) {
    JsonNode given = json.get(name);
    String value = given == null || given.isNull() ? whenAbsent : given.asText();
    known.put(name, new Parameter(TextNode.valueOf(value), TextNode.valueOf(whenAbsent), change));
    return value;
  }

  /// One of `choices`.
  public String choice(String name, String whenAbsent, List<String> choices, Change change) {
    String value = string(name, whenAbsent, change);
    if (!choices.contains(value)) {
      throw mapperParsing(
          "Unknown value ["
              + value
              + "] for field ["
              + name
              + "] - accepted values are "
              + choices);
    }
    return value;
  }

  /// Any JSON value; null when absent.
  public @Nullable JsonNode any(String name, Change change) {
    JsonNode given = json.get(name);
    boolean isAbsent = given == null || given.isNull();
    known.put(
        name,
        new Parameter(isAbsent ? NullNode.instance : given.deepCopy(), NullNode.instance, change));
    return isAbsent ? null : given;
  }

  /// A list of texts; empty when absent.
  public List<String> texts(String name, Change change) {
    JsonNode given = json.get(name);
    ArrayNode value = Json.MAPPER.createArrayNode();
    if (given != null && !given.isNull()) {
      if (!given.isArray()) {
        throw mapperParsing("[" + name + "] must be an array of texts, got [" + given + "]");
      }
      given.forEach(each -> {
        if (!each.isTextual()) {
          throw mapperParsing("[" + name + "] must be an array of texts, got [" + given + "]");
        }
        value.add(each);
      });
    }
    known.put(name, new Parameter(value, Json.MAPPER.createArrayNode(), change));
    List<String> texts = new ArrayList<>();
    value.forEach(each -> texts.add(each.textValue()));
    return texts;
  }

  /// Whether a parameter was given.
  public boolean has(String name) {
    return json.has(name) && !json.get(name).isNull();
  }

  /// A parameter as given, which [#show] will keep.
  public @Nullable JsonNode raw(String name) {
    return has(name) ? json.get(name) : null;
  }

  /// Keeps a parameter as it is to be shown; an empty object is not.
  public void show(String name, JsonNode value) {
    JsonNode kept = value.isContainerNode() && value.isEmpty() ? NullNode.instance : value;
    known.put(name, new Parameter(kept, NullNode.instance, Change.ALLOWED));
  }

  /// A flag that is shown whenever it is given, though it be the default.
  public boolean givenBool(String name, boolean whenAbsent, Change change) {
    boolean value = bool(name, whenAbsent, change);
    if (json.has(name)) {
      known.put(name, new Parameter(BooleanNode.valueOf(value), NullNode.instance, change));
    }
    return value;
  }

  /// A flag that is shown even when it is not given.
  public boolean shownBool(String name, boolean whenAbsent) {
    boolean value = bool(name, whenAbsent, Change.FIXED);
    known.put(name, new Parameter(BooleanNode.valueOf(value), NullNode.instance, Change.FIXED));
    return value;
  }

  /// A text that is shown even when it is not given.
  public String shownString(String name, String whenAbsent) {
    String value = string(name, whenAbsent, Change.FIXED);
    known.put(name, new Parameter(TextNode.valueOf(value), NullNode.instance, Change.FIXED));
    return value;
  }

  /// Parameters that are kept and shown but mean nothing here.
  public void accept(String... names) {
    for (String name : names) {
      any(name, Change.ALLOWED);
    }
  }

  /// Refuses parameters that nobody read.
  public void done() {
    any("meta", Change.ALLOWED);
    JsonNode keep = any(SOURCE_KEEP, Change.ALLOWED);
    if (keep != null) {
      checkSourceKeep(keep.asText());
    }
    json.fieldNames()
        .forEachRemaining(name -> {
          if (!known.containsKey(name) && !name.equals("type")) {
            throw mapperParsing(
                "unknown parameter ["
                    + name
                    + "] on mapper ["
                    + leaf()
                    + "] of type ["
                    + type
                    + "]");
          }
        });
  }

  /// @throws Refusal when a value of [#SOURCE_KEEP] is none
  public static String checkSourceKeep(String value) {
    if (!SOURCE_KEEPS.contains(value)) {
      throw mapperParsing(
          "Unknown synthetic_source_keep value ["
              + value
              + "], accepted values are [none,arrays,all]");
    }
    return value;
  }

  /// Whether a parameter was given as true, or is so by default.
  public boolean isTrue(String name) {
    Parameter parameter = known.get(name);
    return parameter != null && parameter.value().asBoolean();
  }

  /// A parameter that was read, as text; null when absent.
  public @Nullable String text(String name) {
    Parameter parameter = known.get(name);
    return parameter == null || parameter.value().isNull() ? null : parameter.value().asText();
  }

  private String leaf() {
    return field.substring(field.lastIndexOf('.') + 1);
  }

  public static Refusal mapperParsing(String reason) {
    return new Refusal(ErrorType.MAPPER_PARSING, reason);
  }

  /// As `GET _mapping` shows it: `type`, then what differs from the default.
  ObjectNode toJson() {
    ObjectNode shown = Json.object();
    known.forEach((name, parameter) -> {
      if (!parameter.isDefault()) {
        shown.set(name, parameter.value().deepCopy());
      }
    });
    return shown;
  }

  /// Refuses a change of what can't change.
  void checkChange(String path, FieldParameters changed) {
    if (!type.equals(changed.type)) {
      throw Refusal.badArgument(
          "mapper ["
              + path
              + "] cannot be changed from type ["
              + type
              + "] to ["
              + changed.type
              + "]");
    }
    List<String> conflicts = new ArrayList<>();
    known.forEach((name, old) -> {
      Parameter now = changed.known.get(name);
      JsonNode value = now == null ? old.whenAbsent() : now.value();
      if (old.change() == Change.FIXED && !isSame(name, value, old.value())) {
        conflicts.add(conflict(name, old, value));
      }
    });
    changed.known.forEach((name, now) -> {
      if (!known.containsKey(name) && now.change() == Change.FIXED && !now.isDefault()) {
        conflicts.add(
            conflict(
                name, new Parameter(now.whenAbsent(), now.value(), Change.FIXED), now.value()));
      }
    });
    if (!conflicts.isEmpty()) {
      throw Refusal.badArgument(
          "Mapper for ["
              + path
              + "] conflicts with existing mapper:\n\t"
              + String.join("\n\t", conflicts));
    }
  }

  /// An analyzer that nobody names is the one that is called default.
  private static boolean isSame(String name, JsonNode one, JsonNode other) {
    return one.equals(other)
        || (name.equals("analyzer") && shown(name, one).equals(shown(name, other)));
  }

  private static String conflict(String name, Parameter old, JsonNode value) {
    return "Cannot update parameter ["
        + name
        + "] from ["
        + shown(name, old.value())
        + "] to ["
        + shown(name, value)
        + "]";
  }

  private static String shown(String name, JsonNode value) {
    if (value.isArray()) {
      List<String> texts = new ArrayList<>();
      value.forEach(each -> texts.add(each.asText()));
      return texts.toString();
    }
    return value.isNull() && name.endsWith("analyzer") ? "default" : value.asText();
  }
}
