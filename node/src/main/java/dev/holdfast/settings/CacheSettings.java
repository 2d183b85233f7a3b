package dev.holdfast.settings;

import dev.holdfast.world.ByteSize;

/// Memory for what searches may find again.
///
/// @param queries documents of filters
/// @param queriesMax filters that are remembered
/// @param requests answers of shards to whole requests
public record CacheSettings(ByteSize queries, int queriesMax, ByteSize requests) {
  static final String QUERIES = "indices.queries.cache.size";
  static final String QUERIES_MAX = "indices.queries.cache.count";
  static final String REQUESTS = "indices.requests.cache.size";
  static final String FIELD_DATA = "indices.fielddata.cache.size";

  static final String QUERIES_DEFAULT = "10%";
  static final String QUERIES_MAX_DEFAULT = "10000";
  static final String REQUESTS_DEFAULT = "1%";

  static CacheSettings defaults() {
    return new CacheSettings(
        share(QUERIES, QUERIES_DEFAULT),
        Integer.parseInt(QUERIES_MAX_DEFAULT),
        share(REQUESTS, REQUESTS_DEFAULT));
  }

  static CacheSettings read(SettingsParser given) {
    // Field data lie in doc values: there is nothing on the heap to bound.
    ByteSize _ = given.value(FIELD_DATA, "100%", text -> share(FIELD_DATA, text));
    return new CacheSettings(
        given.value(QUERIES, QUERIES_DEFAULT, text -> share(QUERIES, text)),
        given.value(QUERIES_MAX, QUERIES_MAX_DEFAULT, CacheSettings::many),
        given.value(REQUESTS, REQUESTS_DEFAULT, text -> share(REQUESTS, text)));
  }

  private static int many(String text) {
    if (!text.matches("[1-9][0-9]{0,7}")) {
      throw new IllegalArgumentException("it is no number from 1 to 99999999");
    }
    return Integer.parseInt(text);
  }

  /// A part of them.
  CacheSettings part(int of) {
    return new CacheSettings(
        new ByteSize(queries.bytes() / of), queriesMax, new ByteSize(requests.bytes() / of));
  }

  /// A size, or a percentage of the heap.
  public static ByteSize share(String name, String text) {
    String trimmed = text.trim();
    if (!trimmed.endsWith("%")) {
      return ByteSize.parse(name, trimmed);
    }
    double percent;
    try {
      percent = Double.parseDouble(trimmed.substring(0, trimmed.length() - 1));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("it is no percentage", e);
    }
    if (!(percent >= 0 && percent <= 100)) {
      throw new IllegalArgumentException("a percentage is between 0% and 100%");
    }
    return new ByteSize((long) (Runtime.getRuntime().maxMemory() * percent / 100));
  }
}
