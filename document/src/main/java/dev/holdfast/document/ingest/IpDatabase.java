package dev.holdfast.document.ingest;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A database that tells of networks: where they are, whose, of what kind.
public interface IpDatabase {
  /// What it tells, as its maker calls it: `GeoLite2-City`.
  String type();

  /// What it has for an address.
  ///
  /// @param address 16 bytes; IPv4 mapped into IPv6
  Found find(byte[] address);

  /// @param data as the database has it, empty for nothing
  /// @param network the smallest that the data are of: `10.0.0.0/8`; null for none
  record Found(Map<?, ?> data, @Nullable String network) {
    /// A member below others; null when there is none.
    public @Nullable Object at(String... path) {
      Object value = data;
      for (String name : path) {
        value = value instanceof Map<?, ?> map ? map.get(name) : null;
      }
      return value;
    }
  }
}
