package dev.holdfast.clusterstate.membership;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.Metadata;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The newest cluster state known to this node, and those who follow it. States are taken in the
/// order of their versions, which grow across terms; an older one changes nothing.
final class PublishedState {
  private static final Logger LOG = LoggerFactory.getLogger(PublishedState.class);

  private final List<Metadata.Listener> listeners = new ArrayList<>();
  private volatile ClusterState current;

  PublishedState(ClusterState first) {
    this.current = first;
  }

  ClusterState current() {
    return current;
  }

  synchronized void listen(Metadata.Listener listener) {
    listener.changed(current, current);
    listeners.add(listener);
  }

  /// Makes `now` the current state unless it is older; returns when all listeners know it.
  synchronized void publish(ClusterState now) {
    ClusterState before = current;
    if (now.version() <= before.version()) {
      return;
    }
    current = now;
    for (Metadata.Listener listener : listeners) {
      try {
        listener.changed(before, now);
      } catch (RuntimeException | Error e) {
        LOG.error("a listener failed on a new cluster state [version={}]", now.version(), e);
      }
    }
  }
}
