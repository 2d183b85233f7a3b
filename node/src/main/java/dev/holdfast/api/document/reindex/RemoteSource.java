package dev.holdfast.api.document.reindex;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.http.TimeValue;
import dev.holdfast.world.Refusal;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Another cluster that a `_reindex` names as its source: none may be read, and what is said of it
/// is checked before that is told.
///
/// @param authority host and port
/// @param faults what is said of it that no such source may be asked for
record RemoteSource(String authority, List<String> faults) {
  /// Takes `remote` out of a source.
  ///
  /// @param slices as [ByQueryParameters#slicesAsked] reads them
  /// @return null for a source in this cluster
  /// @throws Refusal when it is no description of a cluster
  static @Nullable RemoteSource take(ObjectNode source, int slices) {
    JsonNode given = source.remove("remote");
    if (given == null || given.isNull()) {
      return null;
    }
    if (!(given instanceof ObjectNode remote)) {
      throw expected("remote", "an object", given);
    }
    String username = text(remote, "username");
    String password = text(remote, "password");
    String host = text(remote, "host");
    if (host == null) {
      throw Refusal.badArgument("[host] must be specified to reindex from a remote cluster");
    }
    String authority = authority(host);
    requireHeaders(remote.remove("headers"));
    String _ = text(remote, "api_key");
    for (String name : List.of("socket_timeout", "connect_timeout")) {
      String timeout = text(remote, name);
      if (timeout != null) {
        var _ = TimeValue.parse(name, timeout);
      }
    }
    if (!remote.isEmpty()) {
      List<String> rest = new ArrayList<>();
      remote.fieldNames().forEachRemaining(rest::add);
      throw Refusal.badArgument("Unsupported fields in [remote]: [" + String.join(",", rest) + "]");
    }
    return new RemoteSource(authority, faults(username, password, slices));
  }

  private static List<String> faults(
      @Nullable String username, @Nullable String password, int slices) {
    List<String> faults = new ArrayList<>();
    if (slices != 1) {
      faults.add("reindex from remote sources doesn't support slices > 1 but was [" + slices + "]");
    }
    if (username != null && password == null) {
      faults.add("reindex from remote source included username but not password");
    }
    if (password != null && username == null) {
      faults.add("reindex from remote source included password but not username");
    }
    return faults;
  }

  private static String authority(String host) {
    URI uri = null;
    try {
      uri = new URI(host);
    } catch (URISyntaxException e) {
      // Told below, with what was given.
    }
    if (uri == null || uri.getHost() == null || uri.getPort() == -1) {
      throw Refusal.badArgument(
          "[host] must be of the form [scheme]://[host]:[port](/[pathPrefix])? but was ["
              + host
              + "]");
    }
    return uri.getHost() + ":" + uri.getPort();
  }

  private static void requireHeaders(@Nullable JsonNode given) {
    if (given == null || given.isNull()) {
      return;
    }
    if (!given.isObject()) {
      throw expected("headers", "an object containing strings", given);
    }
    for (Map.Entry<String, JsonNode> header : given.properties()) {
      if (!header.getValue().isTextual()) {
        throw Refusal.badArgument(
            "Expected [headers] to be an object containing strings but has [" + header + "]");
      }
    }
  }

  private static @Nullable String text(ObjectNode remote, String name) {
    JsonNode given = remote.remove(name);
    if (given == null || given.isNull()) {
      return null;
    }
    if (!given.isTextual()) {
      throw expected(name, "a string", given);
    }
    return given.asText();
  }

  private static Refusal expected(String name, String kind, JsonNode given) {
    return Refusal.badArgument(
        "Expected [" + name + "] to be " + kind + " but was [" + given + "]");
  }

  /// Why it is not read.
  Refusal refused() {
    return Refusal.badArgument("[" + authority + "] not allowlisted in reindex.remote.whitelist");
  }
}
