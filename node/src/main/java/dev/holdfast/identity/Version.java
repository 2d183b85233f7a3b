package dev.holdfast.identity;

/// What this server is, and what it tells clients it speaks.
///
/// @param holdfast our own version
/// @param buildHash of the sources
/// @param buildDate ISO 8601
public record Version(String holdfast, String buildHash, String buildDate) {
  /// The version of Elasticsearch whose API we speak.
  public static final String API = "9.5.3";

  /// The versions of indices that we tell of: what created one is among them.
  public static final int INDEX_MIN = 8_000_099;

  public static final int INDEX_MAX = 9_111_000;

  public static final String WIRE_COMPATIBLE = "8.19.0";
  public static final String INDEX_COMPATIBLE = "8.0.0";

  /// As the build wrote it into the jar; "unknown" where nothing was written.
  public static final Version CURRENT = VersionFile.read();
}
