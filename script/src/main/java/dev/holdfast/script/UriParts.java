package dev.holdfast.script;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The parts of a URI, by the names that the `uri_parts` processor gives them. What browsers take
/// and no URI may hold (spaces, braces, bars) stands in many logs: of such a URL the parts are as
/// they are written.
///
/// @param path null for none
/// @param port -1 for none
record UriParts(
    @Nullable String scheme,
    @Nullable String user,
    @Nullable String domain,
    int port,
    @Nullable String path,
    @Nullable String query,
    @Nullable String fragment) {
  private static final Set<String> SCHEMES = Set.of("http", "https", "ftp", "file");
  private static final Pattern URL =
      Pattern.compile(
          "([a-zA-Z]++):(?://([^/?#]*+))?([^?#]*+)(?:\\?([^#]*+))?(?:#(.*+))?", Pattern.DOTALL);

  /// A host in brackets or without colons, and a port.
  private static final Pattern HOST =
      Pattern.compile("(\\[[^\\]]*+\\]|[^:\\[\\]]*+)(?::([0-9]{0,9}))?");

  /// @throws IllegalArgumentException when it is neither a URI nor a URL
  static UriParts of(String text) {
    try {
      URI uri = new URI(text);
      return new UriParts(
          uri.getScheme(),
          uri.getUserInfo(),
          uri.getHost(),
          uri.getPort(),
          uri.getPath(),
          uri.getQuery(),
          uri.getFragment());
    } catch (URISyntaxException e) {
      UriParts parts = ofUrl(text.strip());
      if (parts == null) {
        throw new IllegalArgumentException("unable to parse URI [" + text + "]", e);
      }
      return parts;
    }
  }

  private static @Nullable UriParts ofUrl(String text) {
    Matcher url = URL.matcher(text);
    if (!url.matches() || !SCHEMES.contains(url.group(1).toLowerCase(Locale.ROOT))) {
      return null;
    }
    String authority = url.group(2) == null ? "" : url.group(2);
    int at = authority.lastIndexOf('@');
    Matcher host = HOST.matcher(authority.substring(at + 1));
    if (!host.matches()) {
      return null;
    }
    String port = host.group(2);
    return new UriParts(
        url.group(1),
        at < 0 ? null : authority.substring(0, at),
        host.group(1),
        port == null || port.isEmpty() ? -1 : Integer.parseInt(port),
        url.group(3),
        url.group(4),
        url.group(5));
  }

  /// By name, in the order in which they are shown: domain and scheme always, others where there
  /// are any.
  Map<String, @Nullable Object> named() {
    Map<String, @Nullable Object> parts = new LinkedHashMap<>();
    parts.put("domain", domain);
    put(parts, "fragment", fragment);
    put(parts, "path", path);
    int slash = path == null ? -1 : path.lastIndexOf('/');
    int dot = path == null ? -1 : path.lastIndexOf('.');
    if (path != null && slash >= 0 && dot > slash) {
      parts.put("extension", path.substring(dot + 1));
    }
    if (port >= 0) {
      parts.put("port", port);
    }
    put(parts, "query", query);
    parts.put("scheme", scheme);
    put(parts, "user_info", user);
    int colon = user == null ? -1 : user.indexOf(':');
    if (user != null && colon >= 0) {
      parts.put("username", user.substring(0, colon));
      parts.put("password", user.substring(colon + 1));
    }
    return parts;
  }

  private static void put(
      Map<String, @Nullable Object> parts, String name, @Nullable String value) {
    if (value != null) {
      parts.put(name, value);
    }
  }
}
