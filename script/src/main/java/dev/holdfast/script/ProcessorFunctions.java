package dev.holdfast.script;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.world.ByteSize;
import dev.holdfast.world.Json;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What processors of pipelines do, for scripts: `Processors.lowercase(…)`.
public final class ProcessorFunctions {
  private ProcessorFunctions() {}

  /// The bytes of a size like `1kb`.
  public static long bytes(String size) {
    return ByteSize.parse("Ingest Field", size.strip()).bytes();
  }

  public static String lowercase(String text) {
    return text.toLowerCase(Locale.ROOT);
  }

  public static String uppercase(String text) {
    return text.toUpperCase(Locale.ROOT);
  }

  /// The value that a text is as JSON.
  public static @Nullable Object json(@Nullable Object text) {
    return text == null ? null : ScriptValues.java(Json.parse(text.toString()));
  }

  /// Puts the members of a field that is a text of JSON into a map.
  public static void json(Map<String, Object> map, String field) {
    Object text = map.get(field);
    JsonNode parsed = Json.parse(String.valueOf(text));
    if (!parsed.isObject()) {
      throw new IllegalArgumentException("cannot add non-map fields to root of document");
    }
    map.putAll(ScriptValues.map(parsed));
  }

  public static String urlDecode(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }

  /// The id of a network flow, as [CommunityId] makes it.
  ///
  /// @param ianaNumber of the protocol; null where `transport` names it
  /// @return null when an end or the protocol is missing
  public static @Nullable String communityId(
      @Nullable String source,
      @Nullable String destination,
      @Nullable Object ianaNumber,
      @Nullable Object transport,
      @Nullable Object sourcePort,
      @Nullable Object destinationPort,
      @Nullable Object icmpType,
      @Nullable Object icmpCode,
      int seed) {
    return CommunityId.of(
        source,
        destination,
        ianaNumber == null ? transport : ianaNumber,
        Arrays.asList(sourcePort, destinationPort),
        icmpType,
        icmpCode,
        seed);
  }

  /// The same without a seed.
  public static @Nullable String communityId(
      @Nullable String source,
      @Nullable String destination,
      @Nullable Object ianaNumber,
      @Nullable Object transport,
      @Nullable Object sourcePort,
      @Nullable Object destinationPort,
      @Nullable Object icmpType,
      @Nullable Object icmpCode) {
    return communityId(
        source,
        destination,
        ianaNumber,
        transport,
        sourcePort,
        destinationPort,
        icmpType,
        icmpCode,
        0);
  }

  /// The parts of a URI, by the names that the `uri_parts` processor gives them.
  @SuppressWarnings("NullAway") // members that are not there are left out
  public static Map<String, Object> uriParts(String text) {
    URI uri;
    try {
      uri = new URI(text);
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException("unable to parse URI [" + text + "]", e);
    }
    Map<String, Object> parts = new LinkedHashMap<>();
    put(parts, "domain", uri.getHost());
    put(parts, "fragment", uri.getFragment());
    put(parts, "path", uri.getPath());
    String path = uri.getPath() == null ? "" : uri.getPath();
    int dot = path.lastIndexOf('.');
    if (dot > path.lastIndexOf('/')) {
      parts.put("extension", path.substring(dot + 1));
    }
    if (uri.getPort() >= 0) {
      parts.put("port", uri.getPort());
    }
    put(parts, "query", uri.getQuery());
    put(parts, "scheme", uri.getScheme());
    String user = uri.getUserInfo();
    if (user != null && !user.isEmpty()) {
      parts.put("user_info", user);
      int colon = user.indexOf(':');
      if (colon >= 0) {
        parts.put("username", user.substring(0, colon));
        parts.put("password", user.substring(colon + 1));
      }
    }
    return parts;
  }

  private static void put(Map<String, Object> parts, String name, @Nullable String value) {
    if (value != null) {
      parts.put(name, value);
    }
  }
}
