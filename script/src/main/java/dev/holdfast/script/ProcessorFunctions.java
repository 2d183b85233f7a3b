package dev.holdfast.script;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.world.ByteSize;
import dev.holdfast.world.Json;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
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
  public static Map<String, @Nullable Object> uriParts(String text) {
    return UriParts.of(text).named();
  }
}
