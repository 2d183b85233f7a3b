package dev.holdfast.http.server;

import com.linecorp.armeria.common.RequestHeaders;
import dev.holdfast.world.trace.Cause;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A line for each answer, written by the logger `http.access` while its level is `DEBUG`
/// (`logger.http.access`); else it costs one comparison. Bodies and credentials are not shown, what
/// stands in the path is.
final class AccessLog {
  static final String NAME = "http.access";

  private static final Logger LOG = LoggerFactory.getLogger(NAME);
  private static final int PATH_SHOWN_MAX = 2_000;

  private AccessLog() {}

  /// @param bytesIn of the request's body
  /// @param bytesOut of the answer's
  static void answered(
      SocketAddress client,
      RequestHeaders request,
      int status,
      long bytesIn,
      long bytesOut,
      long nanos,
      Cause cause) {
    if (LOG.isDebugEnabled()) {
      String path = request.path();
      String shown =
          path.length() <= PATH_SHOWN_MAX ? path : path.substring(0, PATH_SHOWN_MAX) + "…";
      Object address =
          client instanceof InetSocketAddress inet ? inet.getAddress().getHostAddress() : client;
      String opaqueId = Objects.requireNonNullElse(cause.opaqueId(), "");
      String traceId = Objects.requireNonNullElse(cause.traceId(), "");
      String agent = request.get("user-agent", "");
      // The pairs are members of a JSON line; a line for people has the message alone.
      LOG.atDebug()
          .addKeyValue("event.action", "http-request")
          .addKeyValue("client.address", address)
          .addKeyValue("http.request.method", request.method().name())
          .addKeyValue("url.original", shown)
          .addKeyValue("http.response.status_code", status)
          .addKeyValue("http.request.body.bytes", bytesIn)
          .addKeyValue("http.response.body.bytes", bytesOut)
          .addKeyValue("event.duration", nanos)
          .addKeyValue("http.request.id", opaqueId)
          .addKeyValue("trace.id", traceId)
          .addKeyValue("user_agent.original", agent)
          .log(
              "request answered [client={}, method={}, path={}, status={}, bytes_in={},"
                  + " bytes_out={}, took_micros={}, x_opaque_id={}, trace_id={}, user_agent={}]",
              address,
              request.method(),
              shown,
              status,
              bytesIn,
              bytesOut,
              nanos / 1_000,
              opaqueId,
              traceId,
              agent);
    }
  }
}
