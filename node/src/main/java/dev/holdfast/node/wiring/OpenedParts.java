package dev.holdfast.node.wiring;

import dev.holdfast.translog.Log;
import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What was opened, closed in reverse order.
public final class OpenedParts implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(OpenedParts.class);

  private record Part(String name, AutoCloseable closing) {}

  private final Deque<Part> parts = new ArrayDeque<>();

  /// @return `part`
  public synchronized <T extends AutoCloseable> T opened(String name, T part) {
    parts.push(new Part(name, part));
    return part;
  }

  /// All of them, whichever fail.
  @Override
  public synchronized void close() {
    while (!parts.isEmpty()) {
      Part part = parts.pop();
      LOG.debug("closing [part={}]", part.name());
      try {
        part.closing().close();
      } catch (Log.EvictedException e) {
        LOG.debug("an evicted node has nothing to finish [part={}]", part.name(), e);
      } catch (Exception e) {
        LOG.warn("could not be closed cleanly [part={}, why={}]", part.name(), e.toString());
        LOG.debug("could not be closed cleanly [part={}]", part.name(), e);
      }
    }
  }
}
