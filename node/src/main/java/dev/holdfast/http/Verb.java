package dev.holdfast.http;

import org.jspecify.annotations.Nullable;

/// An HTTP method that a route can serve.
public enum Verb {
  GET,
  POST,
  PUT,
  DELETE,
  HEAD,
  OPTIONS;

  /// The method of that name, or null for those no API uses.
  public static @Nullable Verb of(String name) {
    return switch (name) {
      case "GET" -> GET;
      case "POST" -> POST;
      case "PUT" -> PUT;
      case "DELETE" -> DELETE;
      case "HEAD" -> HEAD;
      case "OPTIONS" -> OPTIONS;
      default -> null;
    };
  }
}
