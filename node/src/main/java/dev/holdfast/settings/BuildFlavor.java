package dev.holdfast.settings;

import java.util.Locale;

/// What `GET /` says the server is built as; some clients choose their calls by it.
public enum BuildFlavor {
  SERVERLESS,
  DEFAULT;

  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
