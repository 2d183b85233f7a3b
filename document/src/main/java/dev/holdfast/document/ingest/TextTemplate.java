package dev.holdfast.document.ingest;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.world.Refusal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Text with values of a document in it: `{{field}}`, `{{{field}}}`.
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
  private record Part(String text, @Nullable FieldPath path) {}

  /// @throws Refusal `illegal_argument_exception` for sections and other tags that are no fields
  public static TextTemplate of(String text) {
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
      if (name.isEmpty() || "#^/!>&=".indexOf(name.charAt(0)) >= 0) {
        throw Refusal.badArgument(
            "only fields may be named in [" + text + "], found [" + name + "]");
      }
      parts.add(new Part(text.substring(position, open), null));
      parts.add(new Part("", FieldPath.of(name)));
      position = close + closing.length();
    }
    parts.add(new Part(text.substring(position), null));
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
          String text = value.isValueNode() ? value.asText() : value.toString();
          document.grow(ValueSize.ofText(text.length()));
          filled.append(text);
        }
      }
    }
    return filled.toString();
  }

  /// The field that the filled text names.
  public FieldPath path(IngestDocument document) {
    return FieldPath.of(fill(document));
  }
}
