package dev.holdfast.node;

import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.StoreException;
import dev.holdfast.objectstore.open.Stores;
import dev.holdfast.objectstore.retry.Retrying;
import dev.holdfast.settings.NodeSettings;
import dev.holdfast.settings.SettingsException;
import dev.holdfast.settings.SettingsReader;
import dev.holdfast.world.FromTheWorld;
import dev.holdfast.world.World;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// Which store a command is about: named as for `start`, on the command line, in the environment or
/// in a file.
final class StoreOptions {
  /// Tries of a request before a command gives up.
  private static final int TRIES_MAX = 5;

  @Spec(Spec.Target.MIXEE)
  CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--store",
      paramLabel = "file:…",
      description = "the store: file:path, s3://bucket/prefix, gs://…, az://…")
  @Nullable String store;

  @Option(
      names = "--data",
      paramLabel = "./data",
      description = "the folder whose store it is, when --store is absent")
  @Nullable String data;

  @Option(names = "--config", paramLabel = "FILE", description = "a YAML file of settings")
  @Nullable Path config;

  @Option(names = "-E", paramLabel = "name=value", description = "any setting by its name")
  List<String> others = new ArrayList<>();

  /// The settings of a node over that store.
  @FromTheWorld
  NodeSettings settings() {
    try {
      Map<String, String> given =
          new NamedSettings().with("store", store).with("data", data).withAll(others).byName();
      return SettingsReader.read(given, System.getenv(), config, Path.of("").toAbsolutePath());
    } catch (SettingsException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  /// Opens the store; whoever opened it closes it. A request that the store does not answer is
  /// tried a few times.
  ObjectStore open(NodeSettings settings, World world) throws StoreException {
    return Retrying.atMost(
        Stores.open(settings.store(), settings.storeOptions(), world), world, TRIES_MAX);
  }

  /// The same, for what looks at a store that must be there: it is not made.
  ObjectStore openExisting(NodeSettings settings, World world) throws IOException {
    if (Stores.isMissingFolder(settings.store())) {
      throw new IOException("there is no such folder: [" + settings.store() + "]");
    }
    return open(settings, world);
  }
}
