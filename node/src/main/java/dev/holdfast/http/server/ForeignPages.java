package dev.holdfast.http.server;

import dev.holdfast.http.Header;
import dev.holdfast.http.HeaderValues;
import dev.holdfast.http.PagePolicy;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// What pages of other sites make a browser send to an open node: they may read no answer, so only
/// what changes something is of use to them. That is refused, unless `http.cors.allow-origin` names
/// their origin; clients that are no browsers send none of these headers.
final class ForeignPages {
  private final PagePolicy policy;

  ForeignPages(PagePolicy policy) {
    this.policy = policy;
  }

  /// @param headers of the request
  /// @throws Refusal `security_exception` (403) for a request that changes something, or may, from
  ///   a page that this node did not serve
  void refuse(String method, HeaderValues headers) {
    String origin = headers.get("origin");
    if (isPreflight(method, headers) && origin != null && policy.cors().isOn()) {
      if (!policy.cors().allows(origin)) {
        throw foreign(origin);
      }
      return;
    }
    if (isRead(method) || (origin != null && policy.cors().allows(origin))) {
      return;
    }
    String host = headers.get("host");
    String site = headers.get("sec-fetch-site");
    boolean isForeign = origin == null ? "cross-site".equals(site) : !isSame(origin, host);
    if (isForeign) {
      throw foreign(origin);
    }
    if ((origin != null || site != null) && !policy.isOwnName(host)) {
      throw new Refusal(
          ErrorType.SECURITY,
          "pages of the public name ["
              + host
              + "] may only read: anybody can point a name at this address; name it in"
              + " [http.allowed_hosts] if it is this node's");
    }
  }

  private static Refusal foreign(@Nullable String origin) {
    return new Refusal(
        ErrorType.SECURITY,
        "pages of another origin"
            + (origin == null ? "" : " [" + origin + "]")
            + " may only read: send the request from a page of this address, from an origin of"
            + " [http.cors.allow-origin], or from a client that is no browser");
  }

  /// What the answer tells the browser beside what it says to all.
  List<Header> told(String method, HeaderValues headers) {
    String origin = headers.get("origin");
    if (origin == null || !policy.cors().allows(origin)) {
      return List.of();
    }
    List<Header> told = new ArrayList<>(policy.cors().answering(origin));
    if (isPreflight(method, headers)) {
      told.addAll(policy.cors().asked());
    }
    return told;
  }

  private static boolean isPreflight(String method, HeaderValues headers) {
    return method.equals("OPTIONS") && headers.get("access-control-request-method") != null;
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
