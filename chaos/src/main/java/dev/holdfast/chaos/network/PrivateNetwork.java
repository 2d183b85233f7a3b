package dev.holdfast.chaos.network;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// Runs this program again where no packet gets in or out: in network, mount and process namespaces
/// of its own. When that program ends, however it ends, the kernel ends what it started and removes
/// its namespaces and devices.
public final class PrivateNetwork {
  /// Set for the program inside.
  private static final String INSIDE = "holdfast.chaos.inside";

  /// Named namespaces are files in /run: those made inside shall be seen inside only.
  private static final String PREPARE =
      "mount -t tmpfs tmpfs /run && ip link set lo up && exec \"$@\"";

  private PrivateNetwork() {}

  public static boolean isInside() {
    return Boolean.getBoolean(INSIDE);
  }

  /// Inside: ends with the program outside, which holds the other end of this one's input.
  public static void endWithOutside() {
    Thread.ofPlatform()
        .daemon()
        .name("outside")
        .start(() -> {
          try {
            while (System.in.read() >= 0) {
              // nobody writes; what counts is the end
            }
          } catch (IOException e) {
            System.err.println("the program outside is gone: " + e.getMessage());
          }
          Runtime.getRuntime().halt(1);
        });
  }

  /// What this machine lacks, if anything.
  public static Optional<String> missing() throws IOException {
    boolean isLinux = System.getProperty("os.name").toLowerCase(Locale.ROOT).contains("linux");
    int user = isLinux ? (int) Files.getAttribute(Path.of("/proc/self"), "unix:uid") : -1;
    return missing(isLinux, user, Files::exists);
  }

  static Optional<String> missing(boolean isLinux, int user, Predicate<Path> exists) {
    if (!isLinux) {
      return Optional.of("--network needs Linux: it has network namespaces");
    }
    if (user != 0) {
      return Optional.of("--network needs root: it makes network namespaces and devices");
    }
    if (!exists.test(Path.of("/dev/net/tun"))) {
      return Optional.of("--network needs /dev/net/tun");
    }
    return Stream.of("ip", "unshare")
        .filter(program ->
            Stream.of("/usr/sbin", "/usr/bin", "/sbin", "/bin")
                .noneMatch(folder -> exists.test(Path.of(folder, program))))
        .map(program -> "--network needs the program " + program + " (iproute2, util-linux)")
        .findFirst();
  }

  /// Runs the same command inside. Returns what it ended with.
  ///
  /// @param launcher builds what the nodes run while there is a network to fetch from
  /// @param main whose main method runs inside
  /// @param arguments of this program
  public static int run(Path launcher, Class<?> main, List<String> arguments)
      throws IOException, InterruptedException {
    int built =
        new ProcessBuilder(launcher.toString(), "start", "--help")
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start()
            .waitFor();
    if (built != 0) {
      throw new IOException(launcher + " does not start [code=" + built + "]");
    }
    Process inside =
        new ProcessBuilder(command(main, arguments))
            .inheritIO()
            .redirectInput(ProcessBuilder.Redirect.PIPE)
            .start();
    return inside.waitFor();
  }

  private static List<String> command(Class<?> main, List<String> arguments) {
    List<String> command =
        new ArrayList<>(
            List.of("unshare", "--net", "--mount", "--pid", "--mount-proc", "--kill-child"));
    command.addAll(List.of("sh", "-c", PREPARE, "sh"));
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    command.add("-D" + INSIDE + "=true");
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(arguments);
    return command;
  }
}
