package dev.holdfast.search.coordination;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.Member;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.Role;
import dev.holdfast.search.node.NodeQuestion;
import dev.holdfast.search.node.SearchNodes;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.World;
import dev.holdfast.world.concurrent.FanOut;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// All search nodes, asked side by side. A node that does not answer in time is left out: it is
/// about to leave the cluster.
public final class AllSearchNodes {
  private static final Logger LOG = LoggerFactory.getLogger(AllSearchNodes.class);

  private static final Duration WAIT_MAX = Duration.ofSeconds(5);

  private final World world;
  private final Metadata metadata;
  private final SearchNodes nodes;

  public AllSearchNodes(World world, Metadata metadata, SearchNodes nodes) {
    this.world = world;
    this.metadata = metadata;
    this.nodes = nodes;
  }

  /// The answers by the members' ids.
  public Map<String, ObjectNode> ask(NodeQuestion question, ObjectNode body) {
    List<String> ids = new ArrayList<>();
    for (Member member : metadata.current().members().values()) {
      if (member.roles().contains(Role.SEARCH)) {
        ids.add(member.id());
      }
    }
    List<Callable<ObjectNode>> asking = new ArrayList<>(ids.size());
    ids.forEach(id -> asking.add(() -> nodes.member(id).ask(question, body)));
    List<FanOut.Outcome<ObjectNode>> outcomes;
    try {
      outcomes = FanOut.of(world, "search-nodes").within(WAIT_MAX).outcomes(asking);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Refusal(ErrorType.TASK_CANCELLED, "interrupted while waiting for a node", e);
    }
    Map<String, ObjectNode> answers = new TreeMap<>();
    for (int i = 0; i < outcomes.size(); i++) {
      switch (outcomes.get(i)) {
        case FanOut.Done<ObjectNode>(ObjectNode answer) -> answers.put(ids.get(i), answer);
        case FanOut.Failed<ObjectNode>(Throwable why) ->
            LOG.debug("a search node does not answer [node={}]", ids.get(i), why);
        case FanOut.Late<ObjectNode> _ ->
            LOG.debug("a search node does not answer in time [node={}]", ids.get(i));
      }
    }
    return answers;
  }
}
