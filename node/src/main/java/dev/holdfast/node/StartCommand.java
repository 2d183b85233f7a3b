package dev.holdfast.node;

import dev.holdfast.settings.NodeSettings;
import dev.holdfast.settings.SettingsException;
import dev.holdfast.settings.SettingsReader;
import dev.holdfast.world.FromTheWorld;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `holdfast start`: runs a node until it is told to stop.
@Command(
    name = "start",
    description = "Starts a node.",
    mixinStandardHelpOptions = true,
    versionProvider = Main.VersionText.class,
    sortOptions = false,
    footer = {
      "",
      "Every setting may also stand in the environment (HOLDFAST_PORT, HOLDFAST_STORE, …)",
      "or in a YAML file (--config, HOLDFAST_CONFIG, ./holdfast.yml); the command line wins,",
      "then the environment, then the file.",
      "More settings for -E: cluster.name, node.name, http.max_content_length, cache.size,",
      "telemetry.tracing.enabled, otel.exporter.otlp.endpoint, log.level, store.s3.endpoint, store.s3.region,"
          + " store.s3.path_style,",
      "store.gcs.endpoint, store.azure.endpoint, store.azure.connection_string,",
      "network.publish_host, network.compress, and timings: cluster.beat_every, cluster.drain_max,"
          + " …"
    })
final class StartCommand implements Callable<Integer> {
  @Spec CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--port",
      paramLabel = "9200",
      description = "the port to serve on; 0 for a free one")
  @Nullable String port;

  @Option(names = "--host", paramLabel = "127.0.0.1", description = "the address to serve on")
  @Nullable String host;

  @Option(
      names = "--data",
      paramLabel = "./data",
      description = "the folder of caches, and of the store by default")
  @Nullable String data;

  @Option(
      names = "--store",
      paramLabel = "file:…",
      description = "where all data lives: file:path, s3://bucket/prefix, gs://…, az://…, memory:")
  @Nullable String store;

  @Option(
      names = "--roles",
      paramLabel = "all",
      description = "what this node does: all, or index, search, proxy")
  @Nullable String roles;

  @Option(
      names = "--heap",
      paramLabel = "1g",
      description = "the Java heap; by the machine's memory when absent")
  @Nullable String heap;

  @Option(
      names = "--flavor",
      paramLabel = "serverless",
      description = "what GET / says this is: serverless or default")
  @Nullable String flavor;

  @Option(
      names = "--log-format",
      paramLabel = "text",
      description = "lines for people (text), or an object of ECS each (json)")
  @Nullable String logFormat;

  @Option(names = "--config", paramLabel = "FILE", description = "a YAML file of settings")
  @Nullable Path config;

  @Option(names = "-E", paramLabel = "name=value", description = "any setting by its name")
  Map<String, String> others = new LinkedHashMap<>();

  @Override
  public Integer call() throws Exception {
    NodeSettings settings = settings();
    Logging.configure(settings);
    warnOfVariables();
    NodeLauncher.run(settings, spec.commandLine().getOut());
    return 0;
  }

  @FromTheWorld
  private static void warnOfVariables() {
    // Not before: the first logger that is asked for reads what the settings say of the log.
    Logger log = LoggerFactory.getLogger(StartCommand.class);
    SettingsReader.doubtful(System.getenv()).forEach(log::warn);
  }

  @FromTheWorld
  private NodeSettings settings() {
    Map<String, String> given = new LinkedHashMap<>();
    put(given, "port", port);
    put(given, "host", host);
    put(given, "data", data);
    put(given, "store", store);
    put(given, "roles", roles);
    put(given, "heap", heap);
    put(given, "flavor", flavor);
    put(given, "log.format", logFormat);
    given.putAll(others);
    try {
      return SettingsReader.read(given, System.getenv(), config, Path.of("").toAbsolutePath());
    } catch (SettingsException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  private static void put(Map<String, String> given, String name, @Nullable String value) {
    if (value != null) {
      given.put(name, value);
    }
  }
}
