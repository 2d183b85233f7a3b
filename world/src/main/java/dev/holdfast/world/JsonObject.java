package dev.holdfast.world;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A JSON object being read member by member: what is asked for is ticked off, and [#done] refuses
/// what nobody asked for, so that a misspelt member is never ignored.
public final class JsonObject {
  private final String context;
  private final ObjectNode node;
  private final Strictness strictness;
  private final Set<String> asked = new LinkedHashSet<>();

  /// What is taken for a value.
  private enum Strictness {
    /// Null is as good as absent, a number as good as a text.
    LENIENT,
    /// Null is as good as absent, an empty text as good as false.
    VALUES_OR_NULL,
    /// Null is no value, an empty text as good as false.
    VALUES,
    /// Null is no value, and nothing but a text is a text.
    KINDS
  }

  private JsonObject(String context, ObjectNode node, Strictness strictness) {
    this.context = context;
    this.node = node;
    this.strictness = strictness;
  }

  /// @param context the word for messages, `[context] …`: a query or aggregation name, an API
  /// @throws Refusal `parsing_exception` when `node` is not an object
  public static JsonObject of(String context, @Nullable JsonNode node) {
    return of(context, node, Strictness.LENIENT);
  }

  /// The same for a body whose members are values where they are given: null is refused, and an
  /// empty text is false.
  public static JsonObject ofValues(String context, @Nullable JsonNode node) {
    return of(context, node, Strictness.VALUES);
  }

  /// The same for a body in which null says as much as nothing.
  public static JsonObject ofValuesOrNull(String context, @Nullable JsonNode node) {
    return of(context, node, Strictness.VALUES_OR_NULL);
  }

  /// The same for a body whose members have kinds: null is refused, and so are numbers and booleans
  /// in the place of texts.
  public static JsonObject ofKinds(String context, @Nullable JsonNode node) {
    return of(context, node, Strictness.KINDS);
  }

  private static JsonObject of(String context, @Nullable JsonNode node, Strictness strictness) {
    if (node instanceof ObjectNode object) {
      return new JsonObject(context, object, strictness);
    }
    throw new Refusal(
        ErrorType.PARSING,
        "["
            + context
            + "] expected an object but found "
            + (node == null ? "nothing" : kind(node)));
  }

  public String context() {
    return context;
  }

  public ObjectNode node() {
    return node;
  }

  /// Member names that were not asked for yet, in order.
  public List<String> rest() {
    List<String> rest = new ArrayList<>();
    node.fieldNames().forEachRemaining(rest::add);
    rest.removeAll(asked);
    return rest;
  }

  /// The member, or null when absent; JSON null counts as present.
  ///
  /// @throws Refusal for JSON null where members are values
  public @Nullable JsonNode take(String name) {
    asked.add(name);
    JsonNode value = node.get(name);
    boolean isNullRefused = strictness == Strictness.VALUES || strictness == Strictness.KINDS;
    if (value != null && value.isNull() && isNullRefused) {
      throw unfit(name, value);
    }
    return value;
  }

  /// The member, or null when it is absent or JSON null, which is allowed here.
  public @Nullable JsonNode orNull(String name) {
    asked.add(name);
    JsonNode value = node.get(name);
    return value == null || value.isNull() ? null : value;
  }

  public boolean has(String name) {
    return node.has(name);
  }

  public JsonNode required(String name) {
    JsonNode value = take(name);
    if (value == null || value.isNull()) {
      throw new Refusal(ErrorType.PARSING, "[" + context + "] requires [" + name + "]");
    }
    return value;
  }

  /// A text that must be there.
  public String requiredText(String name) {
    String value = string(name);
    if (value == null) {
      throw new Refusal(ErrorType.PARSING, "[" + context + "] requires [" + name + "]");
    }
    return value;
  }

  public @Nullable String string(String name) {
    JsonNode value = take(name);
    if (value == null || value.isNull()) {
      return null;
    }
    if (strictness == Strictness.KINDS && !value.isTextual()) {
      throw unfit(name, value);
    }
    if (!value.isValueNode()) {
      throw areValues() ? unfit(name, value) : wrong(name, value);
    }
    return value.asText();
  }

  /// As [#string(String)], where JSON null is allowed and says nothing.
  public @Nullable String stringOrNull(String name) {
    return orNull(name) == null ? null : string(name);
  }

  public String string(String name, String whenAbsent) {
    String value = string(name);
    return value == null ? whenAbsent : value;
  }

  /// Numbers and numeric strings.
  public int integer(String name, int whenAbsent) {
    long value = longValue(name, whenAbsent);
    if (value != (int) value) {
      throw outOfRange(name, Long.toString(value));
    }
    return (int) value;
  }

  private Refusal outOfRange(String name, String value) {
    return new Refusal(
        areValues() ? ErrorType.X_CONTENT_PARSE : ErrorType.ILLEGAL_ARGUMENT,
        "[" + context + "] [" + name + "] out of range: " + value);
  }

  public long longValue(String name, long whenAbsent) {
    JsonNode value = take(name);
    if (value == null || value.isNull()) {
      return whenAbsent;
    }
    if (value.isNumber() && !value.canConvertToLong()) {
      throw outOfRange(name, value.asText());
    }
    try {
      return value.isNumber() ? value.longValue() : whole(value.asText());
    } catch (NumberFormatException e) {
      throw noNumber(name, value);
    }
  }

  /// A number in text; what follows its point is cut off, as Elasticsearch does.
  private static long whole(String text) {
    if (text.indexOf('.') < 0) {
      return Long.parseLong(text);
    }
    double number = Double.parseDouble(text);
    if (!(Math.abs(number) < 0x1p63)) {
      throw new NumberFormatException("out of range: " + text);
    }
    return (long) number;
  }

  public double doubleValue(String name, double whenAbsent) {
    JsonNode value = take(name);
    if (value == null || value.isNull()) {
      return whenAbsent;
    }
    try {
      return value.isNumber() ? value.doubleValue() : Double.parseDouble(value.asText());
    } catch (NumberFormatException e) {
      throw noNumber(name, value);
    }
  }

  private Refusal noNumber(String name, JsonNode value) {
    if (areValues() && value.isContainerNode()) {
      return unfit(name, value);
    }
    if (areValues() && value.isTextual()) {
      String text = value.asText();
      return new Refusal(
          ErrorType.NUMBER_FORMAT,
          (text.isEmpty() ? "empty String" : "For input string: \"" + text + "\"")
              + " in ["
              + name
              + "]");
    }
    return wrong(name, value);
  }

  /// Whether members are read one by one, as tokens: each kind of fault has its own words.
  private boolean areValues() {
    return strictness == Strictness.VALUES || strictness == Strictness.VALUES_OR_NULL;
  }

  /// Booleans and the strings "true" and "false".
  public boolean bool(String name, boolean whenAbsent) {
    JsonNode value = take(name);
    if (value == null || value.isNull()) {
      return whenAbsent;
    }
    if (areValues() && value.isContainerNode()) {
      throw unfit(name, value);
    }
    if (areValues() && value.isNumber()) {
      throw new Refusal(
              ErrorType.X_CONTENT_PARSE,
              "Current token (" + token(value) + ") of [" + name + "] not of boolean type")
          .at(MemberLocation.ofValue(node, name));
    }
    return switch (value.asText()) {
      case "true" -> true;
      case "false" -> false;
      case String text
          when text.isEmpty() && value.isTextual() && strictness != Strictness.LENIENT ->
          false;
      default ->
          throw Refusal.badArgument(
              "Failed to parse value ["
                  + value.asText()
                  + "] as only [true] or [false] are allowed.");
    };
  }

  /// A string or a list of strings; empty when absent.
  public List<String> strings(String name) {
    JsonNode value = take(name);
    List<String> strings = new ArrayList<>();
    if (value != null && value.isArray()) {
      for (JsonNode each : value) {
        requireText(name, each);
        strings.add(each.asText());
      }
    } else if (value != null && !value.isNull()) {
      if (value.isObject() || (strictness == Strictness.KINDS && !value.isTextual())) {
        throw unfit(name, value);
      }
      strings.add(value.asText());
    }
    return strings;
  }

  private void requireText(String name, JsonNode element) {
    if (element.isNull() || element.isContainerNode()) {
      Refusal refusal = Refusal.badArgument("Expected text but found " + token(element));
      throw strictness == Strictness.KINDS
          ? new Refusal(
                  ErrorType.X_CONTENT_PARSE,
                  "[" + context + "] failed to parse field [" + name + "]",
                  refusal)
              .at(MemberLocation.ofValue(node, name))
          : refusal.at(MemberLocation.ofValue(node, name));
    }
  }

  /// Refuses a number or boolean that stands in quotation marks, where the member takes none.
  public JsonObject unquoted(String name) {
    JsonNode value = node.get(name);
    if (value != null && value.isTextual()) {
      throw new Refusal(
              ErrorType.PARSING,
              "Unknown key for a VALUE_STRING in [" + context + "]: [" + name + "].")
          .at(MemberLocation.ofValue(node, name));
    }
    return this;
  }

  /// A list of texts; empty when absent.
  ///
  /// @throws Refusal for anything but a list
  public List<String> list(String name) {
    JsonNode value = take(name);
    if (value != null && !value.isArray()) {
      throw new Refusal(
              ErrorType.PARSING, "[" + context + "] query does not support [" + name + "]")
          .at(MemberLocation.ofValue(node, name));
    }
    return strings(name);
  }

  /// One of some words.
  ///
  /// @throws Refusal for any other
  public String choice(String name, List<String> words) {
    String given = string(name, words.getFirst());
    if (!words.contains(given)) {
      throw new Refusal(
              ErrorType.X_CONTENT_PARSE,
              "["
                  + context
                  + "] failed to parse field ["
                  + name
                  + "]: ["
                  + given
                  + "] is none of "
                  + words)
          .at(MemberLocation.ofValue(node, name));
    }
    return given;
  }

  /// The member as an object with this context, or null when absent.
  public @Nullable JsonObject object(String name) {
    JsonNode value = take(name);
    return value == null || value.isNull() ? null : of(context, value, strictness);
  }

  /// Refuses members that were not asked for.
  public void done() {
    List<String> rest = rest();
    if (!rest.isEmpty()) {
      String message = "[" + context + "] unknown field [" + rest.getFirst() + "]";
      throw new Refusal(
              ErrorType.X_CONTENT_PARSE, Suggestions.didYouMean(message, rest.getFirst(), asked))
          .at(MemberLocation.ofName(node, rest.getFirst()));
    }
  }

  /// A value that is of no kind which the member may have.
  private Refusal unfit(String name, JsonNode value) {
    return strictness == Strictness.KINDS
        ? new Refusal(
                ErrorType.X_CONTENT_PARSE,
                "[" + context + "] " + name + " doesn't support values of type: " + token(value))
            .at(MemberLocation.ofValue(node, name))
        : new Refusal(
                ErrorType.PARSING,
                "[" + context + "] unknown token [" + token(value) + "] after [" + name + "]")
            .at(MemberLocation.ofValue(node, name));
  }

  /// The name of the token that a value begins with.
  public static String token(JsonNode value) {
    return switch (value.getNodeType()) {
      case OBJECT, POJO -> "START_OBJECT";
      case ARRAY -> "START_ARRAY";
      case STRING, BINARY -> "VALUE_STRING";
      case NUMBER -> "VALUE_NUMBER";
      case BOOLEAN -> "VALUE_BOOLEAN";
      case NULL, MISSING -> "VALUE_NULL";
    };
  }

  private Refusal wrong(String name, JsonNode value) {
    return new Refusal(
        ErrorType.X_CONTENT_PARSE,
        "[" + context + "] failed to parse field [" + name + "]: unexpected " + kind(value));
  }

  private static String kind(JsonNode node) {
    return node.getNodeType().name().toLowerCase(java.util.Locale.ROOT) + " [" + node + "]";
  }
}
