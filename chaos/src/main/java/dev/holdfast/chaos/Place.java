package dev.holdfast.chaos;

import java.util.List;

/// Where a process runs and serves.
///
/// @param host the address that it serves on and others reach it at
/// @param inside what goes before its command so that it runs in its network namespace; empty for
///   this one
record Place(String host, int port, List<String> inside) {
  static final String LOOPBACK = "127.0.0.1";

  static Place local(int port) {
    return new Place(LOOPBACK, port, List.of());
  }

  String address() {
    return host + ":" + port;
  }
}
