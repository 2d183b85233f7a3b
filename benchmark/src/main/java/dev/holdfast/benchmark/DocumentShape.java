package dev.holdfast.benchmark;

import java.util.Random;

/// Documents as applications write them.
enum DocumentShape {
  /// A line of an access log, as Rally's `http_logs` has them.
  LOG_LINE(
      """
      {"properties":{"@timestamp":{"type":"date"},"clientip":{"type":"ip"},
       "request":{"type":"text","fields":{"raw":{"type":"keyword"}}},
       "status":{"type":"integer"},"size":{"type":"integer"}}}\
      """) {
    @Override
    String document(Random random) {
      return """
      {"@timestamp":%d,"clientip":"%d.%d.%d.0","request":"GET /%s/%s/%s.html HTTP/1.1",\
      "status":%d,"size":%d}\
      """
          .formatted(
              1_700_000_000_000L + random.nextInt(100_000_000),
              random.nextInt(256),
              random.nextInt(256),
              random.nextInt(256),
              LogShard.word(random.nextInt(50)),
              LogShard.word(random.nextInt(1_000)),
              LogShard.word(random.nextInt(20_000)),
              random.nextInt(20) == 0 ? 404 : 200,
              random.nextInt(100_000));
    }
  },

  /// A measured value: few bytes, no text.
  MEASUREMENT(
      """
      {"properties":{"time":{"type":"date"},"sensor":{"type":"keyword"},
       "value":{"type":"double"}}}\
      """) {
    @Override
    String document(Random random) {
      return "{\"time\":%d,\"sensor\":\"s%d\",\"value\":%d.5}"
          .formatted(
              1_700_000_000_000L + random.nextInt(100_000_000),
              random.nextInt(10_000),
              random.nextInt(1_000));
    }
  },

  /// An article of about 2 KiB.
  ARTICLE(
      """
      {"properties":{"title":{"type":"text"},"author":{"type":"keyword"},
       "body":{"type":"text"}}}\
      """) {
    @Override
    String document(Random random) {
      StringBuilder body = new StringBuilder(2_500);
      for (int words = 100 + random.nextInt(500); words > 0; words--) {
        body.append(LogShard.word((int) Math.exp(random.nextDouble() * 10))).append(' ');
      }
      return "{\"title\":\"%s %s\",\"author\":\"a%d\",\"body\":\"%s\"}"
          .formatted(
              LogShard.word(random.nextInt(5_000)),
              LogShard.word(random.nextInt(5_000)),
              random.nextInt(1_000),
              body);
    }
  };

  final String mapping;

  DocumentShape(String mapping) {
    this.mapping = mapping;
  }

  abstract String document(Random random);
}
