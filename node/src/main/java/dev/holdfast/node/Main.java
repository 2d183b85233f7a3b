package dev.holdfast.node;

import dev.holdfast.identity.Version;
import dev.holdfast.settings.NodeSettings;
import dev.holdfast.settings.SettingsException;
import dev.holdfast.world.FromTheWorld;
import dev.holdfast.world.Suggestions;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.ParameterException;

/// The command line. Every error is one line on standard error and an exit status other than 0.
@Command(
    name = "holdfast",
    description = "A serverless search engine that keeps all its data in an object store.",
    subcommands = {StartCommand.class, StoreCommand.class, TrainCommand.class},
    mixinStandardHelpOptions = true,
    versionProvider = Main.VersionText.class,
    synopsisSubcommandLabel = "COMMAND")
public final class Main {
  static final int EXIT_USAGE = 2;

  /// Somebody must act before it can start: the cluster state in the store is not whole, or of a
  /// newer format, or of a version that this build does not speak. Not 3, with which the Java
  /// machine ends when it is out of memory.
  static final int EXIT_HELPLESS = 4;

  /// In training as in earnest, or the start-up cache would not hold what it takes.
  private static final Set<String> RUN_NODES = Set.of("start", "train");

  private Main() {}

  @FromTheWorld
  public static void main(String[] arguments) {
    CarrierThreads.allow();
    if (arguments.length > 0 && RUN_NODES.contains(arguments[0])) {
      // Who looks for the first class or service that the start-up cache does not hold waits until
      // the list of all that is in the jar is read, which takes a cold Java machine long.
      Runnable look =
          () -> {
            var _ = Main.class.getResource("/-");
          };
      var _ = Thread.ofPlatform().daemon().name("jar").start(look);
      TlsPreparation.begin();
    }
    System.exit(arguments.length == 1 ? runAlone(arguments[0]) : run(null, arguments));
  }

  /// A command without options. Nodes start each other with one, and for what the command line of
  /// `start` may hold a cold Java machine reads for a tenth of a second.
  @FromTheWorld
  private static int runAlone(String command) {
    if (!command.equals("start")) {
      return run(null, command);
    }
    NodeSettings settings;
    try {
      settings = StartCommand.settings(Map.of(), null);
    } catch (SettingsException e) {
      return run(null, command); // which says so, and how it is used
    }
    try {
      StartCommand.run(settings, new PrintWriter(System.out, true, System.out.charset()));
      return 0;
    } catch (Exception e) {
      return failed(e, new PrintWriter(System.err, true, System.err.charset()));
    }
  }

  /// @param both where all is said, or null for standard output and standard error
  /// @return the exit status
  static int run(@Nullable PrintWriter both, String... arguments) {
    CommandLine command = new CommandLine(new Main());
    CommandLine start = Objects.requireNonNull(command.getSubcommands().get("start"));
    start
        .getHelpSectionMap()
        .put(UsageMessageSpec.SECTION_KEY_FOOTER, _ -> StartCommand.settingsHelp());
    if (both != null) {
      command.setOut(both).setErr(both);
    }
    command.setParameterExceptionHandler(Main::wrongUse);
    command.setExecutionExceptionHandler((failure, where, _) -> failed(failure, where.getErr()));
    command.setCaseInsensitiveEnumValuesAllowed(true);
    return command.execute(arguments);
  }

  private static int failed(Exception failure, PrintWriter err) {
    err.println("holdfast: " + StartFailure.sentence(failure));
    return StartFailure.isHelpless(failure) ? EXIT_HELPLESS : 1;
  }

  private static int wrongUse(ParameterException wrong, String[] arguments) {
    PrintWriter err = wrong.getCommandLine().getErr();
    String message = String.valueOf(wrong.getMessage()).lines().findFirst().orElse("wrong use");
    String command = wrong.getCommandLine().getCommandSpec().qualifiedName();
    err.println("holdfast: " + message + hint(wrong) + " (see " + command + " --help)");
    return EXIT_USAGE;
  }

  private static String hint(ParameterException wrong) {
    if (!(wrong instanceof CommandLine.UnmatchedArgumentException unmatched)) {
      return "";
    }
    List<String> names = new ArrayList<>(wrong.getCommandLine().getSubcommands().keySet());
    wrong.getCommandLine().getCommandSpec().optionsMap().keySet().forEach(names::add);
    List<String> near = Suggestions.near(unmatched.getUnmatched().getFirst(), names);
    return near.isEmpty() ? "" : ", did you mean " + near.getFirst() + "?";
  }

  static final class VersionText implements IVersionProvider {
    @Override
    public String[] getVersion() {
      return new String[] {"holdfast " + Version.CURRENT.holdfast()};
    }
  }
}
