package dev.holdfast.document.ingest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.text.RegularExpressions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/// The configuration of one processor being read: members are ticked off, what is left is refused,
/// and each refusal says of which processor and property.
public final class ProcessorConfig {
  private final String type;
  private final @Nullable String tag;
  private final ObjectNode node;
  private final Set<String> asked = new LinkedHashSet<>();

  ProcessorConfig(String type, ObjectNode node) {
    this.type = type;
    this.node = node;
    this.tag = node.path("tag").isTextual() ? node.get("tag").asText() : null;
  }

  public String type() {
    return type;
  }

  public @Nullable String tag() {
    return tag;
  }

  /// A refusal that names the processor.
  public Refusal wrong(@Nullable String property, String what) {
    Refusal refusal =
        new Refusal(ErrorType.PARSE, property == null ? what : "[" + property + "] " + what);
    if (tag != null) {
      var _ = refusal.with("processor_tag", tag);
    }
    var _ = refusal.with("processor_type", type);
    return property == null ? refusal : refusal.with("property_name", property);
  }

  /// A refusal of a part of the definition, with the processor that it is of.
  public Refusal tagged(Refusal refusal) {
    if (tag != null) {
      var _ = refusal.with("processor_tag", tag);
    }
    return refusal.with("processor_type", type);
  }

  public @Nullable JsonNode take(String name) {
    asked.add(name);
    JsonNode value = node.get(name);
    return value == null || value.isNull() ? null : value;
  }

  /// Whether the member is there, JSON null included.
  public boolean has(String name) {
    return node.has(name);
  }

  public JsonNode required(String name) {
    JsonNode value = take(name);
    if (value == null) {
      throw wrong(name, "required property is missing");
    }
    return value;
  }

  public @Nullable String string(String name) {
    JsonNode value = take(name);
    if (value == null) {
      return null;
    }
    if (!value.isTextual()) {
      throw wrong(name, isNo("a string", value));
    }
    return value.asText();
  }

  private static String isNo(String kind, JsonNode value) {
    return "property isn't " + kind + ", but of type [" + IngestDocument.typeName(value) + "]";
  }

  /// A text that every processor may have: its refusal names the property, not the processor.
  ///
  /// @param isTagged whether the refusal has the tag
  @Nullable String common(String name, boolean isTagged) {
    JsonNode value = take(name);
    if (value != null && !value.isTextual()) {
      Refusal refusal = untyped(name, isNo("a string", value));
      throw isTagged && tag != null ? refusal.with("processor_tag", tag) : refusal;
    }
    return value == null ? null : value.asText();
  }

  /// A flag that every processor may have, false unless it is given.
  boolean commonFlag(String name) {
    JsonNode value = take(name);
    if (value != null && !value.isBoolean()) {
      throw untyped(name, isNo("a boolean", value));
    }
    return value != null && value.booleanValue();
  }

  private static Refusal untyped(String name, String what) {
    return new Refusal(ErrorType.PARSE, "[" + name + "] " + what).with("property_name", name);
  }

  public String string(String name, String whenAbsent) {
    String value = string(name);
    return value == null ? whenAbsent : value;
  }

  public String requiredString(String name) {
    String value = string(name);
    if (value == null) {
      throw wrong(name, "required property is missing");
    }
    return value;
  }

  public boolean flag(String name, boolean whenAbsent) {
    JsonNode value = take(name);
    if (value == null) {
      return whenAbsent;
    }
    if (!value.isBoolean()) {
      throw wrong(name, isNo("a boolean", value));
    }
    return value.booleanValue();
  }

  /// A whole number, also as text.
  public int whole(String name, int whenAbsent) {
    JsonNode value = take(name);
    if (value == null) {
      return whenAbsent;
    }
    String text = value.isValueNode() ? value.asText() : value.toString();
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw wrong(name, "property cannot be converted to an int [" + text + "]");
    }
  }

  /// A list of strings, or one string; empty when absent.
  public List<String> strings(String name) {
    JsonNode value = take(name);
    return value == null || value.isArray() ? texts(name, value) : List.of(requiredString(name));
  }

  /// A list of strings; empty when absent.
  public List<String> list(String name) {
    JsonNode value = take(name);
    if (value != null && !value.isArray()) {
      throw wrong(name, isNo("a list", value));
    }
    return texts(name, value);
  }

  /// A list of strings that must be there.
  public List<String> requiredList(String name) {
    var _ = required(name);
    return list(name);
  }

  private List<String> texts(String name, @Nullable JsonNode list) {
    List<String> texts = new ArrayList<>();
    if (list != null) {
      for (JsonNode one : list) {
        if (!one.isTextual()) {
          throw wrong(
              name,
              "property has an element that isn't a string, but of type ["
                  + IngestDocument.typeName(one)
                  + "]");
        }
        texts.add(one.asText());
      }
    }
    return texts;
  }

  /// An object of strings; empty when absent.
  public Map<String, String> namedTexts(String name) {
    Map<String, String> texts = new LinkedHashMap<>();
    ObjectNode members = map(name);
    if (members != null) {
      for (Map.Entry<String, JsonNode> member : members.properties()) {
        if (!member.getValue().isTextual()) {
          throw wrong(name, "[" + member.getKey() + "] " + isNo("a string", member.getValue()));
        }
        texts.put(member.getKey(), member.getValue().asText());
      }
    }
    return texts;
  }

  /// An object; null when absent.
  public @Nullable ObjectNode map(String name) {
    JsonNode value = take(name);
    if (value != null && !value.isObject()) {
      throw wrong(name, isNo("a map", value));
    }
    return (ObjectNode) value;
  }

  /// A required regular expression.
  public Pattern pattern(String name) {
    String text = requiredString(name);
    try {
      return RegularExpressions.compile(text, 0);
    } catch (PatternSyntaxException e) {
      throw wrong(name, "Invalid regex pattern. " + e.getMessage());
    }
  }

  public Locale locale(String name) {
    String text = string(name);
    return text == null ? Locale.ENGLISH : Locale.forLanguageTag(text.replace('_', '-'));
  }

  /// Refuses members that were not asked for.
  void done() {
    List<String> rest = new ArrayList<>();
    node.fieldNames().forEachRemaining(rest::add);
    rest.removeAll(asked);
    if (!rest.isEmpty()) {
      throw wrong(
          null,
          "processor ["
              + type
              + "] doesn't support one or more provided configuration parameters "
              + rest);
    }
  }
}
