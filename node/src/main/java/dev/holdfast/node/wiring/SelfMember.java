package dev.holdfast.node.wiring;

import dev.holdfast.clusterstate.Build;
import dev.holdfast.clusterstate.Member;
import dev.holdfast.identity.Version;
import dev.holdfast.settings.NodeSettings;
import dev.holdfast.world.World;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.List;
import java.util.TreeSet;

/// How a process describes itself to the members of its cluster.
final class SelfMember {
  private SelfMember() {}

  static Member self(NodeSettings settings, int port, long startMillis, World world) {
    String host = host(settings);
    return new Member(
        world.ids().uuid(),
        settings.nodeName(),
        (host.contains(":") ? "[" + host + "]" : host) + ":" + port,
        new TreeSet<>(settings.roles()),
        Runtime.getRuntime().maxMemory(),
        startMillis,
        false,
        Build.here(Version.CURRENT.holdfast() + "-" + Version.CURRENT.buildHash()));
  }

  /// Where others reach this process: what was set, else the address it serves on; one that means
  /// all addresses of a machine tells others nothing, so then it is one of them.
  static String host(NodeSettings settings) {
    String set = settings.networking().publishHost();
    if (!set.isEmpty()) {
      return set;
    }
    try {
      if (!InetAddress.getByName(settings.host()).isAnyLocalAddress()) {
        return settings.host();
      }
      List<InetAddress> all =
          NetworkInterface.networkInterfaces().flatMap(NetworkInterface::inetAddresses).toList();
      return withoutScope(published(InetAddress.getLocalHost(), all));
    } catch (UnknownHostException | SocketException e) {
      return settings.host();
    }
  }

  /// The address of the machine's name, unless the machine alone is reached by it: systems of
  /// Debian's kind give their name to 127.0.1.1, which each machine takes for itself.
  ///
  /// @param all of the machine, in the order of its interfaces
  static InetAddress published(InetAddress named, List<InetAddress> all) {
    if (!named.isLoopbackAddress()) {
      return named;
    }
    List<InetAddress> reached =
        all.stream()
            .filter(address ->
                !address.isLoopbackAddress()
                    && !address.isLinkLocalAddress()
                    && !address.isAnyLocalAddress())
            .toList();
    return reached.stream()
        .filter(Inet4Address.class::isInstance)
        .findFirst()
        .orElse(reached.isEmpty() ? named : reached.getFirst());
  }

  /// Which interface of this machine has an address says nothing to others.
  private static String withoutScope(InetAddress address) {
    String text = address.getHostAddress();
    int scope = text.indexOf('%');
    return scope < 0 ? text : text.substring(0, scope);
  }
}
