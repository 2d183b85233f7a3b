package dev.holdfast.node;

import dev.holdfast.node.training.Training;
import dev.holdfast.node.training.TrainingBucket;
import dev.holdfast.settings.NodeSettings;
import dev.holdfast.settings.SettingsReader;
import dev.holdfast.world.FromTheWorld;
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
  /// Of the documents and searches, what is asked of nodes over a bucket.
  private static final double BUCKET_SHARE = 0.02;

  @Override
  @FromTheWorld
  public Integer call() throws Exception {
    Path folder = Files.createTempDirectory("holdfast-train");
    try {
      NodeSettings settings =
          NodeSettings.defaults(folder).at(0, "file:" + folder.resolve("store"));
      TlsPreparation.certificates(); // stores elsewhere need them
      Logging.configure(settings);
      StartCommand.warnOfVariables();
      try (Node node = Node.start(settings, RealWorld.create(), why -> {});
          Training training = training(node)) {
        String _ = NodeLauncher.ready(settings, node);
        training.run(1);
        visit(folder);
      }
      comeBack(folder);
    } finally {
      delete(folder);
    }
    return 0;
  }

  /// A second node joins the first and passes on what it is asked: nodes of a cluster have the
  /// calls between them in their start-up cache.
  private static void visit(Path folder) throws Exception {
    Map<String, String> store = Map.of("store", "file:" + folder.resolve("store"));
    try (Node proxy = start(folder, "proxy", "proxy", store);
        Training training = training(proxy)) {
      training.visit();
    }
  }

  /// A node comes back to a proxy and finds all that another left in a bucket, as after a time
  /// without a request. The client of S3, which most clusters use, is the largest library of all:
  /// without the start-up cache it takes as long to load as the rest of a node. Who starts the
  /// training sets credentials in the environment, where most nodes find theirs.
  private static void comeBack(Path folder) throws Exception {
    try (TrainingBucket bucket = TrainingBucket.start()) {
      Map<String, String> store =
          Map.of(
              "store", "s3://train/train",
              "store.s3.endpoint", bucket.endpoint(),
              "store.s3.region", "us-east-1");
      try (Node proxy = start(folder, "bucket-proxy", "proxy", store);
          Training training = training(proxy)) {
        try (Node _ = start(folder, "bucket", "index,search", store)) {
          training.run(BUCKET_SHARE);
        }
        Map<String, String> provisioned = new TreeMap<>(store);
        provisioned.put("autoscaling.provisioner", "process"); // as the node has that starts it
        try (Node _ = start(folder, "bucket", "index,search", provisioned)) {
          training.visit();
        }
      }
    }
  }

  private static Node start(Path folder, String name, String roles, Map<String, String> store)
      throws Exception {
    Map<String, String> given = new TreeMap<>(store);
    given.putAll(Map.of("port", "0", "roles", roles, "data", folder.resolve(name).toString()));
    given.put("cache.size", "256mb");
    return Node.start(
        SettingsReader.read(given, Map.of(), null, folder), RealWorld.create(), why -> {});
  }

  private static Training training(Node node) {
    return new Training("http://" + node.identity().address());
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
