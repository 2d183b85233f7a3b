package dev.holdfast.document.ingest;

import dev.holdfast.world.Json;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/// How the values of `{{field}}` stand in a text; those of `{{{field}}}` are as they are.
public enum TemplateEscaping {
  /// As in a text of JSON: quotes, backslashes and control characters with a backslash.
  JSON("application/json"),
  NONE("text/plain"),
  FORM("application/x-www-form-urlencoded");

  private final String mediaType;

  TemplateEscaping(String mediaType) {
    this.mediaType = mediaType;
  }

  /// The option `media_type` of a processor, [#JSON] when it is absent.
  ///
  /// @throws Refusal 400 for another type
  public static TemplateEscaping of(ProcessorConfig config) {
    String name = config.string("media_type", JSON.mediaType);
    for (TemplateEscaping one : values()) {
      if (one.mediaType.equals(name)) {
        return one;
      }
    }
    throw config.wrong(
        "media_type", "property does not contain a supported media type [" + name + "]");
  }

  /// By how many characters a text becomes longer, at most.
  long added(String value) {
    return this == NONE ? 0 : value.chars().mapToLong(this::added).sum();
  }

  private int added(int character) {
    return switch (this) {
      case NONE -> 0;
      case JSON -> character < ' ' ? 5 : character == '"' || character == '\\' ? 1 : 0;
      case FORM -> character > 0x7f ? 8 : Character.isLetterOrDigit(character) ? 0 : 2;
    };
  }

  String of(String value) {
    return switch (this) {
      case JSON -> Json.escaped(value);
      case NONE -> value;
      case FORM -> URLEncoder.encode(value, StandardCharsets.UTF_8);
    };
  }
}
