package dev.holdfast.http;

import com.linecorp.armeria.common.FlagsProvider;

/// What the HTTP library does otherwise by default. It finds this as a service.
public final class LibraryFlags implements FlagsProvider {
  /// Of those that are asked, between the system's properties and the library.
  private static final int PRIORITY = 0;

  /// A client that asked for `Connection: close` reads until the connection is closed; three
  /// seconds by default. Long enough for one that is refused while it still sends to read why.
  private static final long CLOSE_AFTER_MILLIS = 50;

  @Override
  public int priority() {
    return PRIORITY;
  }

  @Override
  public Long defaultHttp1ConnectionCloseDelayMillis() {
    return CLOSE_AFTER_MILLIS;
  }
}
