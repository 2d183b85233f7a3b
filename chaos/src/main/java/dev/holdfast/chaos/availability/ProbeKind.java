package dev.holdfast.chaos.availability;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.chaos.node.Http;

/// What a prober asks for, and when the answer is a success.
enum ProbeKind {
  /// A document is indexed.
  WRITE("PUT", "/%s/_doc/%s", "{\"name\":\"probe\",\"value\":%d}") {
    @Override
    boolean isGood(Http.Reply reply) {
      return reply.status() == 200 || reply.status() == 201;
    }
  },
  /// A document is read in real time.
  GET("GET", "/%s/_doc/%s", "") {
    @Override
    boolean isGood(Http.Reply reply) {
      return reply.status() == 200 && reply.body().path("found").asBoolean();
    }
  },
  /// Documents are searched; a failed shard is a failed search.
  SEARCH("POST", "/%s/_search", "{\"size\":1,\"query\":{\"term\":{\"name\":\"probe\"}}}") {
    @Override
    boolean isGood(Http.Reply reply) {
      JsonNode shards = reply.body().path("_shards");
      return reply.status() == 200
          && shards.path("failed").asInt(1) == 0
          && !reply.body().path("hits").path("hits").isEmpty();
    }
  };

  private final String method;
  private final String path;
  private final String body;

  ProbeKind(String method, String path, String body) {
    this.method = method;
    this.path = path;
    this.body = body;
  }

  String method() {
    return method;
  }

  String path(String index, String id) {
    return String.format(path, index, id);
  }

  String body(long value) {
    return String.format(body, value);
  }

  abstract boolean isGood(Http.Reply reply);
}
