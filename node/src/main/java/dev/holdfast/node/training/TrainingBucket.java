package dev.holdfast.node.training;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.holdfast.world.FromTheWorld;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A bucket that speaks as much S3 as nodes need that keep a small index in it, on a free port of
/// this machine: what the client library loads then is in the start-up cache.
public final class TrainingBucket implements AutoCloseable {
  private static final String METADATA = "x-amz-meta-";
  private static final Pattern KEY = Pattern.compile("<Key>([^<]*)</Key>");

  private final HttpServer server;

  // Guarded by this.
  private final TreeMap<String, Stored> objects = new TreeMap<>();
  private int writes;

  @SuppressWarnings("ArrayRecordComponent") // a carrier, never compared
  private record Stored(byte[] bytes, String eTag, Map<String, String> metadata) {}

  private TrainingBucket(HttpServer server) {
    this.server = server;
  }

  @FromTheWorld
  public static TrainingBucket start() throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    TrainingBucket bucket = new TrainingBucket(server);
    server.createContext("/", bucket::answer);
    server.start();
    return bucket;
  }

  public String endpoint() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  @Override
  public void close() {
    server.stop(0);
  }

  private synchronized void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String path = exchange.getRequestURI().getPath();
      String key = path.substring(path.indexOf('/', 1) + 1);
      byte[] body = exchange.getRequestBody().readAllBytes();
      switch (exchange.getRequestMethod()) {
        case "PUT" -> put(exchange, key, body);
        case "DELETE" -> {
          objects.remove(key);
          send(exchange, 204, new byte[0]);
        }
        case "POST" -> {
          Matcher keys = KEY.matcher(new String(body, StandardCharsets.UTF_8));
          while (keys.find()) {
            objects.remove(keys.group(1));
          }
          send(exchange, 200, xml("<DeleteResult/>"));
        }
        default -> {
          Map<String, String> query = query(exchange);
          if (query.containsKey("list-type")) {
            list(exchange, query);
          } else {
            get(exchange, objects.get(key));
          }
        }
      }
    }
  }

  private static Map<String, String> query(HttpExchange exchange) {
    Map<String, String> query = new TreeMap<>();
    String text = exchange.getRequestURI().getQuery();
    for (String pair : text == null ? new String[0] : text.split("&")) {
      int equals = pair.indexOf('=');
      query.put(
          equals < 0 ? pair : pair.substring(0, equals),
          equals < 0 ? "" : pair.substring(equals + 1));
    }
    return query;
  }

  private void put(HttpExchange exchange, String key, byte[] body) throws IOException {
    Stored before = objects.get(key);
    String match = exchange.getRequestHeaders().getFirst("If-Match");
    boolean isThere = before != null && exchange.getRequestHeaders().containsKey("If-None-Match");
    boolean isOther = match != null && (before == null || !match.equals(before.eTag));
    if (isThere || isOther) {
      send(exchange, 412, error("PreconditionFailed"));
      return;
    }
    Map<String, String> metadata = new TreeMap<>();
    exchange
        .getRequestHeaders()
        .forEach((name, values) -> {
          if (name.toLowerCase(Locale.ROOT).startsWith(METADATA)) {
            metadata.put(name, values.getFirst());
          }
        });
    Stored stored = new Stored(body, "\"" + ++writes + "\"", metadata);
    objects.put(key, stored);
    exchange.getResponseHeaders().set("ETag", stored.eTag);
    send(exchange, 200, new byte[0]);
  }

  private static void get(HttpExchange exchange, @Nullable Stored stored) throws IOException {
    if (stored == null) {
      send(exchange, 404, error("NoSuchKey"));
      return;
    }
    exchange.getResponseHeaders().set("ETag", stored.eTag);
    stored.metadata.forEach(exchange.getResponseHeaders()::set);
    String range = exchange.getRequestHeaders().getFirst("Range");
    byte[] bytes = stored.bytes;
    if (range != null) {
      String[] ends = range.substring("bytes=".length()).split("-", -1);
      boolean isSuffix = ends[0].isEmpty();
      int end = Integer.parseInt(ends[1]);
      int from = isSuffix ? Math.max(0, bytes.length - end) : Integer.parseInt(ends[0]);
      int to = isSuffix ? bytes.length : Math.min(end + 1, bytes.length);
      if (from >= to) {
        send(exchange, 416, error("InvalidRange"));
        return;
      }
      String said = "bytes " + from + "-" + (to - 1) + "/" + bytes.length;
      exchange.getResponseHeaders().set("Content-Range", said);
      bytes = Arrays.copyOfRange(bytes, from, to);
    }
    send(exchange, range == null ? 200 : 206, bytes);
  }

  private void list(HttpExchange exchange, Map<String, String> query) throws IOException {
    String prefix = query.getOrDefault("prefix", "");
    String after = query.getOrDefault("start-after", query.getOrDefault("continuation-token", ""));
    int max = Integer.parseInt(query.getOrDefault("max-keys", "1000"));
    StringBuilder listed = new StringBuilder();
    int count = 0;
    boolean isCut = false;
    String last = "";
    for (Map.Entry<String, Stored> entry : objects.tailMap(after, false).entrySet()) {
      if (!entry.getKey().startsWith(prefix)) {
        continue;
      }
      if (count == max) {
        isCut = true;
        break;
      }
      count++;
      last = entry.getKey();
      listed
          .append("<Contents><Key>")
          .append(last)
          .append("</Key><Size>")
          .append(entry.getValue().bytes.length)
          .append("</Size><ETag>")
          .append(entry.getValue().eTag.replace("\"", "&quot;"))
          .append("</ETag><ChecksumAlgorithm>CRC32</ChecksumAlgorithm>")
          .append("<ChecksumType>FULL_OBJECT</ChecksumType><StorageClass>STANDARD</StorageClass>")
          .append("<LastModified>2026-01-01T00:00:00.000Z</LastModified></Contents>");
    }
    String next = isCut ? "<NextContinuationToken>" + last + "</NextContinuationToken>" : "";
    send(
        exchange,
        200,
        xml(
            "<ListBucketResult xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\"><IsTruncated>"
                + isCut
                + "</IsTruncated>"
                + next
                + listed
                + "<EncodingType>url</EncodingType></ListBucketResult>"));
  }

  private static byte[] error(String code) {
    return xml("<Error><Code>" + code + "</Code><Message>" + code + "</Message></Error>");
  }

  private static byte[] xml(String root) {
    return ("<?xml version=\"1.0\" encoding=\"UTF-8\"?>" + root).getBytes(StandardCharsets.UTF_8);
  }

  private static void send(HttpExchange exchange, int status, byte[] body) throws IOException {
    exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
    if (body.length > 0) {
      exchange.getResponseBody().write(body);
    }
  }
}
