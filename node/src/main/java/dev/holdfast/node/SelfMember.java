package dev.holdfast.node;

import dev.holdfast.clusterstate.Build;
import dev.holdfast.clusterstate.Member;
import dev.holdfast.identity.Version;
import dev.holdfast.settings.NodeSettings;
import dev.holdfast.world.World;
import java.net.InetAddress;
import java.net.UnknownHostException;
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
  /// all addresses of a machine tells others nothing, so then it is the machine's name.
  static String host(NodeSettings settings) {
    String set = settings.networking().publishHost();
    if (!set.isEmpty()) {
      return set;
    }
    try {
      return InetAddress.getByName(settings.host()).isAnyLocalAddress()
          ? InetAddress.getLocalHost().getHostAddress()
          : settings.host();
    } catch (UnknownHostException e) {
      return settings.host();
    }
  }
}
