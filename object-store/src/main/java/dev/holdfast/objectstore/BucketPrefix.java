package dev.holdfast.objectstore;

import java.util.Locale;

/// Where in a provider's store ours lies.
///
/// @param scheme `s3`, `gs` or `az`
/// @param bucket bucket or container
/// @param prefix empty, or ends with a slash: what every key begins with there
public record BucketPrefix(String scheme, String bucket, String prefix) {
  /// @throws StoreException.Denied when `url` is not `scheme://bucket` or `scheme://bucket/prefix`
  public static BucketPrefix parse(String url) throws StoreException {
    int colon = url.indexOf("://");
    String rest = colon < 0 ? "" : url.substring(colon + 3);
    int slash = rest.indexOf('/');
    String bucket = slash < 0 ? rest : rest.substring(0, slash);
    String prefix = slash < 0 ? "" : rest.substring(slash + 1).replaceAll("/+$", "");
    if (bucket.isEmpty()) {
      throw new StoreException.Denied("the store's URL [" + url + "] names no bucket", null);
    }
    try {
      Keys.checkPrefix(prefix);
    } catch (IllegalStateException e) {
      throw new StoreException.Denied(
          "the prefix of the store's URL [" + url + "] must be of [A-Za-z0-9._~-] and /", e);
    }
    return new BucketPrefix(scheme(url), bucket, prefix.isEmpty() ? "" : prefix + "/");
  }

  /// The letters before the colon; `file` for a plain path.
  public static String scheme(String url) {
    int colon = url.indexOf(':');
    // One letter is a drive.
    return colon < 2 || url.lastIndexOf('/', colon) >= 0
        ? "file"
        : url.substring(0, colon).toLowerCase(Locale.ROOT);
  }

  /// The provider's name of our `key`.
  public String full(String key) {
    return prefix + Keys.check(key);
  }

  public String fullPrefix(String ours) {
    return prefix + Keys.checkPrefix(ours);
  }

  /// Our key of the provider's name.
  public String key(String full) {
    return full.substring(prefix.length());
  }

  /// For people.
  public String name() {
    return scheme
        + "://"
        + bucket
        + (prefix.isEmpty() ? "" : "/" + prefix.substring(0, prefix.length() - 1));
  }
}
