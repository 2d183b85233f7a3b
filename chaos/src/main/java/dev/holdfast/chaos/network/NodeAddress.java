package dev.holdfast.chaos.network;

import java.util.List;

/// Where a process runs and serves.
///
/// @param host the address that it serves on and others reach it at
/// @param inside what goes before its command so that it runs in its network namespace; empty for
///   this one
public record NodeAddress(String host, int port, List<String> inside) {
  public static final String LOOPBACK = "127.0.0.1";

  public static NodeAddress local(int port) {
    return new NodeAddress(LOOPBACK, port, List.of());
  }

  public String address() {
    return host + ":" + port;
  }
}
