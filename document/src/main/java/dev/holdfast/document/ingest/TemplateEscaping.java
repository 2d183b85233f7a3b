package dev.holdfast.document.ingest;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
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

  String of(String value) {
    return switch (this) {
      case JSON -> new String(JsonStringEncoder.getInstance().quoteAsString(value));
      case NONE -> value;
      case FORM -> URLEncoder.encode(value, StandardCharsets.UTF_8);
    };
  }
}
