package dev.holdfast.document.ingest.processor.network;

import dev.holdfast.world.Refusal;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;

/// A set of addresses: a range in CIDR notation, or a kind of addresses by name.
interface NetworkRange {
  boolean contains(InetAddress address);

  /// The ranges that are nobody's in particular.
  List<String> PRIVATE = List.of("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fd00::/8");

  /// @throws Refusal `illegal_argument_exception` for what is neither
  static NetworkRange of(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "loopback" -> kind(InetAddress::isLoopbackAddress);
      case "unicast", "global_unicast" -> NetworkRange::isUnicast;
      case "multicast" -> kind(InetAddress::isMulticastAddress);
      case "interface_local_multicast" -> kind(InetAddress::isMCNodeLocal);
      case "link_local_unicast" -> kind(InetAddress::isLinkLocalAddress);
      case "link_local_multicast" -> kind(InetAddress::isMCLinkLocal);
      case "private" -> NetworkRange::isPrivate;
      case "public" -> address -> !isPrivate(address) && isPublic(address);
      case "unspecified" -> kind(InetAddress::isAnyLocalAddress);
      default -> cidr(text);
    };
  }

  private static NetworkRange kind(Predicate<InetAddress> test) {
    return test::test;
  }

  private static boolean isUnicast(InetAddress address) {
    return !isBroadcast(address)
        && !address.isAnyLocalAddress()
        && !address.isLoopbackAddress()
        && !address.isMulticastAddress()
        && !address.isLinkLocalAddress();
  }

  private static boolean isPrivate(InetAddress address) {
    return PRIVATE.stream().anyMatch(range -> cidr(range).contains(address));
  }

  private static boolean isBroadcast(InetAddress address) {
    return address instanceof Inet4Address && address.getHostAddress().equals("255.255.255.255");
  }

  private static boolean isPublic(InetAddress address) {
    return !isBroadcast(address)
        && !address.isAnyLocalAddress()
        && !address.isLoopbackAddress()
        && !address.isLinkLocalAddress()
        && !address.isMCLinkLocal()
        && !address.isMCNodeLocal();
  }

  private static NetworkRange cidr(String text) {
    int slash = text.indexOf('/');
    try {
      byte[] network =
          InetAddress.ofLiteral(slash < 0 ? text : text.substring(0, slash)).getAddress();
      int bits = slash < 0 ? network.length * 8 : Integer.parseInt(text.substring(slash + 1));
      if (bits >= 0 && bits <= network.length * 8) {
        return address -> hasPrefix(address.getAddress(), network, bits);
      }
    } catch (IllegalArgumentException e) {
      // said below, for every way of being none
    }
    throw Refusal.badArgument("'" + text + "' is not an IP string literal or a named network.");
  }

  private static boolean hasPrefix(byte[] address, byte[] network, int bits) {
    if (address.length != network.length) {
      return false;
    }
    for (int bit = 0; bit < bits; bit++) {
      int mask = 0x80 >> (bit & 7);
      if (((address[bit >> 3] ^ network[bit >> 3]) & mask) != 0) {
        return false;
      }
    }
    return true;
  }
}
