package dev.holdfast.document.ingest.processor.parse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.WorkMemory;
import dev.holdfast.world.text.BoundedText;
import dev.holdfast.world.text.RegularExpressions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/// A grok expression, made one regular expression: `%{NAME}`, `%{NAME:field}`,
/// `%{NAME:field:type}`, `(?<field>…)`.
///
/// @param fields what each of its named groups is
record GrokExpression(Pattern pattern, List<Field> fields) {
  private static final Pattern REFERENCE =
      Pattern.compile("%\\{(\\w+)(?::([^:}]+))?(?::(\\w+))?}|\\(\\?<(?![=!])([^>]+)>");

  /// How deep patterns may name others, and how long what they come to may be: a pattern that names
  /// itself passes neither.
  private static final int DEPTH_MAX = 50;

  private static final int LENGTH_MAX = 200_000;

  /// A group.
  ///
  /// @param type null for text
  record Field(String group, String name, ConvertProcessor.@Nullable Type type) {}

  /// @param known patterns by name
  /// @throws Refusal `illegal_argument_exception` when it is none
  static GrokExpression of(String expression, Map<String, String> known) {
    List<Field> fields = new ArrayList<>();
    StringBuilder regex = new StringBuilder();
    expand(expression, known, 0, regex, fields);
    try {
      return new GrokExpression(
          RegularExpressions.compile(regex.toString(), 0), List.copyOf(fields));
    } catch (PatternSyntaxException e) {
      throw Refusal.badArgument(
          "Invalid regex pattern found in: [" + expression + "]. " + e.getDescription());
    }
  }

  private static void expand(
      String expression,
      Map<String, String> known,
      int depth,
      StringBuilder regex,
      List<Field> fields) {
    if (depth > DEPTH_MAX || regex.length() > LENGTH_MAX) {
      throw Refusal.badArgument("circular reference in pattern [" + expression + "]");
    }
    Matcher references = REFERENCE.matcher(expression);
    int position = 0;
    while (references.find()) {
      regex.append(expression, position, references.start());
      position = references.end();
      if (references.group(4) != null) {
        regex.append("(?<").append(group(references.group(4), null, fields)).append('>');
        continue;
      }
      String body = known.get(references.group(1));
      if (body == null) {
        throw Refusal.badArgument(
            "Unable to find pattern [" + references.group(1) + "] in Grok's pattern dictionary");
      }
      String field = references.group(2);
      regex.append(field == null ? "(?:" : "(?<" + group(field, references.group(3), fields) + ">");
      expand(body, known, depth + 1, regex, fields);
      regex.append(')');
    }
    regex.append(expression, position, expression.length());
  }

  private static String group(String field, @Nullable String type, List<Field> fields) {
    String group = "g" + fields.size();
    fields.add(new Field(group, field, type(type)));
    return group;
  }

  private static ConvertProcessor.@Nullable Type type(@Nullable String name) {
    return switch (name) {
      case null -> null;
      case "string" -> null;
      case "int" -> ConvertProcessor.Type.INTEGER;
      case "long" -> ConvertProcessor.Type.LONG;
      case "float" -> ConvertProcessor.Type.FLOAT;
      case "double" -> ConvertProcessor.Type.DOUBLE;
      case "boolean" -> ConvertProcessor.Type.BOOLEAN;
      default -> throw Refusal.badArgument("unknown type [" + name + "] of a grok field");
    };
  }

  /// Values by field, or null when the text does not match; a list where several groups of one
  /// field have a value.
  @Nullable Map<String, JsonNode> match(CharSequence text) {
    Matcher matcher = pattern.matcher(text);
    if (!BoundedText.find(matcher)) {
      return null;
    }
    Map<String, JsonNode> found = new LinkedHashMap<>();
    for (Field field : fields) {
      // Groups in groups have the same characters.
      WorkMemory.add(2L * (matcher.end(field.group()) - matcher.start(field.group())));
      String value = matcher.group(field.group());
      if (value != null) {
        JsonNode plain = TextNode.valueOf(value);
        ConvertProcessor.Type type = field.type();
        found.merge(
            field.name(), type == null ? plain : type.converted(plain), GrokExpression::beside);
      }
    }
    return found;
  }

  private static JsonNode beside(JsonNode earlier, JsonNode value) {
    ArrayNode values =
        earlier instanceof ArrayNode list ? list : Json.object().arrayNode().add(earlier);
    return values.add(value);
  }
}
