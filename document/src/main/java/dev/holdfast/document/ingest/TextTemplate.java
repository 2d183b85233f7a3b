package dev.holdfast.document.ingest;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.world.Refusal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Text with values of a document in it: `{{field}}` escaped, `{{{field}}}` and `{{&field}}` as
/// they are.
public final class TextTemplate {
  private final String text;
  private final List<Part> parts;

  /// Characters between the values.
  private final int plainLength;

  private TextTemplate(String text, List<Part> parts) {
    this.text = text;
    this.parts = parts;
    this.plainLength = parts.stream().mapToInt(part -> part.text().length()).sum();
  }

  /// As it was given.
  public String text() {
    return text;
  }

  /// @param path null for plain text
  /// @param escaping of the value
  private record Part(String text, @Nullable FieldPath path, TemplateEscaping escaping) {}

  /// A text in which values stand as in a text of JSON.
  ///
  /// @throws Refusal `illegal_argument_exception` for sections and other tags that are no fields
  public static TextTemplate of(String text) {
    return of(text, TemplateEscaping.JSON);
  }

  /// As above.
  public static TextTemplate of(String text, TemplateEscaping escaping) {
    List<Part> parts = new ArrayList<>();
    int position = 0;
    while (true) {
      int open = text.indexOf("{{", position);
      if (open < 0) {
        break;
      }
      boolean isTriple = text.startsWith("{{{", open);
      String closing = isTriple ? "}}}" : "}}";
      int start = open + closing.length();
      int close = text.indexOf(closing, start);
      if (close < 0) {
        throw Refusal.badArgument("Improperly closed variable in [" + text + "]");
      }
      String name = text.substring(start, close).strip();
      boolean isPlain = isTriple || name.startsWith("&");
      name = !isTriple && isPlain ? name.substring(1).strip() : name;
      if (name.isEmpty() || "#^/!>&=".indexOf(name.charAt(0)) >= 0) {
        throw Refusal.badArgument(
            "only fields may be named in [" + text + "], found [" + name + "]");
      }
      parts.add(new Part(text.substring(position, open), null, TemplateEscaping.NONE));
      parts.add(new Part("", FieldPath.of(name), isPlain ? TemplateEscaping.NONE : escaping));
      position = close + closing.length();
    }
    parts.add(new Part(text.substring(position), null, TemplateEscaping.NONE));
    return new TextTemplate(text, List.copyOf(parts));
  }

  /// The text with the document's values; nothing where it has none.
  public String fill(IngestDocument document) {
    if (parts.size() == 1) {
      return parts.getFirst().text();
    }
    document.grow(2L * plainLength);
    StringBuilder filled = new StringBuilder();
    for (Part part : parts) {
      filled.append(part.text());
      if (part.path() != null) {
        JsonNode value = document.find(part.path());
        if (value != null && !value.isNull()) {
          document.grow(ValueSize.of(value)); // before it becomes a text
          String text = text(value);
          long added = part.escaping().added(text);
          document.grow(added == 0 ? 0 : ValueSize.ofText(text.length() + added));
          filled.append(part.escaping().of(text));
        }
      }
    }
    return filled.toString();
  }

  /// Lists and objects as Mustache shows them: `{0=a, 1=b}`, `{name=value}`.
  private static String text(JsonNode value) {
    if (value.isValueNode()) {
      return value.asText();
    }
    StringBuilder shown = new StringBuilder();
    if (value.isArray()) {
      for (int i = 0; i < value.size(); i++) {
        shown.append(i == 0 ? "{" : ", ").append(i).append('=');
        ValueText.show(value.get(i), shown);
      }
      return value.isEmpty() ? "{}" : shown.append('}').toString();
    }
    ValueText.show(value, shown);
    return shown.toString();
  }

  /// The field that the filled text names.
  public FieldPath path(IngestDocument document) {
    return FieldPath.of(fill(document));
  }
}
