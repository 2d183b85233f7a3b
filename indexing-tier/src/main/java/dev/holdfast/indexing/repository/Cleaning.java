package dev.holdfast.indexing.repository;

import java.nio.charset.StandardCharsets;

/// Who looks for blobs that no snapshot of a repository has.
///
/// @param cluster its uuid; empty when nobody knows
/// @param node ephemeral id of the process
/// @param uuid made for this one look
public record Cleaning(String cluster, String node, String uuid) {
  byte[] bytes() {
    return (cluster + "/" + node + "/" + uuid).getBytes(StandardCharsets.UTF_8);
  }

  /// Of an object that says nothing each part is empty.
  static Cleaning read(byte[] bytes) {
    String[] parts = new String(bytes, StandardCharsets.UTF_8).split("/", -1);
    return parts.length == 3
        ? new Cleaning(parts[0], parts[1], parts[2])
        : new Cleaning("", "", "");
  }
}
