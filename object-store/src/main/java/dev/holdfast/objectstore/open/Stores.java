package dev.holdfast.objectstore.open;

import dev.holdfast.objectstore.BucketPrefix;
import dev.holdfast.objectstore.MemoryStore;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.StoreException;
import dev.holdfast.objectstore.azure.AzureStore;
import dev.holdfast.objectstore.file.FileStore;
import dev.holdfast.objectstore.google.GoogleStore;
import dev.holdfast.objectstore.s3.S3Store;
import dev.holdfast.world.World;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.SortedMap;

/// Opens the store that a URL names. What a provider's store needs is loaded only when one of its
/// URLs is opened.
public final class Stores {
  private Stores() {}

  /// Opens `file:path` (or a plain path), `s3://bucket/prefix`, `gs://bucket/prefix`,
  /// `az://container/prefix` or `memory:`. Nothing is asked of a remote store yet: [StoreProbe]
  /// does that.
  ///
  /// @param options `store.s3.endpoint`, `store.s3.region`, `store.s3.path_style`,
  ///   `store.gcs.endpoint`, `store.azure.endpoint`, `store.azure.connection_string`,
  ///   `store.azure.connection_string_file`; others are not looked at
  /// @throws StoreException.Denied when the URL or an option can not be used
  public static ObjectStore open(String url, SortedMap<String, String> options, World world)
      throws StoreException {
    StoreAddresses.check(url, options);
    return switch (BucketPrefix.scheme(url)) {
      case "file" -> new FileStore(path(url));
      case "memory" -> new MemoryStore();
      case "s3" -> S3Store.open(BucketPrefix.parse(url), options, world);
      case "gs" -> GoogleStore.open(BucketPrefix.parse(url), options, world);
      case "az" -> AzureStore.open(BucketPrefix.parse(url), options, world);
      default -> throw unknown(url);
    };
  }

  /// Whether a URL can name a store; none is opened, and no option is looked at.
  ///
  /// @throws StoreException.Denied when it can't
  public static void requireUrl(String url) throws StoreException {
    switch (BucketPrefix.scheme(url)) {
      case "file" -> {
        Path _ = path(url);
      }
      case "memory" -> {}
      case "s3", "gs", "az" -> {
        BucketPrefix _ = BucketPrefix.parse(url);
      }
      default -> throw unknown(url);
    }
  }

  private static StoreException.Denied unknown(String url) {
    return new StoreException.Denied(
        "unknown kind of store ["
            + url
            + "]: use file:path, s3://bucket/prefix, gs://bucket/prefix, az://container/prefix or"
            + " memory:",
        null);
  }

  /// Whether a URL names a folder that does not exist, which opening it would make.
  public static boolean isMissingFolder(String url) throws StoreException {
    return BucketPrefix.scheme(url).equals("file") && Files.notExists(path(url));
  }

  private static Path path(String url) throws StoreException {
    String path = url.startsWith("file:") ? url.substring("file:".length()) : url;
    if (path.startsWith("//")) {
      path = path.substring(path.startsWith("///") ? 2 : 0);
    }
    try {
      if (path.isEmpty()) {
        throw new InvalidPathException(url, "empty");
      }
      return Path.of(path);
    } catch (InvalidPathException e) {
      throw new StoreException.Denied("the store's path [" + url + "] is not a path", e);
    }
  }
}
