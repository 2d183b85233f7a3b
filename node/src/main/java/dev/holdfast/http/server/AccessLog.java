package dev.holdfast.http.server;

import com.linecorp.armeria.common.RequestHeaders;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
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
      long nanos) {
    if (LOG.isDebugEnabled()) {
      String path = request.path();
      LOG.debug(
          "request answered [client={}, method={}, path={}, status={}, bytes_in={}, bytes_out={},"
              + " took_micros={}, x_opaque_id={}, user_agent={}]",
          client instanceof InetSocketAddress address
              ? address.getAddress().getHostAddress()
              : client,
          request.method(),
          path.length() <= PATH_SHOWN_MAX ? path : path.substring(0, PATH_SHOWN_MAX) + "…",
          status,
          bytesIn,
          bytesOut,
          nanos / 1_000,
          request.get("x-opaque-id", ""),
          request.get("user-agent", ""));
    }
  }
}
