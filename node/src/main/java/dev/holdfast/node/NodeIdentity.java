package dev.holdfast.node;

import dev.holdfast.node.settings.Role;
import java.util.Set;

/// This node, as clients see it.
///
/// @param id stays while the process runs
/// @param name for people
/// @param startMillis when it started, epoch milliseconds
public record NodeIdentity(
    String id, String name, String host, int port, Set<Role> roles, long startMillis) {
  /// `host:port`.
  public String address() {
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
  }
}
