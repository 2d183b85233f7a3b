package dev.holdfast.document.ingest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.text.RegularExpressions;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
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
    this.tag = node.hasNonNull("tag") ? node.get("tag").asText() : null;
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
    if (!value.isTextual() && !value.isNumber() && !value.isBoolean()) {
      throw wrong(
          name, "property isn't a string, but of type [" + IngestDocument.typeName(value) + "]");
    }
    return value.asText();
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
      throw wrong(
          name, "property isn't a boolean, but of type [" + IngestDocument.typeName(value) + "]");
    }
    return value.booleanValue();
  }

  /// A list of strings, or one string; empty when absent.
  public List<String> strings(String name) {
    JsonNode value = take(name);
    List<String> strings = new ArrayList<>();
    if (value != null && value.isArray()) {
      value.forEach(one -> strings.add(one.asText()));
    } else if (value != null) {
      strings.add(value.asText());
    }
    return strings;
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
