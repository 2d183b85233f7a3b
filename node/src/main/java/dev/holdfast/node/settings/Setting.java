package dev.holdfast.node.settings;

import java.util.List;
import java.util.Locale;

/// A setting's names and meaning. [#ALL] is the table of all of them.
///
/// @param name in files and after `-E`; `--name` on the command line for those without a dot
/// @param alias what Elasticsearch calls it; empty for none
/// @param description one line for people
record Setting(String name, String alias, String description) {
  static final String PORT = "port";
  static final String HOST = "host";
  static final String DATA = "data";
  static final String STORE = "store";
  static final String ROLES = "roles";
  static final String HEAP = "heap";
  static final String FLAVOR = "flavor";
  static final String CLUSTER_NAME = "cluster.name";
  static final String NODE_NAME = "node.name";
  static final String CONTENT_LENGTH_MAX = "http.max_content_length";
  static final String CACHE_SIZE = "cache.size";
  static final String LOG_FORMAT = "log.format";
  static final String LOG_LEVEL = "log.level";

  /// Settings whose name begins so go to the store as they are.
  static final String STORE_OPTION = "store.";

  static final List<Setting> ALL =
      List.of(
          new Setting(PORT, "http.port", "the port to serve on; 0 for any free one"),
          new Setting(HOST, "network.host", "the address to serve on"),
          new Setting(DATA, "path.data", "the folder of caches, and of the store by default"),
          new Setting(STORE, "", "where all data lives: file:… s3://… gs://… az://… memory:"),
          new Setting(ROLES, "node.roles", "what this node does: all, or index, search"),
          new Setting(HEAP, "", "the Java heap, for example 1g"),
          new Setting(FLAVOR, "", "what GET / says this is: serverless or default"),
          new Setting(CLUSTER_NAME, "", "the name that GET / tells"),
          new Setting(NODE_NAME, "", "the name of this node"),
          new Setting(CONTENT_LENGTH_MAX, "", "the longest request body"),
          new Setting(
              CACHE_SIZE, "", "bytes of the blob cache on disk; 0 for half of the free disk"),
          new Setting(LOG_FORMAT, "", "text or json"),
          new Setting(LOG_LEVEL, "", "error, warn, info, debug or trace"),
          new Setting("store.s3.endpoint", "", "URL of an S3-compatible server"),
          new Setting("store.s3.region", "", "region of the bucket"),
          new Setting("store.s3.path_style", "", "true for servers without virtual hosts"),
          new Setting("store.gcs.endpoint", "", "URL of a GCS-compatible server"),
          new Setting("store.azure.endpoint", "", "URL of the blob service"),
          new Setting("store.azure.connection_string", "", "of the storage account"));

  /// The environment variable: `HOLDFAST_` and the name in capitals, `_` for dots.
  String variable() {
    return "HOLDFAST_" + name.toUpperCase(Locale.ROOT).replace('.', '_');
  }
}
