package dev.holdfast.node;

import dev.holdfast.node.training.Training;
import dev.holdfast.node.training.TrainingBucket;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.open.StoreProbe;
import dev.holdfast.objectstore.open.Stores;
import dev.holdfast.settings.NodeSettings;
import dev.holdfast.settings.SettingsReader;
import dev.holdfast.world.FromTheWorld;
import dev.holdfast.world.World;
import dev.holdfast.world.real.RealWorld;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
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
      StartCommand.warnOfVariables();
      try (Node node = Node.start(settings, RealWorld.create(), why -> {});
          Training training = new Training("http://" + node.identity().address())) {
        String _ = NodeLauncher.ready(settings, node);
        training.run(1);
        visit(folder);
      }
      probeBucket();
    } finally {
      delete(folder);
    }
    return 0;
  }

  /// A second node joins the first and passes on what it is asked: nodes of a cluster have the
  /// calls between them in their start-up cache.
  private static void visit(Path folder) throws Exception {
    NodeSettings settings =
        SettingsReader.read(
            Map.of(
                "port",
                "0",
                "roles",
                "proxy",
                "data",
                folder.resolve("proxy").toString(),
                "store",
                "file:" + folder.resolve("store")),
            Map.of(),
            null,
            folder);
    try (Node proxy = Node.start(settings, RealWorld.create(), why -> {});
        Training training = new Training("http://" + proxy.identity().address())) {
      training.visit();
    }
  }

  /// The client of S3, which most clusters use, is the largest library of all: without the start-up
  /// cache it takes as long to load as the rest of a node.
  @FromTheWorld
  private static void probeBucket() throws Exception {
    System.setProperty("aws.accessKeyId", "train");
    System.setProperty("aws.secretAccessKey", "train");
    World world = RealWorld.create();
    try (TrainingBucket bucket = TrainingBucket.start();
        ObjectStore store =
            Stores.open(
                "s3://train/train",
                new TreeMap<>(
                    Map.of("store.s3.endpoint", bucket.endpoint(), "store.s3.region", "us-east-1")),
                world)) {
      StoreProbe.check(store, world);
    } finally {
      world.tasks().close();
    }
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
