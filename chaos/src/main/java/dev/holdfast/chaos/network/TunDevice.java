package dev.holdfast.chaos.network;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;

/// A TUN device: what the kernel routes to it is read here as whole IP packets, and what is written
/// here arrives there. It can be moved to another network namespace and goes when this process
/// ends.
final class TunDevice {
  /// Of a common Ethernet, so that a transfer has as many packets to lose as elsewhere.
  static final int MTU = 1500;

  private static final long TUNSETIFF = 0x400454caL;
  private static final short IFF_TUN_NO_PI = 0x1001;
  private static final int IFREQ_BYTES = 40;
  private static final int NAME_BYTES = 16;

  private final String name;
  private final int descriptor;

  private TunDevice(String name, int descriptor) {
    this.name = name;
    this.descriptor = descriptor;
  }

  /// A new device in the network namespace of this process.
  ///
  /// @param name of at most 15 letters
  static TunDevice create(String name) throws IOException {
    int descriptor = SystemCalls.open("/dev/net/tun");
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment request = arena.allocate(IFREQ_BYTES);
      request.setString(0, name, StandardCharsets.US_ASCII);
      request.set(ValueLayout.JAVA_SHORT, NAME_BYTES, IFF_TUN_NO_PI);
      SystemCalls.ioctl(descriptor, TUNSETIFF, request);
    }
    return new TunDevice(name, descriptor);
  }

  String name() {
    return name;
  }

  /// Waits for a packet. Returns its length.
  int read(MemorySegment buffer) throws IOException {
    while (true) {
      long length = SystemCalls.read(descriptor, buffer);
      if (length >= 0) {
        return (int) length;
      }
      if (length != -SystemCalls.EINTR) {
        throw new IOException("cannot read from " + name + " [errno=" + -length + "]");
      }
    }
  }

  /// Hands a packet to the kernel, which may have no room for it: networks lose packets.
  void write(MemorySegment packet) throws IOException {
    long _ = SystemCalls.write(descriptor, packet);
  }
}
