package dev.holdfast.objectstore.azure;

import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.ObjectStoreContract;
import dev.holdfast.objectstore.TestServer;
import dev.holdfast.objectstore.open.Stores;
import dev.holdfast.objectstore.retry.Retrying;
import dev.holdfast.world.World;
import java.util.UUID;

/// The store in a bucket of Azure keeps the contract.
final class AzureStoreTest implements ObjectStoreContract {
  @Override
  public ObjectStore store() throws Exception {
    TestServer server = TestServer.shared(TestServer.Kind.AZURITE);
    String url = server.url("b" + UUID.randomUUID().toString().replace("-", "")) + "/some/prefix";
    World world = World.real();
    return Retrying.atMost(Stores.open(url, server.options(), world), world, 12);
  }

  @Override
  public int rounds() {
    return 8;
  }
}
