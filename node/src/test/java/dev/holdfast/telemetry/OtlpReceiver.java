package dev.holdfast.telemetry;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.zip.GZIPInputStream;

/// Takes OTLP over HTTP and reads of each span what tests look at, by the numbers of the members in
/// the published protocol.
final class OtlpReceiver implements AutoCloseable {
  private static final int RESOURCE_SPANS = 1;
  private static final int SCOPE_SPANS = 2;
  private static final int SPANS = 2;
  private static final int TRACE_ID = 1;
  private static final int SPAN_ID = 2;
  private static final int PARENT_ID = 4;
  private static final int NAME = 5;

  private final HttpServer server;
  final List<Received> spans = new CopyOnWriteArrayList<>();

  record Received(String traceId, String spanId, String parentId, String name) {}

  OtlpReceiver() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/v1/traces", this::receive);
    server.start();
  }

  String endpoint() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  private void receive(HttpExchange exchange) throws IOException {
    try (exchange;
        InputStream body = new GZIPInputStream(exchange.getRequestBody())) {
      each(
          CodedInputStream.newInstance(body),
          RESOURCE_SPANS,
          resource -> each(resource, SCOPE_SPANS, scope -> each(scope, SPANS, this::span)));
      exchange.sendResponseHeaders(200, -1);
    }
  }

  private interface Member {
    void read(CodedInputStream in) throws IOException;
  }

  private static void each(CodedInputStream in, int number, Member member) throws IOException {
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (WireFormat.getTagFieldNumber(tag) == number) {
        member.read(in.readBytes().newCodedInput());
      } else {
        in.skipField(tag);
      }
    }
  }

  private void span(CodedInputStream in) throws IOException {
    String trace = "";
    String id = "";
    String parent = "";
    String name = "";
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      switch (WireFormat.getTagFieldNumber(tag)) {
        case TRACE_ID -> trace = HexFormat.of().formatHex(in.readByteArray());
        case SPAN_ID -> id = HexFormat.of().formatHex(in.readByteArray());
        case PARENT_ID -> parent = HexFormat.of().formatHex(in.readByteArray());
        case NAME -> name = in.readString();
        default -> in.skipField(tag);
      }
    }
    spans.add(new Received(trace, id, parent, name));
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
