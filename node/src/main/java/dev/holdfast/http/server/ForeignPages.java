package dev.holdfast.http.server;

import dev.holdfast.http.HeaderValues;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.net.URI;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// What pages of other sites make a browser send to an open node: they may read no answer, so only
/// what changes something is of use to them. That is refused; clients that are no browsers send
/// neither header.
final class ForeignPages {
  private ForeignPages() {}

  /// @param headers of the request
  /// @throws Refusal `security_exception` (403) for a request that changes something, or may, from
  ///   a page that this node did not serve
  static void refuse(String method, HeaderValues headers) {
    if (isRead(method)) {
      return;
    }
    String origin = headers.get("origin");
    boolean isForeign =
        origin == null
            ? "cross-site".equals(headers.get("sec-fetch-site"))
            : !isSame(origin, headers.get("host"));
    if (isForeign) {
      throw new Refusal(
          ErrorType.SECURITY,
          "pages of another origin"
              + (origin == null ? "" : " [" + origin + "]")
              + " may only read: send the request from a page of this address, or from a client"
              + " that is no browser");
    }
  }

  /// Methods that change nothing.
  static boolean isRead(String method) {
    return switch (method) {
      case "GET", "HEAD", "OPTIONS" -> true;
      default -> false;
    };
  }

  private static boolean isSame(String origin, @Nullable String host) {
    try {
      String authority = URI.create(origin).getRawAuthority();
      return authority != null
          && host != null
          && authority.toLowerCase(Locale.ROOT).equals(host.toLowerCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      return false; // no origin that a browser sends
    }
  }
}
