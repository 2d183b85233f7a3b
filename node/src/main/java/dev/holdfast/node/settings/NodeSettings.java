package dev.holdfast.node.settings;

import dev.holdfast.world.ByteSize;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;

/// All that a user can set of a node. [Setting] says how each is called and read.
///
/// @param host the address to serve on
/// @param port 0 for any free one
/// @param data the folder of caches, and of the store unless another is named
/// @param store where all data lives: `file:…`, `s3://bucket/prefix`, `gs://…`, `az://…`
/// @param roles what this node does; never empty
/// @param httpContentLengthMax the longest request body
/// @param isLogJson log lines as JSON objects
public record NodeSettings(
    String host,
    int port,
    Path data,
    String store,
    Set<Role> roles,
    Flavor flavor,
    String clusterName,
    String nodeName,
    ByteSize httpContentLengthMax,
    boolean isLogJson) {

  /// Everything in one process, in `data`.
  public static NodeSettings defaults(Path data) {
    return new NodeSettings(
        "127.0.0.1",
        9200,
        data,
        "file:" + data.resolve("store"),
        EnumSet.allOf(Role.class),
        Flavor.SERVERLESS,
        "holdfast",
        "",
        ByteSize.mib(100),
        false);
  }
}
