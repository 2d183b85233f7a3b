package dev.holdfast.node;

import dev.holdfast.node.settings.NodeSettings;
import dev.holdfast.node.training.Training;
import dev.holdfast.world.FromTheWorld;
import dev.holdfast.world.World;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;

/// `holdfast train`: starts a node that keeps nothing, asks it what nodes are asked, and ends: what
/// the Java machine then knows becomes the start-up cache.
@Command(name = "train", hidden = true)
final class TrainCommand implements Callable<Integer> {
  @Override
  @FromTheWorld
  public Integer call() throws Exception {
    Path folder = Files.createTempDirectory("holdfast-train");
    try {
      NodeSettings settings =
          NodeSettings.defaults(folder).at(0, "file:" + folder.resolve("store"));
      Logging.configure(settings);
      try (Node node = Node.start(settings, World.real(), why -> {});
          Training training = new Training("http://" + node.identity().address())) {
        training.run(1);
      }
    } finally {
      delete(folder);
    }
    return 0;
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
