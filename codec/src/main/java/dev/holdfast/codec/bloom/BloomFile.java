package dev.holdfast.codec.bloom;

/// The file of bloom filters: index header; for each field its blocks; then the directory (a vInt
/// of fields, and for each its number, its filter's offset and its count of blocks), the
/// directory's offset as a long, and Lucene's footer.
final class BloomFile {
  static final String EXTENSION = "hbf";
  static final String CODEC = "HoldfastBloom";
  static final int VERSION_FIRST = 0;
  static final int VERSION_LAST = 0;

  private BloomFile() {}
}
