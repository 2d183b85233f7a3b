package dev.holdfast.objectstore.open;

import dev.holdfast.objectstore.StoreException;
import java.net.URI;
import java.util.Map;
import java.util.SortedMap;

/// What a person named as the store, looked at before it is used: in words of ours, and without
/// saying again what may be secret.
final class StoreAddresses {
  private static final String ENDPOINT = ".endpoint";

  private StoreAddresses() {}

  /// @throws StoreException.Denied for a URL that holds a user or password, and for an endpoint
  ///   that is no HTTP URL
  static void check(String url, SortedMap<String, String> options) throws StoreException {
    int authority = url.indexOf("://");
    if (authority >= 0 && hasUser(url.substring(authority + 3))) {
      throw new StoreException.Denied(
          "the store's URL holds a user or password, which anybody can read in the list of"
              + " processes: give it in the environment or in a file",
          null);
    }
    for (Map.Entry<String, String> option : options.entrySet()) {
      if (option.getKey().endsWith(ENDPOINT)) {
        checkEndpoint(option.getKey(), option.getValue());
      }
    }
  }

  private static boolean hasUser(String rest) {
    int slash = rest.indexOf('/');
    return (slash < 0 ? rest : rest.substring(0, slash)).indexOf('@') >= 0;
  }

  private static void checkEndpoint(String name, String value) throws StoreException {
    if (value.indexOf('@') >= 0) {
      throw new StoreException.Denied(
          "setting [" + name + "] holds a user or password: give it in the environment", null);
    }
    URI address;
    try {
      address = URI.create(value);
    } catch (IllegalArgumentException e) {
      throw noUrl(name, value, e);
    }
    String scheme = String.valueOf(address.getScheme());
    boolean isHttp = scheme.equalsIgnoreCase("http") || scheme.equalsIgnoreCase("https");
    if (!isHttp || address.getHost() == null) {
      throw noUrl(name, value, null);
    }
  }

  private static StoreException.Denied noUrl(
      String name, String value, @org.jspecify.annotations.Nullable Throwable why) {
    return new StoreException.Denied(
        "setting [" + name + "] is no URL, for example https://host:9000: [" + value + "]", why);
  }
}
