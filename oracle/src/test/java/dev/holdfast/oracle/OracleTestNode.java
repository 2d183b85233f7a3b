package dev.holdfast.oracle;

import dev.holdfast.node.Node;
import dev.holdfast.settings.NodeSettings;
import dev.holdfast.world.World;
import java.nio.file.Path;

/// A whole node over a folder, on a free port.
record OracleTestNode(Node node) implements AutoCloseable {
  static OracleTestNode start(Path folder) throws Exception {
    NodeSettings settings = NodeSettings.defaults(folder);
    return new OracleTestNode(Node.start(settings.at(0, settings.store()), World.real(), _ -> {}));
  }

  String url() {
    return "http://" + node.identity().address();
  }

  @Override
  public void close() {
    node.close();
  }
}
