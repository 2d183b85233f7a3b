package dev.holdfast.script;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The id of a network flow that all tools which know both ends agree on, whichever end they saw it
/// from (Community ID Flow Hashing, version 1).
final class CommunityId {
  private static final String VERSION = "1:";
  private static final int ICMP = 1;
  private static final int TCP = 6;
  private static final int UDP = 17;
  private static final int ICMP_6 = 58;
  private static final int SCTP = 132;
  private static final int PORT_MAX = 65_535;
  private static final int BYTE_MAX = 255;

  /// IANA's numbers of protocols by name.
  private static final Map<String, Integer> PROTOCOLS =
      Map.ofEntries(
          Map.entry("icmp", ICMP),
          Map.entry("igmp", 2),
          Map.entry("tcp", TCP),
          Map.entry("udp", UDP),
          Map.entry("gre", 47),
          Map.entry("icmp6", ICMP_6),
          Map.entry("icmpv6", ICMP_6),
          Map.entry("ipv6-icmp", ICMP_6),
          Map.entry("eigrp", 88),
          Map.entry("ospf", 89),
          Map.entry("pim", 103),
          Map.entry("sctp", SCTP));

  /// What answers a message, by its type; the others go one way.
  private static final Map<Integer, Integer> ANSWERS =
      Map.ofEntries(
          Map.entry(8, 0),
          Map.entry(0, 8),
          Map.entry(13, 14),
          Map.entry(14, 13),
          Map.entry(15, 16),
          Map.entry(16, 15),
          Map.entry(10, 9),
          Map.entry(9, 10),
          Map.entry(17, 18),
          Map.entry(18, 17));

  private static final Map<Integer, Integer> ANSWERS_6 =
      Map.ofEntries(
          Map.entry(128, 129),
          Map.entry(129, 128),
          Map.entry(133, 134),
          Map.entry(134, 133),
          Map.entry(135, 136),
          Map.entry(136, 135),
          Map.entry(130, 131),
          Map.entry(131, 130),
          Map.entry(144, 145),
          Map.entry(145, 144),
          Map.entry(139, 140),
          Map.entry(140, 139));

  private CommunityId() {}

  /// One end of a flow.
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record End(byte[] address, int port) {}

  /// @param protocol the name of a protocol, or its number as IANA has it
  /// @param ports of source and destination, where the protocol has some
  /// @param type of an ICMP message, with its code
  /// @return null when an address or the protocol is missing
  /// @throws IllegalArgumentException for what is no address, protocol, port, type or code
  static @Nullable String of(
      @Nullable String source,
      @Nullable String destination,
      @Nullable Object protocol,
      List<@Nullable Object> ports,
      @Nullable Object type,
      @Nullable Object code,
      int seed) {
    if (source == null || destination == null || protocol == null) {
      return null;
    }
    if (seed < 0 || seed > PORT_MAX) {
      throw new IllegalArgumentException("community ID seed must be between 0 and 65535");
    }
    byte[] from = InetAddress.ofLiteral(source).getAddress();
    byte[] to = InetAddress.ofLiteral(destination).getAddress();
    int number = number(protocol);
    int first = -1;
    int second = -1;
    boolean isOneWay = false;
    switch (number) {
      case TCP, UDP, SCTP -> {
        first = whole(ports.getFirst(), 1, PORT_MAX, "source port");
        second = whole(ports.getLast(), 1, PORT_MAX, "destination port");
      }
      case ICMP, ICMP_6 -> {
        first = whole(type, 0, BYTE_MAX, "ICMP type");
        Integer answer = (number == ICMP ? ANSWERS : ANSWERS_6).get(first);
        isOneWay = answer == null;
        second = answer == null ? whole(code, 0, BYTE_MAX, "ICMP code") : answer;
      }
      default -> {}
    }
    End a = new End(from, first);
    End b = new End(to, second);
    return isOneWay || isOrdered(a, b) ? hash(a, b, number, seed) : hash(b, a, number, seed);
  }

  private static boolean isOrdered(End a, End b) {
    int order = Arrays.compareUnsigned(a.address, b.address);
    return order < 0 || (order == 0 && a.port < b.port);
  }

  private static String hash(End a, End b, int protocol, int seed) {
    ByteBuffer bytes = ByteBuffer.allocate(64).putShort((short) seed);
    bytes.put(a.address).put(b.address).put((byte) protocol).put((byte) 0);
    if (a.port >= 0) {
      bytes.putShort((short) a.port).putShort((short) b.port);
    }
    try {
      MessageDigest sha1 = MessageDigest.getInstance("SHA-1");
      sha1.update(bytes.flip());
      return VERSION + Base64.getEncoder().encodeToString(sha1.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static int number(Object protocol) {
    String text = protocol.toString().toLowerCase(Locale.ROOT);
    Integer known = PROTOCOLS.get(text);
    if (known == null && !text.matches("\\d{1,3}")) {
      throw new IllegalArgumentException(
          "could not convert string [" + protocol + "] to transport protocol");
    }
    return known == null ? whole(text, 1, BYTE_MAX, "transport protocol") : known;
  }

  private static int whole(@Nullable Object given, int min, int max, String what) {
    int number =
        switch (given) {
          case Number n -> n.intValue();
          case String text when text.matches("\\d{1,5}") -> Integer.parseInt(text);
          case null, default -> -1;
        };
    if (number < min || number > max) {
      throw new IllegalArgumentException("invalid " + what + " [" + given + "]");
    }
    return number;
  }
}
