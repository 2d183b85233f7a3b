package dev.holdfast.identity;

import dev.holdfast.clusterstate.Member;
import dev.holdfast.clusterstate.Role;
import java.util.Set;

/// A node, as clients see it.
///
/// @param id stays while the process runs
/// @param name for people
/// @param startMillis when it started, epoch milliseconds
public record NodeIdentity(
    String id, String name, String host, int port, Set<Role> roles, long startMillis) {
  /// Another member as the cluster state knows it.
  public static NodeIdentity of(Member member) {
    int colon = member.address().lastIndexOf(':');
    String host = member.address().substring(0, colon).replaceAll("[\\[\\]]", "");
    int port = Integer.parseInt(member.address().substring(colon + 1));
    return new NodeIdentity(
        member.id(), member.name(), host, port, member.roles(), member.startMillis());
  }

  /// `host:port`.
  public String address() {
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
  }
}
