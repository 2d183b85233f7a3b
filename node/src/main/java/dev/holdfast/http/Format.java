package dev.holdfast.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.cbor.CBORFactory;
import com.fasterxml.jackson.dataformat.cbor.databind.CBORMapper;
import com.fasterxml.jackson.dataformat.smile.SmileFactory;
import com.fasterxml.jackson.dataformat.smile.databind.SmileMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.holdfast.world.Json;
import java.io.IOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/// The formats of structured bodies, and plain text for `_cat`.
public enum Format {
  JSON("json"),
  YAML("yaml"),
  CBOR("cbor"),
  SMILE("smile"),
  TEXT("text");

  private final String label;

  Format(String label) {
    this.label = label;
  }

  /// The value of the `format` parameter.
  public String label() {
    return label;
  }

  /// The format of that name or of the name's media subtype, or null.
  public static @Nullable Format of(String name) {
    return switch (name) {
      case "json", "application/json", "application/vnd.elasticsearch+json" -> JSON;
      case "application/x-ndjson", "application/vnd.elasticsearch+x-ndjson" -> JSON;
      case "yaml", "application/yaml", "application/vnd.elasticsearch+yaml" -> YAML;
      case "cbor", "application/cbor", "application/vnd.elasticsearch+cbor" -> CBOR;
      case "smile", "application/smile", "application/vnd.elasticsearch+smile" -> SMILE;
      case "text", "txt", "text/plain" -> TEXT;
      default -> null;
    };
  }

  /// The media type of an answer.
  ///
  /// @param compatibleWith the version that the client asked for, 0 when it did not
  public String mediaType(int compatibleWith) {
    if (this == TEXT) {
      return "text/plain; charset=UTF-8";
    }
    return compatibleWith == 0
        ? "application/" + label
        : "application/vnd.elasticsearch+" + label + ";compatible-with=" + compatibleWith;
  }

  /// A generator that takes raw JSON values (`writeRawValue`) whatever its own format.
  public JsonGenerator generator(OutputStream out, boolean pretty) throws IOException {
    JsonGenerator generator = mapper().createGenerator(out);
    if (this != JSON) {
      return new RawCopyingGenerator(generator);
    }
    return pretty ? new RawCopyingGenerator(PrettyJson.on(generator)) : generator;
  }

  /// Reads and writes this format.
  public ObjectMapper mapper() {
    return switch (this) {
      case JSON, TEXT -> Json.MAPPER;
      case YAML -> Yaml.MAPPER;
      case CBOR -> Cbor.MAPPER;
      case SMILE -> Smile.MAPPER;
    };
  }

  // Held apart so that a node which only ever speaks JSON never loads the others. Names are not
  // remembered from body to body: those of some large ones would fill the heap.
  private static final class Yaml {
    static final ObjectMapper MAPPER = new YAMLMapper();
  }

  private static final class Cbor {
    static final ObjectMapper MAPPER =
        new CBORMapper(
            CBORFactory.builder().disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES).build());
  }

  private static final class Smile {
    static final ObjectMapper MAPPER =
        new SmileMapper(
            SmileFactory.builder().disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES).build());
  }
}
