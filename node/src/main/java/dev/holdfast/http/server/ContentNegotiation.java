package dev.holdfast.http.server;

import dev.holdfast.http.Format;
import dev.holdfast.http.HeaderValues;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What the media types of a request say: the format of its body, the format it wants back, and the
/// version of the API that it was written for.
///
/// @param body format of the body; JSON when there is none
/// @param accepts the format asked for by `format` or `Accept`, null when neither says
/// @param compatibleWith version in the answer's media type, 0 for none
record ContentNegotiation(Format body, @Nullable Format accepts, int compatibleWith) {
  private static final int NEWEST = 9;
  private static final int OLDEST = 8;
  private static final String TILE = "vnd.mapbox-vector-tile";

  /// What to answer when nothing can be known about the request.
  static final ContentNegotiation FALLBACK = new ContentNegotiation(Format.JSON, null, 0);

  /// @param hasBody whether the body's type matters
  /// @throws Unsupported 406 for a type that is no format of ours
  static ContentNegotiation of(
      HeaderValues headers, Map<String, String> parameters, boolean hasBody) {
    MediaType content = hasBody ? contentType(headers, parameters) : null;
    String acceptHeader = headers.get("accept");
    MediaType accept = acceptHeader == null ? null : accept(acceptHeader);
    int acceptVersion =
        accept == null && acceptHeader != null ? tile(acceptHeader) : version("Accept", accept);
    int contentVersion = version("Content-Type", content);
    if (hasBody && acceptVersion != contentVersion) {
      throw mediaTypes(
          "A compatible version is required on both Content-Type and Accept headers if either one"
              + " has requested a compatible version and the compatible versions must match."
              + " Accept="
              + acceptHeader
              + ", Content-Type="
              + headers.get("content-type"));
    }
    Format body = content == null ? Format.JSON : content.format();
    return new ContentNegotiation(body, wanted(parameters, accept), acceptVersion);
  }

  /// The format to answer in: as asked, else as the body was.
  Format answer() {
    return accepts != null && accepts != Format.TEXT ? accepts : body;
  }

  private static @Nullable Format wanted(
      Map<String, String> parameters, @Nullable MediaType accept) {
    String format = parameters.get("format");
    if (format != null) {
      Format known = Format.of(format.toLowerCase(Locale.ROOT));
      if (known != null) {
        return known;
      }
    }
    return accept == null ? null : accept.format();
  }

  private static MediaType contentType(HeaderValues headers, Map<String, String> parameters) {
    String header = headers.get("content-type");
    if (header == null && parameters.containsKey("source")) {
      header = parameters.getOrDefault("source_content_type", "application/json");
    }
    if (header == null) {
      throw new Unsupported("Content-Type header is missing");
    }
    MediaType type = MediaType.parse("Content-Type", header);
    if (type == null || type.format() == Format.TEXT) {
      throw new Unsupported("Content-Type header [" + header + "] is not supported");
    }
    return type;
  }

  /// The first type of the list that is a format of ours; null when anything will do, or what is
  /// answered has a type of its own.
  private static @Nullable MediaType accept(String header) {
    boolean anything = false;
    for (String part : header.split(",", -1)) {
      String range = part.split(";", 2)[0].trim();
      if (range.endsWith("/*") || range.isEmpty() || range.endsWith(TILE)) {
        anything = true;
        continue;
      }
      MediaType type = MediaType.parse("Accept", part);
      if (type != null) {
        return type;
      }
    }
    if (anything || header.contains(",")) {
      return null;
    }
    throw new Unsupported("Accept header [" + header + "] is not supported");
  }

  /// The version that vector tiles, which are no format of a body, are asked for in; 0 for none.
  private static int tile(String header) {
    for (String part : header.split(",", -1)) {
      if (part.toLowerCase(Locale.ROOT).contains(TILE)) {
        MediaType tile = MediaType.read("Accept", part, Format.JSON);
        return version("Accept", tile);
      }
    }
    return 0;
  }

  /// The error of media types that say nothing sensible together.
  private static Refusal mediaTypes(String why) {
    return new Refusal(
        ErrorType.MEDIA_TYPE_HEADER,
        "Invalid media-type value on headers [Accept, Content-Type]",
        new Refusal(ErrorType.STATUS, why));
  }

  private static int version(String header, @Nullable MediaType type) {
    if (type == null || type.compatibleWith() == 0) {
      return 0;
    }
    if (type.compatibleWith() < OLDEST || type.compatibleWith() > NEWEST) {
      throw mediaTypes(
          header
              + " version must be either version "
              + NEWEST
              + " or "
              + OLDEST
              + ", but found "
              + type.compatibleWith()
              + ". "
              + header
              + "="
              + type.header());
    }
    return type.compatibleWith();
  }

  /// A media type that no format answers to: 406 with a bare message.
  static final class Unsupported extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Unsupported(String message) {
      super(message);
    }
  }

  private record MediaType(String header, Format format, int compatibleWith) {
    /// @return null when the type is well formed and not one of ours
    static @Nullable MediaType parse(String name, String header) {
      String type = header.split(";", 2)[0].trim().toLowerCase(Locale.ROOT);
      if (type.indexOf('/') < 1 || type.endsWith("/")) {
        throw new Refusal(
            ErrorType.MEDIA_TYPE_HEADER, "Invalid media-type value on headers [" + name + "]");
      }
      Format format = Format.of(type);
      return format == null ? null : read(name, header, format);
    }

    static MediaType read(String name, String header, Format format) {
      String[] parts = header.split(";", -1);
      int version = 0;
      for (int i = 1; i < parts.length; i++) {
        String parameter = parts[i].trim().toLowerCase(Locale.ROOT);
        if (parameter.startsWith("compatible-with=")) {
          version = number(name, parameter.substring("compatible-with=".length()));
        }
      }
      return new MediaType(header, format, version);
    }

    private static int number(String name, String text) {
      try {
        return Integer.parseInt(text.replace("\"", ""));
      } catch (NumberFormatException e) {
        throw new Refusal(
            ErrorType.MEDIA_TYPE_HEADER, "Invalid media-type value on headers [" + name + "]", e);
      }
    }
  }
}
