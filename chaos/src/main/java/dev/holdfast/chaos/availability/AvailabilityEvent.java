package dev.holdfast.chaos.availability;

import dev.holdfast.chaos.node.ClusterNodes;
import dev.holdfast.chaos.node.NodeProcess;
import java.io.IOException;
import java.util.List;
import java.util.Random;

/// What may happen to one node of a cluster while probers ask it.
enum AvailabilityEvent {
  /// `kill -9` of the node that leads.
  LEADER_KILL(Victim.LEADER, Deed.KILL),
  /// `kill -9` of an indexing node that does not lead.
  INDEX_KILL(Victim.INDEX, Deed.KILL),
  SEARCH_KILL(Victim.SEARCH, Deed.KILL),
  /// SIGSTOP, and SIGCONT after a while.
  LEADER_FREEZE(Victim.LEADER, Deed.FREEZE),
  INDEX_FREEZE(Victim.INDEX, Deed.FREEZE),
  SEARCH_FREEZE(Victim.SEARCH, Deed.FREEZE),
  /// A node is told to give its shards away: they move.
  INDEX_DRAIN(Victim.INDEX, Deed.DRAIN),
  SEARCH_DRAIN(Victim.SEARCH, Deed.DRAIN),
  /// A node is stopped in order.
  LEADER_SIGTERM(Victim.LEADER, Deed.STOP),
  INDEX_SIGTERM(Victim.INDEX, Deed.STOP),
  SEARCH_SIGTERM(Victim.SEARCH, Deed.STOP),
  /// A node is added, and shards move to it.
  INDEX_JOIN(Victim.NEW_INDEX, Deed.JOIN),
  SEARCH_JOIN(Victim.NEW_SEARCH, Deed.JOIN),
  /// A node that was killed, stopped or drained before is started again on its folder.
  RESTART(Victim.NONE, Deed.RESTART);

  /// Those that can be asked for; the rest follow from them.
  static final List<AvailabilityEvent> CHOICE =
      java.util.Arrays.stream(values()).filter(event -> event != RESTART).toList();

  private enum Victim {
    LEADER,
    INDEX,
    SEARCH,
    NEW_INDEX,
    NEW_SEARCH,
    NONE
  }

  /// What is done to it.
  enum Deed {
    KILL,
    FREEZE,
    DRAIN,
    STOP,
    JOIN,
    RESTART
  }

  private final Victim victim;
  private final Deed deed;

  AvailabilityEvent(Victim victim, Deed deed) {
    this.victim = victim;
    this.deed = deed;
  }

  Deed deed() {
    return deed;
  }

  /// The role of the node that it adds.
  String role() {
    return victim == Victim.NEW_INDEX ? "index" : "search";
  }

  /// The node that it happens to.
  NodeProcess victim(ClusterNodes nodes, Random dice) throws IOException, InterruptedException {
    NodeProcess leader = nodes.leader();
    if (victim == Victim.LEADER) {
      return leader;
    }
    List<NodeProcess> ofRole =
        nodes.all().stream()
            .filter(node -> node.toString().startsWith(victim == Victim.INDEX ? "index" : "search"))
            .toList();
    List<NodeProcess> others = ofRole.stream().filter(node -> node != leader).toList();
    List<NodeProcess> among = others.isEmpty() ? ofRole : others;
    return among.get(dice.nextInt(among.size()));
  }
}
