package dev.holdfast.objectstore;

import dev.holdfast.world.Promise;

/// What an object may be called: segments of `[A-Za-z0-9._~-]` between single slashes, so that a
/// key is the same in a path, in a URL and in a list, and can not lead out of the store.
public final class Keys {
  /// S3's limit is 1024 bytes with the store's own prefix.
  static final int LENGTH_MAX = 900;

  /// File systems allow 255 bytes a name; the rest is for what a store appends.
  static final int SEGMENT_LENGTH_MAX = 240;

  private Keys() {}

  /// @return `key`, which is well formed
  public static String check(String key) {
    Promise.keep(isKey(key), "a key", "key", key);
    return key;
  }

  /// Whether an object may have that name. One of another name in a bucket, as the `folder/` that
  /// consoles make, is not ours: it can be neither read nor deleted by it.
  public static boolean isKey(String name) {
    return isPrefix(name) && !name.isEmpty() && !name.endsWith("/");
  }

  /// @return `prefix`: the beginning of a key, cut anywhere
  public static String checkPrefix(String prefix) {
    Promise.keep(isPrefix(prefix), "a prefix of keys", "prefix", prefix);
    return prefix;
  }

  private static boolean isPrefix(String text) {
    if (text.length() > LENGTH_MAX) {
      return false;
    }
    int begin = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '/') {
        if (!isSegment(text, begin, i)) {
          return false;
        }
        begin = i + 1;
      } else if (!isAllowed(c)) {
        return false;
      }
    }
    return begin == text.length() || isSegment(text, begin, text.length());
  }

  private static boolean isSegment(String text, int begin, int end) {
    String segment = text.substring(begin, end);
    return !segment.isEmpty()
        && segment.length() <= SEGMENT_LENGTH_MAX
        && !segment.equals(".")
        && !segment.equals("..");
  }

  /// Whether every character may stand in a segment.
  public static boolean isName(String name) {
    return name.chars().allMatch(c -> isAllowed((char) c));
  }

  private static boolean isAllowed(char c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || c == '.'
        || c == '_'
        || c == '~'
        || c == '-';
  }
}
