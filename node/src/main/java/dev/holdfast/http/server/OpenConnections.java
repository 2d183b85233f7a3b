package dev.holdfast.http.server;

import java.net.SocketAddress;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/// The connections that are open, and the requests that came by each: those of a client that goes
/// away hear of it at once, not when their answer can't be sent.
///
/// A connection is known by the client's address and port, which no two have at a time.
final class OpenConnections {
  private final ConcurrentMap<SocketAddress, Connection> open = new ConcurrentHashMap<>();
  private final LongAdder closedAsSlow = new LongAdder();

  /// A request that came by a connection.
  interface Request {
    /// The client has gone.
    void left();
  }

  /// What is known of one.
  static final class Connection {
    private final Set<Request> requests = ConcurrentHashMap.newKeySet();

    /// Whether a request has come and is not answered.
    boolean isBusy() {
      return !requests.isEmpty();
    }
  }

  Connection opened(SocketAddress client) {
    Connection connection = new Connection();
    open.put(client, connection);
    return connection;
  }

  void closed(SocketAddress client, Connection connection) {
    if (open.remove(client, connection)) {
      connection.requests.forEach(Request::left);
    }
  }

  /// A request has come; it hears at once when its client has already gone.
  void begin(SocketAddress client, Request request) {
    Connection connection = open.get(client);
    if (connection != null) {
      connection.requests.add(request);
    }
    if (connection == null || open.get(client) != connection) {
      request.left();
    }
  }

  void end(SocketAddress client, Request request) {
    @Nullable Connection connection = open.get(client);
    if (connection != null) {
      boolean _ = connection.requests.remove(request);
    }
  }

  void noteSlow() {
    closedAsSlow.increment();
  }

  /// Connections closed since start because their clients were too slow.
  long closedAsSlow() {
    return closedAsSlow.sum();
  }
}
