package dev.holdfast.http;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/// What pages in browsers may do with a node that asks for no password.
///
/// @param hosts `http.allowed_hosts`: public names under which this node's own pages are served, in
///   small letters
public record PagePolicy(Set<String> hosts, Cors cors) {
  public static final PagePolicy DEFAULT = new PagePolicy(Set.of(), Cors.NONE);

  /// Ends of names that only private networks have.
  private static final List<String> PRIVATE_SUFFIXES =
      List.of(
          ".localhost",
          ".local",
          ".localdomain",
          ".internal",
          ".intranet",
          ".private",
          ".lan",
          ".home",
          ".home.arpa",
          ".corp",
          ".svc",
          ".test");

  private static final Pattern ADDRESS = Pattern.compile("\\[.*]|[0-9.]+");

  public PagePolicy {
    hosts = Set.copyOf(hosts);
  }

  /// @param hosts separated by commas
  public static PagePolicy of(String hosts, Cors cors) {
    return new PagePolicy(new TreeSet<>(parts(hosts.toLowerCase(Locale.ROOT))), cors);
  }

  /// Whether a page of that name may be one of this node's own. Anybody can point a public name of
  /// theirs at an address inside, and a browser takes its pages for this node's then.
  ///
  /// @param authority of the `Host` header, with or without a port; null for none
  public boolean isOwnName(@Nullable String authority) {
    if (authority == null) {
      return false;
    }
    String host = authority.toLowerCase(Locale.ROOT).replaceFirst(":[0-9]*$", "");
    return ADDRESS.matcher(host).matches()
        || host.indexOf('.') < 0
        || PRIVATE_SUFFIXES.stream().anyMatch(host::endsWith)
        || hosts.contains(host);
  }

  private static List<String> parts(String text) {
    List<String> parts = new ArrayList<>();
    for (String part : text.split(",", -1)) {
      if (!part.isBlank()) {
        parts.add(part.strip());
      }
    }
    return parts;
  }

  /// `http.cors.*`: which other origins' pages may read answers and send changes.
  ///
  /// @param origins `*`, or origins as browsers send them
  /// @param pattern of origins; null for none
  /// @param maxAgeSeconds how long a browser may remember
  public record Cors(
      Set<String> origins,
      @Nullable Pattern pattern,
      String methods,
      String headers,
      String exposed,
      long maxAgeSeconds,
      boolean allowsCredentials) {
    public static final String METHODS = "OPTIONS,HEAD,GET,POST,PUT,DELETE";
    public static final String HEADERS =
        "X-Requested-With,Content-Type,Content-Length,Authorization,Accept,User-Agent,X-Elastic-Client-Meta";
    public static final String EXPOSED = "X-elastic-product";
    public static final long MAX_AGE_SECONDS = 1_728_000;

    /// No page of another origin may.
    public static final Cors NONE = new Cors(Set.of(), null, METHODS, HEADERS, EXPOSED, 0, false);

    private static final String ANY = "*";

    public Cors {
      origins = Set.copyOf(origins);
    }

    /// @param origins `*`, `/pattern/`, or origins separated by commas
    /// @throws IllegalArgumentException for no pattern, and for what is no origin
    public static Cors of(
        String origins,
        String methods,
        String headers,
        String exposed,
        long maxAgeSeconds,
        boolean allowsCredentials) {
      boolean isPattern = origins.length() > 1 && origins.startsWith("/") && origins.endsWith("/");
      Pattern pattern = null;
      if (isPattern) {
        try {
          pattern = Pattern.compile(origins.substring(1, origins.length() - 1));
        } catch (PatternSyntaxException e) {
          throw new IllegalArgumentException("it is no pattern: " + e.getDescription(), e);
        }
      }
      List<String> named = isPattern ? List.of() : parts(origins);
      for (String origin : named) {
        if (!origin.equals(ANY) && URI.create(origin).getRawAuthority() == null) {
          throw new IllegalArgumentException(
              "it is *, /a pattern/ or origins, for example https://app.example");
        }
      }
      return new Cors(
          new TreeSet<>(named),
          pattern,
          methods,
          headers,
          exposed,
          maxAgeSeconds,
          allowsCredentials);
    }

    /// Whether any origin is named.
    public boolean isOn() {
      return !origins.isEmpty() || pattern != null;
    }

    public boolean allows(String origin) {
      return origins.contains(ANY)
          || origins.contains(origin)
          || (pattern != null && pattern.matcher(origin).matches());
    }

    /// What a browser is told that may show an answer to a page of that origin.
    public List<Header> answering(String origin) {
      List<Header> told = new ArrayList<>();
      boolean isForAll = origins.contains(ANY) && !allowsCredentials;
      told.add(new Header("Access-Control-Allow-Origin", isForAll ? ANY : origin));
      if (!isForAll) {
        told.add(new Header("Vary", "Origin"));
      }
      if (allowsCredentials) {
        told.add(new Header("Access-Control-Allow-Credentials", "true"));
      }
      if (!exposed.isEmpty()) {
        told.add(new Header("Access-Control-Expose-Headers", exposed));
      }
      return told;
    }

    /// What a browser is told that asks before it sends a request.
    public List<Header> asked() {
      return List.of(
          new Header("Access-Control-Allow-Methods", methods),
          new Header("Access-Control-Allow-Headers", headers),
          new Header("Access-Control-Max-Age", Long.toString(maxAgeSeconds)));
    }
  }
}
