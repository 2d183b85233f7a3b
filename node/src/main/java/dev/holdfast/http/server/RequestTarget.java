package dev.holdfast.http.server;

import dev.holdfast.world.Refusal;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// A request's target taken apart: the path as sent, its segments decoded one by one (an encoded
/// slash does not split), the query decoded.
record RequestTarget(String path, List<String> segments, Map<String, String> parameters) {
  private static final int PARAMETERS_MAX = 1024;

  /// @throws Refusal for broken escapes and too many parameters
  static RequestTarget parse(String target) {
    String local = withoutOrigin(target);
    int question = local.indexOf('?');
    String path = question < 0 ? local : local.substring(0, question);
    List<String> segments = new ArrayList<>();
    String[] parts = path.split("/"); // without empty ones at the end
    for (int i = path.startsWith("/") ? 1 : 0; i < parts.length; i++) {
      segments.add(decode(parts[i], false));
    }
    Map<String, String> parameters = new LinkedHashMap<>();
    if (question >= 0) {
      parameters(local.substring(question + 1), parameters);
    }
    return new RequestTarget(path, segments, parameters);
  }

  private static String withoutOrigin(String target) {
    int scheme = target.indexOf("://");
    if (target.startsWith("/") || scheme < 0) {
      return target;
    }
    int slash = target.indexOf('/', scheme + 3);
    return slash < 0 ? "/" : target.substring(slash);
  }

  private static void parameters(String query, Map<String, String> into) {
    for (String pair : query.split("&", -1)) {
      if (pair.isEmpty()) {
        continue;
      }
      int equals = pair.indexOf('=');
      String name = decode(equals < 0 ? pair : pair.substring(0, equals), true);
      into.put(name, equals < 0 ? "" : decode(pair.substring(equals + 1), true));
      if (into.size() > PARAMETERS_MAX) {
        throw Refusal.badArgument("too many query parameters [max=" + PARAMETERS_MAX + "]");
      }
    }
  }

  private static String decode(String text, boolean plusIsBlank) {
    if (text.indexOf('%') < 0 && (!plusIsBlank || text.indexOf('+') < 0)) {
      return text;
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(text.length());
    byte[] raw = text.getBytes(StandardCharsets.UTF_8);
    for (int i = 0; i < raw.length; i++) {
      if (raw[i] == '+' && plusIsBlank) {
        bytes.write(' ');
      } else if (raw[i] == '%') {
        if (i + 2 >= raw.length) {
          throw Refusal.badArgument("unterminated escape sequence at end of string: " + text);
        }
        int high = Character.digit(raw[i + 1], 16);
        int low = Character.digit(raw[i + 2], 16);
        if (high < 0 || low < 0) {
          throw Refusal.badArgument(
              "invalid escape sequence `%"
                  + (char) raw[i + 1]
                  + (char) raw[i + 2]
                  + "' at index "
                  + i
                  + " of: "
                  + text);
        }
        bytes.write(high << 4 | low);
        i += 2;
      } else {
        bytes.write(raw[i]);
      }
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }
}
