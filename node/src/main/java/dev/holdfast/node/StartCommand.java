package dev.holdfast.node;

import dev.holdfast.api.script.ScriptContexts;
import dev.holdfast.script.ScriptRules;
import dev.holdfast.settings.NodeSettings;
import dev.holdfast.settings.Setting;
import dev.holdfast.settings.SettingsException;
import dev.holdfast.settings.SettingsReader;
import dev.holdfast.world.FromTheWorld;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
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
    usageHelpWidth = 120)
final class StartCommand implements Callable<Integer> {
  /// Settings that have an option of their own.
  private static final Set<String> OPTIONS =
      Set.of("port", "host", "data", "store", "roles", "heap", "flavor", "projects", "log.format");

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
      names = "--projects",
      paramLabel = "true",
      arity = "0..1",
      fallbackValue = "true",
      description = "whether requests may name a project")
  @Nullable String projects;

  @Option(
      names = "--log-format",
      paramLabel = "text",
      description = "lines for people (text), or an object of ECS each (json)")
  @Nullable String logFormat;

  @Option(names = "--config", paramLabel = "FILE", description = "a YAML file of settings")
  @Nullable Path config;

  @Option(names = "-E", paramLabel = "name=value", description = "any setting by its name")
  List<String> others = new ArrayList<>();

  /// What `--help` says below the options: each setting that has none, so that no name must be
  /// guessed.
  static String settingsHelp() {
    StringBuilder help =
        new StringBuilder(
            """

            Every setting may also stand in the environment (HOLDFAST_PORT, HOLDFAST_STORE, …) or in
            a YAML file (--config, HOLDFAST_CONFIG, ./holdfast.yml); the command line wins, then the
            environment, then the file. Settings for -E:

            """);
    for (Setting setting : Setting.ALL) {
      if (!OPTIONS.contains(setting.name())) {
        help.append(
            String.format(Locale.ROOT, "  %-42s%s%n", setting.name(), setting.description()));
      }
    }
    return help.toString();
  }

  @Override
  public Integer call() throws Exception {
    run(settings(), spec.commandLine().getOut());
    return 0;
  }

  /// Returns when the node was stopped from within.
  static void run(NodeSettings settings, PrintWriter out) throws Exception {
    TlsPreparation.begin(settings);
    Logging.configure(settings);
    warnOfVariables();
    settings.idle().forEach(LoggerFactory.getLogger(StartCommand.class)::warn);
    OpenFiles.require();
    NodeLauncher.run(settings, out);
  }

  /// @param given on the command line, by name
  @FromTheWorld
  static NodeSettings settings(Map<String, String> given, @Nullable Path config) {
    NodeSettings read =
        SettingsReader.read(given, System.getenv(), config, Path.of("").toAbsolutePath());
    requireContexts(read.scripts());
    return read;
  }

  /// Who names none, which is nearly everybody, does not load fifty classes of scripts for it.
  private static void requireContexts(ScriptRules rules) {
    List<String> unknown = rules.contexts().isEmpty() ? List.of() : ScriptContexts.unknown(rules);
    if (!unknown.isEmpty()) {
      throw new SettingsException(
          "setting [script.allowed_contexts] names " + unknown + ": GET /_script_context has all");
    }
  }

  @FromTheWorld
  static void warnOfVariables() {
    // Not before: the first logger that is asked for reads what the settings say of the log.
    Logger log = LoggerFactory.getLogger(StartCommand.class);
    SettingsReader.doubtful(System.getenv()).forEach(log::warn);
  }

  private NodeSettings settings() {
    try {
      NamedSettings given =
          new NamedSettings()
              .with("port", port)
              .with("host", host)
              .with("data", data)
              .with("store", store)
              .with("roles", roles)
              .with("heap", heap)
              .with("flavor", flavor)
              .with("projects", projects)
              .with("log.format", logFormat)
              .withAll(others);
      return settings(given.byName(), config);
    } catch (SettingsException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }
}
