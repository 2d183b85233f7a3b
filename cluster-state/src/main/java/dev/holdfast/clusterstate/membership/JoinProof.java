package dev.holdfast.clusterstate.membership;

import dev.holdfast.objectstore.ObjectBody;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.open.StoreProbe;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.World;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// That a process which asks to join sees the store that the leader sees: it writes an object under
/// its own name, for which the leader looks. Lease and secret prove nothing: a copied bucket has
/// them, too, and they lead to the leader of the original, in whose cluster the process would
/// acknowledge what only the copy has.
final class JoinProof {
  private static final Logger LOG = LoggerFactory.getLogger(JoinProof.class);

  private final World world;
  private final ObjectStore store;
  private final String clusterName;

  /// Of the process that joins: whether it has written its object.
  private boolean isShown;

  JoinProof(Surroundings around) {
    this.world = around.world();
    this.store = around.store();
    this.clusterName = around.clusterName();
  }

  /// What a process that dies meanwhile leaves there goes with what probes leave.
  private static String key(String node) {
    return StoreProbe.FOLDER + node + "/joining";
  }

  /// Writes the object, the first time.
  void show(String node) throws IOException {
    if (!isShown) {
      var _ = store.put(key(node), ObjectBody.of(node.getBytes(StandardCharsets.UTF_8)));
      isShown = true;
    }
  }

  /// Deletes the object. Nobody waits for that: a store may refuse to delete for as long as it
  /// likes.
  void hide(String node) {
    if (isShown) {
      isShown = false;
      var _ = world.tasks().start("join-proof", () -> store.deleteAll(List.of(key(node))));
    }
  }

  /// @throws Refusal when the process sees another store: as if no leader lived here, because of
  ///   its store none does; when it has another name
  void require(MemberMessages.Join join) throws IOException {
    ClusterName.require(clusterName, join.clusterName());
    String node = join.member().id();
    if (!join.isShown() || store.get(key(node)).isPresent()) {
      return;
    }
    LOG.warn(
        "a node that asks to join sees another store, perhaps a copy of this one, and is not taken"
            + " in [node={}, address={}, store={}]",
        node,
        join.member().address(),
        store.name());
    throw new Refusal(
        ErrorType.NODE_CLOSED,
        "the node whom the lease names leads in another store, of which this one may be a copy"
            + " [its_store="
            + store.name()
            + "]");
  }
}
