package dev.holdfast.settings;

import dev.holdfast.objectstore.count.StorePrices;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// A setting's names and meaning. [#ALL] is the table of all of them.
///
/// @param name in files and after `-E`; `--name` on the command line for those without a dot
/// @param alias what Elasticsearch calls it; empty for none
/// @param description one line for people
public record Setting(String name, String alias, String description) {
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

  static final String PUBLISH_HOST = "network.publish_host";
  static final String COMPRESS = "network.compress";

  static final String PROVISIONER = "autoscaling.provisioner";
  static final String WEBHOOK = "autoscaling.webhook.url";
  static final String PROCESS_FOLDER = "autoscaling.process.folder";

  static final String PROJECTS = "projects";
  static final String PROJECTS_DOMAIN = "projects.domain";

  static final String KUBERNETES = "autoscaling.kubernetes.";
  static final String KUBERNETES_INDEX = KUBERNETES + "index";
  static final String KUBERNETES_SEARCH = KUBERNETES + "search";
  static final String KUBERNETES_NAMESPACE = KUBERNETES + "namespace";
  static final String KUBERNETES_URL = KUBERNETES + "url";
  static final String KUBERNETES_CREDENTIALS = KUBERNETES + "credentials";

  /// Settings whose name begins so go to the store as they are.
  static final String STORE_OPTION = "store.";

  static final String PATH_STYLE = "store.s3.path_style";

  /// How much a store is asked at the start: `full`, or [#BRIEF].
  public static final String PROBE = "store.probe";

  /// Only whether it answers: it has been asked the rest.
  public static final String BRIEF = "brief";

  public static final List<Setting> ALL =
      List.of(
          new Setting(PORT, "http.port", "the port to serve on; 0 for any free one"),
          new Setting(HOST, "network.host", "the address to serve on"),
          new Setting(DATA, "path.data", "the folder of caches, and of the store by default"),
          new Setting(STORE, "", "where all data lives: file:… s3://… gs://… az://… memory:"),
          new Setting(ROLES, "node.roles", "what this node does: all, or index, search, proxy"),
          new Setting(HEAP, "", "the Java heap, for example 1g"),
          new Setting(FLAVOR, "", "what GET / says this is: serverless or default"),
          new Setting(
              CLUSTER_NAME, "", "the name that GET / tells, and that the nodes of a cluster share"),
          new Setting(NODE_NAME, "", "the name of this node"),
          new Setting(CONTENT_LENGTH_MAX, "", "the longest request body"),
          new Setting(PROJECTS, "", "whether requests may name a project: true or false"),
          new Setting(PROJECTS_DOMAIN, "", "hosts that are called PROJECT.domain name it, too"),
          new Setting("http.allowed_hosts", "", "public names whose pages may write"),
          new Setting("http.cors.enabled", "", "whether pages of other origins may do more"),
          new Setting("http.cors.allow-origin", "", "which: *, /a pattern/, or origins"),
          new Setting("http.cors.allow-methods", "", "the methods they may use"),
          new Setting("http.cors.allow-headers", "", "the headers they may send"),
          new Setting("http.cors.expose-headers", "", "the headers of answers they may read"),
          new Setting("http.cors.max-age", "", "seconds for which a browser may remember that"),
          new Setting("http.cors.allow-credentials", "", "whether they may send credentials"),
          new Setting(
              CACHE_SIZE, "", "bytes of the blob cache on disk; 0 for half of the free disk"),
          new Setting(LOG_FORMAT, "", "text or json"),
          new Setting(LOG_LEVEL, "", "error, warn, info, debug or trace"),
          new Setting(PUBLISH_HOST, "", "the address at which other nodes reach this one"),
          new Setting(COMPRESS, "transport.compress", "compress large bodies between nodes"),
          new Setting("cluster.beat_every", "", "how often a node tells the leader that it lives"),
          new Setting("cluster.beat_max", "", "how long the answer to that may take"),
          new Setting("cluster.call_max", "", "how long an answer within the cluster may take"),
          new Setting("cluster.beats_missed_max", "", "beats missed before a leader is doubted"),
          new Setting("cluster.lease_poll_every", "", "how often a leader reads the lease"),
          new Setting("cluster.lease_silence_max", "", "how long a doubted leader may be silent"),
          new Setting("cluster.member_silence_max", "", "how long a member may be silent"),
          new Setting(
              "cluster.refused_silence_max", "", "the same of one that refuses connections"),
          new Setting("cluster.refusals_max", "", "refused connections that show that it is dead"),
          new Setting("cluster.acknowledge_max", "", "how long an update waits for slow members"),
          new Setting("cluster.propose_max", "", "how long a leader may take for an update"),
          new Setting("cluster.update_max", "", "how long a request waits for its update"),
          new Setting("cluster.contact_max", "", "how long searches are served without a leader"),
          new Setting("cluster.serve_max", "", "the same by what a leader knew of its lease"),
          new Setting("cluster.lease_read_max", "", "how long an answer waits for the lease"),
          new Setting("cluster.drain_max", "", "how long a stopping node waits for its shards"),
          new Setting("gc.grace", "", "from nobody needing a blob to its deletion"),
          new Setting("gc.sweep_every", "", "how often the leader looks for orphans"),
          new Setting("gc.sweep_delay", "", "how long a new leader waits before it first does"),
          new Setting("gc.trash", "", "how long what that took away is kept under trash/"),
          new Setting(
              "gc.clock_difference",
              "",
              "what a clock may differ from the store's by and still delete by age"),
          new Setting(
              "restore.copy_delay",
              "",
              "how long a restored shard is searched before the store copies its blobs"),
          new Setting("scrub.rate", "", "bytes a second that the leader reads to check the store"),
          new Setting("scrub.every", "", "how often it checks the whole store"),
          new Setting(
              PROVISIONER, "", "who starts and stops nodes: none, process, kubernetes, webhook"),
          new Setting(WEBHOOK, "", "what is told how large the tiers should be"),
          new Setting(PROCESS_FOLDER, "", "where nodes that are started keep their data"),
          new Setting(KUBERNETES_INDEX, "", "the StatefulSet of the indexing tier"),
          new Setting(KUBERNETES_SEARCH, "", "the StatefulSet of the search tier"),
          new Setting(KUBERNETES_NAMESPACE, "", "where they are; empty: where this pod is"),
          new Setting(KUBERNETES_URL, "", "the API server; as each pod reaches it"),
          new Setting(KUBERNETES_CREDENTIALS, "", "folder of token and ca.crt; those of the pod"),
          new Setting(
              CacheSettings.QUERIES,
              "",
              "memory for documents of filters: a size, or 10% of the heap"),
          new Setting(CacheSettings.QUERIES_MAX, "", "filters that are remembered"),
          new Setting(
              CacheSettings.REQUESTS,
              "",
              "memory for answers of shards: a size, or 1% of the heap"),
          new Setting(ScriptSettings.TYPES, "", "which scripts run: both, or inline, stored, none"),
          new Setting(ScriptSettings.CONTEXTS, "", "the contexts that scripts run in; empty: all"),
          new Setting(ScriptSettings.KEPT_MAX, "", "compiled scripts that are kept"),
          new Setting(
              ScriptSettings.KEPT_FOR, "", "how long without use; 0ms: while there is room"),
          new Setting(ScriptSettings.REGEX, "", "regular expressions: limited, true or false"),
          new Setting(ScriptSettings.FACTOR, "", "looks they have at each character"),
          new Setting(CacheSettings.FIELD_DATA, "", "accepted; field data take no heap"),
          new Setting(TelemetrySettings.ENABLED, "", "whether traces of requests are recorded"),
          new Setting(TelemetrySettings.RATE, "", "the share of requests that are: 0 to 1"),
          new Setting(TelemetrySettings.ENDPOINT, "", "the collector: http://host:4318"),
          new Setting(TelemetrySettings.HEADERS, "", "what it wants: name=value,name=value"),
          new Setting(TelemetrySettings.SERVICE, "", "what traces call this system"),
          new Setting(
              "store.shared_folders",
              "path.repo",
              "folders that all nodes see, for repositories of snapshots of type fs"),
          new Setting(
              "store.allowed_urls",
              "repositories.url.allowed_urls",
              "what repositories of type url may read"),
          new Setting(StorePrices.WRITES, "", "dollars for a thousand puts, lists or copies"),
          new Setting(StorePrices.READS, "", "dollars for a thousand gets"),
          new Setting(StorePrices.DELETES, "", "dollars for a thousand delete requests"),
          new Setting(
              StorePrices.TRANSITIONS, "", "dollars for a thousand changes of a storage class"),
          new Setting(StorePrices.KEPT, "", "dollars for a gigabyte kept for a month"),
          new Setting(
              PROBE,
              "",
              "what a store is asked at the start: full, or brief of one known to be good"),
          new Setting("store.s3.endpoint", "", "URL of an S3-compatible server"),
          new Setting("store.s3.region", "", "region of the bucket"),
          new Setting(PATH_STYLE, "", "true for servers without virtual hosts"),
          new Setting("store.gcs.endpoint", "", "URL of a GCS-compatible server"),
          new Setting("store.azure.endpoint", "", "URL of the blob service"),
          new Setting("store.azure.connection_string", "", "of the storage account"),
          new Setting(
              "store.azure.connection_string_file",
              "",
              "where it is read from, and read again when it is refused"));

  /// Variables of OpenTelemetry that say what a setting of ours says.
  static final Map<String, String> SHARED =
      Map.of(
          "OTEL_EXPORTER_OTLP_ENDPOINT", TelemetrySettings.ENDPOINT,
          "OTEL_EXPORTER_OTLP_HEADERS", TelemetrySettings.HEADERS,
          "OTEL_SERVICE_NAME", TelemetrySettings.SERVICE);

  /// The environment variable: `HOLDFAST_` and the name in capitals, `_` for dots.
  String variable() {
    return "HOLDFAST_" + name.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
  }
}
