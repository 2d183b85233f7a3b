package dev.holdfast.search.context;

import dev.holdfast.search.node.SearchNodes;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.World;
import java.io.IOException;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Readers that nodes keep for the fetch phase of a search, by the name it has there.
public final class KeptReaders {
  private static final Logger LOG = LoggerFactory.getLogger(KeptReaders.class);

  private final World world;
  private final SearchNodes nodes;
  private final Map<String, Set<String>> searches = new TreeMap<>();

  public KeptReaders(World world, SearchNodes nodes) {
    this.world = world;
    this.nodes = nodes;
  }

  public void add(String member, String search) {
    searches.computeIfAbsent(member, _ -> new HashSet<>()).add(search);
  }

  /// Nothing is kept there, or will be.
  public void remove(String member, String search) {
    Set<String> ofMember = searches.get(member);
    if (ofMember != null) {
      ofMember.remove(search);
    }
  }

  /// Lets nodes go whose readers were not used up by a fetch phase; waits for none of them.
  public void release() {
    searches.forEach((member, ofMember) -> {
      for (String search : ofMember) {
        var _ = world.tasks().start("release-search", () -> release(member, search));
      }
    });
  }

  private void release(String member, String search) throws InterruptedException {
    try {
      nodes.member(member).release(search);
    } catch (IOException | Refusal e) {
      LOG.debug(
          "a search could not be ended, its readers close by themselves [node={}]", member, e);
    }
  }
}
