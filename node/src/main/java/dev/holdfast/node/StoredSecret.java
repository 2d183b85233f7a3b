package dev.holdfast.node;

import dev.holdfast.clusterstate.membership.ClusterSecret;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.rpc.RpcNetwork;
import dev.holdfast.world.Ids;
import java.io.IOException;

/// The secret of the cluster as it lies in its store.
record StoredSecret(ObjectStore store, Ids ids) implements RpcNetwork.SecretSource {
  @Override
  public byte[] read() throws IOException {
    return ClusterSecret.read(store, ids);
  }

  @Override
  public byte[] change() throws IOException {
    return ClusterSecret.change(store, ids);
  }
}
