package dev.holdfast.http.server;

import java.net.SocketAddress;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The connections that are open, and the requests that came by each: those of a client that goes
/// away hear of it at once, not when their answer can't be sent.
///
/// What has come by a connection and is not answered to its last byte takes memory, requests that
/// were refused among it: clients may send ahead of their answers, and read none of them. All of it
/// is bounded. Beyond that, a connection that has more than its share is closed when it sends more.
///
/// When there are as many connections as may be, the one makes room for another that has sent no
/// request for the longest. Else whoever opens many and sends nothing would keep all others out, a
/// probe and the cluster's nodes among them.
///
/// A connection is known by the client's address and port, which no two have at a time.
final class OpenConnections {
  /// What a request takes that nobody works on.
  static final long REQUEST_BYTES = 8 << 10;

  /// What each may have: the next of a client may come a moment before the last has been counted
  /// out.
  private static final int SHARE_MIN = 2;

  /// Requests that have come and are not answered, for each processor: what it begins within a
  /// second or so. A large heap has room for more than there is time for.
  private static final int REQUESTS_BY_PROCESSOR = 1024;

  /// Of these, what each connection may have: clients of HTTP/2 send some side by side.
  private static final int REQUESTS_SHARE_MIN = 16;

  /// Of the requests that waited behind others of their connections, so many are worked on at a
  /// time, for each processor, whatever number of connections send ahead.
  private static final int BEHIND_BY_PROCESSOR = 4;

  /// Answers up to this go at once, whatever else has not gone.
  private static final int SMALL_BYTES = 64 << 10;

  private final ConcurrentMap<SocketAddress, Connection> open = new ConcurrentHashMap<>();
  private final LongAdder closedAsSlow = new LongAdder();
  private final int connectionsMax;
  private final long unansweredMax;
  private final AtomicLong unanswered = new AtomicLong();
  private final int requestsMax;
  private final AtomicInteger requests = new AtomicInteger();

  private final int behindMax;
  private final AtomicInteger behind = new AtomicInteger();

  /// Who waits until fewer of them are worked on, the longest waiting first. Guarded by itself.
  private final LinkedHashSet<Runnable> waiting = new LinkedHashSet<>();

  /// Those by which no request has come, the oldest first. Guarded by itself.
  private final LinkedHashSet<Connection> silent = new LinkedHashSet<>();

  /// @param connectionsMax how many are open, but for moments
  /// @param unansweredMax bytes of requests and answers that have not gone
  OpenConnections(int connectionsMax, long unansweredMax) {
    this(
        connectionsMax,
        unansweredMax,
        REQUESTS_BY_PROCESSOR * Runtime.getRuntime().availableProcessors(),
        BEHIND_BY_PROCESSOR * Runtime.getRuntime().availableProcessors());
  }

  /// @param requestsMax requests that are not answered, beyond which each connection has its share
  /// @param behindMax requests that were sent ahead and are worked on
  OpenConnections(int connectionsMax, long unansweredMax, int requestsMax, int behindMax) {
    this.behindMax = behindMax;
    this.connectionsMax = connectionsMax;
    this.unansweredMax = unansweredMax;
    this.requestsMax = requestsMax;
  }

  /// A request that came by a connection.
  interface Request {
    /// The client has gone.
    void left();
  }

  /// What is known of one.
  static final class Connection {
    private final Set<Request> requests = ConcurrentHashMap.newKeySet();
    private final AtomicLong unanswered = new AtomicLong();
    private final AtomicInteger count = new AtomicInteger();
    private volatile boolean isSilent = true;
    private volatile Consumer<String> closing = _ -> {};
    private volatile Runnable answered = () -> {};

    /// What the last request has said of its body. Belongs to the connection's event loop.
    private long bodyLength;

    /// Whether what comes waited behind others. The same.
    private boolean isBehind;

    /// @param close closes it, from any thread, and says why
    void closing(Consumer<String> close) {
      closing = close;
    }

    /// @param then told by any thread each time an answer has gone
    void onAnswered(Runnable then) {
      answered = then;
    }

    /// Closes it.
    void close(String why) {
      closing.accept(why);
    }

    /// @param waited whether what comes next waited behind others
    void behind(boolean waited) {
      isBehind = waited;
    }

    /// Requests that have come and are not answered.
    int count() {
      return count.get();
    }

    /// The length of the body that the last request has said it has, once; 0 when it has not.
    long takeBodyLength() {
      long length = bodyLength;
      bodyLength = 0;
      return length;
    }

    /// Whether a request has come and is not answered.
    boolean isBusy() {
      return !requests.isEmpty();
    }
  }

  /// What one request holds until its answer has gone.
  final class Unanswered implements AutoCloseable {
    private final @Nullable Connection connection;
    private long bytes;
    private final boolean isBehind;
    private boolean isWorkedOn;
    private boolean isClosed;

    Unanswered(@Nullable Connection connection, boolean isBehind) {
      this.connection = connection;
      this.isBehind = isBehind;
      hold(REQUEST_BYTES);
      if (connection != null) {
        requests.incrementAndGet();
        connection.count.incrementAndGet();
      }
    }

    /// Whether there is no room or no time for it and its connection has more than its share. One
    /// request of a connection has its answer.
    boolean isTooMuch() {
      Connection by = connection;
      int requestShare = Math.max(REQUESTS_SHARE_MIN, requestsMax / Math.max(1, open.size()));
      return by == null
          || (unanswered.get() > unansweredMax && by.unanswered.get() > share())
          || (requests.get() > requestsMax && by.count.get() > requestShare);
    }

    /// Notes an answer.
    ///
    /// @return whether there is room for it, which small ones always find; else nothing is noted
    boolean answer(long length) {
      if (length > SMALL_BYTES && unanswered.get() + length > unansweredMax) {
        return false;
      }
      hold(length);
      return true;
    }

    private synchronized void hold(long more) {
      if (!isClosed && connection != null) {
        bytes += more;
        unanswered.addAndGet(more);
        connection.unanswered.addAndGet(more);
      }
    }

    /// All of it has come: it is worked on.
    synchronized void begin() {
      if (isBehind && !isClosed && !isWorkedOn) {
        isWorkedOn = true;
        behind.incrementAndGet();
      }
    }

    /// The answer is there, and has not gone yet.
    void answered() {
      if (isNoLongerWorkedOn()) {
        behind.decrementAndGet();
        tellNext();
      }
    }

    private synchronized boolean isNoLongerWorkedOn() {
      boolean was = isWorkedOn;
      isWorkedOn = false;
      return was;
    }

    /// Ends the connection at once.
    void closeConnection() {
      if (connection != null) {
        connection.close("too much was sent ahead of what is answered");
      }
    }

    @Override
    public void close() {
      answered();
      letGo();
    }

    private synchronized void letGo() {
      if (!isClosed && connection != null) {
        unanswered.addAndGet(-bytes);
        connection.unanswered.addAndGet(-bytes);
        requests.decrementAndGet();
        connection.count.decrementAndGet();
        connection.answered.run();
      }
      isClosed = true;
    }
  }

  int count() {
    return open.size();
  }

  /// A request has come.
  Unanswered come(SocketAddress client) {
    return new Unanswered(open.get(client), false);
  }

  /// The same, on the connection's event loop.
  ///
  /// @param bodyLength as it says; below 0 when it does not
  Unanswered come(SocketAddress client, long bodyLength) {
    Connection connection = open.get(client);
    if (connection != null) {
      connection.bodyLength = Math.max(0, bodyLength);
    }
    return new Unanswered(connection, connection != null && connection.isBehind);
  }

  /// Notes bytes of requests that have been read and have not come yet.
  ///
  /// @param more below 0 for fewer
  /// @return whether there is room for them, or the connection has no more than its share
  boolean hold(Connection connection, long more) {
    long all = unanswered.addAndGet(more);
    return connection.unanswered.addAndGet(more) <= share() || all <= unansweredMax;
  }

  /// Whether as many requests that were sent ahead are worked on as may be.
  boolean isBusy() {
    return behind.get() >= behindMax;
  }

  /// Waits until that is over and those that wait already have had their turn.
  ///
  /// @param goOn called once, by any thread; [#tellNext] is called again in its course
  void await(Runnable goOn) {
    synchronized (waiting) {
      waiting.add(goOn);
    }
    tellNext();
  }

  void awaitNoMore(Runnable goOn) {
    synchronized (waiting) {
      boolean _ = waiting.remove(goOn);
    }
  }

  void tellNext() {
    Runnable next = null;
    synchronized (waiting) {
      if (!waiting.isEmpty() && !isBusy()) {
        next = waiting.removeFirst();
      }
    }
    if (next != null) {
      next.run();
    }
  }

  private long share() {
    return Math.max(REQUEST_BYTES, unansweredMax / Math.max(1, open.size()));
  }

  /// Bytes of requests and answers that have not gone.
  long unanswered() {
    return unanswered.get();
  }

  Connection opened(SocketAddress client) {
    Connection connection = new Connection();
    open.put(client, connection);
    synchronized (silent) {
      silent.add(connection);
    }
    return connection;
  }

  /// The head of a request has come by a connection.
  void spoke(Connection connection) {
    if (connection.isSilent) {
      connection.isSilent = false;
      synchronized (silent) {
        boolean _ = silent.remove(connection);
      }
    }
  }

  /// Called when one more is open: where there are too many, one that is silent is closed, itself
  /// if there is no other.
  void makeRoom() {
    Connection oldest = null;
    synchronized (silent) {
      if (open.size() > connectionsMax) {
        oldest = silent.isEmpty() ? null : silent.removeFirst();
      }
    }
    if (oldest != null) {
      oldest.closing.accept("it has sent no request, and others want room");
    }
  }

  void closed(SocketAddress client, Connection connection) {
    spoke(connection);
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

  /// Whether a connection has its share of requests already that are worked on: more come while
  /// others' have not been answered.
  ///
  /// @param requests what all connections share
  boolean hasItsShare(SocketAddress client, long requests) {
    Connection connection = open.get(client);
    long share = Math.max(SHARE_MIN, requests / Math.max(1, open.size()));
    return connection != null && connection.requests.size() >= share;
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
