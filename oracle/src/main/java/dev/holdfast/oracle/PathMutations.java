package dev.holdfast.oracle;

import java.util.List;
import java.util.Random;

/// Methods, paths, parameters and content types that do not fit.
final class PathMutations {
  private static final List<String> CONTENT_TYPES =
      List.of(
          "",
          "text/plain",
          "application/xml",
          "application/yaml",
          "application/cbor",
          "application/smile",
          "application/x-www-form-urlencoded",
          "application/x-ndjson",
          "application/json; charset=utf-16",
          "application/json;charset=nope",
          "json",
          "*/*",
          ";",
          "application/vnd.elasticsearch+json; compatible-with=7",
          "application/vnd.elasticsearch+json; compatible-with=9",
          "application/vnd.elasticsearch+cbor; compatible-with=8",
          "application/json, text/plain");

  private static final List<String> METHODS =
      List.of("GET", "POST", "PUT", "HEAD", "OPTIONS", "PATCH", "TRACE", "NOPE", "get");

  private static final List<String> NAMES =
      List.of(
          "nope",
          "size",
          "from",
          "q",
          "sort",
          "scroll",
          "timeout",
          "routing",
          "preference",
          "pretty",
          "format",
          "filter_path",
          "v",
          "h",
          "s",
          "human",
          "error_trace",
          "refresh",
          "version",
          "version_type",
          "if_seq_no",
          "if_primary_term",
          "ignore_unavailable",
          "allow_no_indices",
          "expand_wildcards",
          "search_type",
          "track_total_hits",
          "_source",
          "_source_includes",
          "stored_fields",
          "docvalue_fields",
          "terminate_after",
          "batched_reduce_size",
          "typed_keys",
          "max_concurrent_shard_requests",
          "keep_alive",
          "fields",
          "flat_settings",
          "master_timeout",
          "level",
          "local",
          "df",
          "default_operator",
          "analyzer",
          "explain",
          "seq_no_primary_term",
          "rest_total_hits_as_int",
          "ccs_minimize_roundtrips",
          "wait_for_active_shards",
          "",
          "%00");

  private static final List<String> VALUES =
      List.of(
          "",
          "true",
          "false",
          "0",
          "-1",
          "1",
          "99999999999999999999",
          "abc",
          "%ff%fe",
          "%",
          "%zz",
          "%00",
          "*",
          "a,b,,c",
          "1d",
          "-1d",
          "9999999999d",
          "_all",
          "%F0%9F%98%80",
          "title:(",
          "1e400",
          "yaml",
          "cbor",
          "smile",
          "**",
          "-*,*",
          "a.b.c",
          "null",
          "[]",
          "{}",
          "+",
          "%2B",
          "_id:asc:desc");

  private static final List<String> SEGMENTS =
      List.of(
          "",
          ".",
          "..",
          "%2e%2e",
          "%2F",
          "%00",
          "%ff",
          "%",
          "*",
          "_all",
          "-x",
          "+",
          "a,b",
          ",",
          "_nope",
          "_doc",
          "_search",
          "oracle-*",
          "oracle-books",
          "<oracle-%7Bnow%2Fd%7D>",
          "%3Ca-%7Bnow%3C",
          "%F0%9F%98%80",
          "x".repeat(300),
          "A",
          "#",
          "%3F",
          "\"",
          "%20",
          "a:b",
          "::",
          "a:",
          "_id",
          "1");

  /// What reads only: the corpus must stay as it is.
  private static final List<String> APIS =
      List.of(
          "/_cat/indices",
          "/_cat/shards",
          "/_cat/nodes",
          "/_cat/count",
          "/_cat/segments",
          "/_cat/health",
          "/_cat/aliases",
          "/_cat/templates",
          "/_cat/thread_pool",
          "/_cat/allocation",
          "/_cat/recovery",
          "/_cat/fielddata",
          "/_cat/plugins",
          "/_cat/master",
          "/_cat/nodeattrs",
          "/_cat",
          "/_cluster/health",
          "/_cluster/state",
          "/_cluster/stats",
          "/_cluster/settings",
          "/_cluster/pending_tasks",
          "/_nodes",
          "/_nodes/stats",
          "/_nodes/hot_threads",
          "/_stats",
          "/_segments",
          "/_recovery",
          "/_mapping",
          "/_settings",
          "/_alias",
          "/_tasks",
          "/_resolve/index/*",
          "/_index_template",
          "/_component_template",
          "/_template",
          "/_field_caps",
          "/_search_shards",
          "/_ingest/pipeline",
          "/_scripts/x",
          "/_rank_eval",
          "/_msearch/template",
          "/_render/template",
          "/_async_search/x",
          "/_pit",
          "/_xpack",
          "/_license",
          "/_holdfast/shards",
          "/_holdfast/store",
          "/_prometheus/metrics",
          "/_ingest/pipeline/_simulate",
          "/oracle-books/_termvectors",
          "/oracle-books/_mtermvectors",
          "/oracle-books/_stats/docs",
          "/oracle-books/_field_usage_stats",
          "/oracle-books/_disk_usage",
          "/oracle-books/_terms_enum",
          "/oracle-books/_validate/query",
          "/oracle-books/_explain/1",
          "/oracle-books/_count",
          "/oracle-books/_search",
          "/oracle-books/_msearch",
          "/oracle-books/_mget",
          "/oracle-books/_search_shards",
          "/oracle-books/_analyze",
          "/oracle-books/_rank_eval",
          "/oracle-books/_search/template",
          "/oracle-few/_update/1",
          "/oracle-few/_doc/1",
          "/oracle-few/_bulk",
          "/oracle-few/_create/1",
          "/oracle-books/_async_search",
          "/oracle-books/_knn_search",
          "/oracle-books/_graph/explore",
          "/oracle-books/_mvt/place/1/0/0",
          "/oracle-books/_eql/search",
          "/_query",
          "/_sql",
          "/_index_template/_simulate",
          "/_update_by_query/x/_rethrottle",
          "/_synonyms/x",
          "/_info/http",
          "/_cluster/allocation/explain");

  private PathMutations() {}

  static OracleRequest contentType(OracleRequest request, Random random) {
    return new OracleRequest(
        request.method(), request.path(), Mutation.any(CONTENT_TYPES, random), request.body());
  }

  static OracleRequest method(OracleRequest request, Random random) {
    return new OracleRequest(
        Mutation.any(METHODS, random), request.path(), request.contentType(), request.body());
  }

  static OracleRequest parameter(OracleRequest request, Random random) {
    return at(
        request,
        request.path()
            + (request.path().contains("?") ? "&" : "?")
            + Mutation.any(NAMES, random)
            + "="
            + Mutation.any(VALUES, random));
  }

  /// A segment of the path is replaced, added or dropped.
  static OracleRequest path(OracleRequest request, Random random) {
    String[] parts = request.path().split("\\?", 2);
    String[] segments = parts[0].split("/", -1);
    int which = random.nextInt(segments.length);
    String path =
        switch (random.nextInt(3)) {
          case 0 -> {
            segments[which] = Mutation.any(SEGMENTS, random);
            yield String.join("/", segments);
          }
          case 1 -> parts[0] + "/" + Mutation.any(SEGMENTS, random);
          default -> parts[0].replace("/" + segments[which], "");
        };
    return at(
        request,
        (path.startsWith("/") ? "" : "/") + path + (parts.length > 1 ? "?" + parts[1] : ""));
  }

  /// The body goes to another API.
  static OracleRequest api(OracleRequest request, Random random) {
    return new OracleRequest(
        Mutation.any(List.of("GET", "POST", "POST", "PUT"), random),
        Mutation.any(APIS, random),
        request.contentType(),
        request.body());
  }

  private static OracleRequest at(OracleRequest request, String path) {
    return new OracleRequest(
        request.method(),
        path.replace(" ", "%20").replace("\"", "%22"),
        request.contentType(),
        request.body());
  }
}
