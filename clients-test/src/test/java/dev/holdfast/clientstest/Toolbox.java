package dev.holdfast.clientstest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.world.TestRequirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.CRC32;

/// Where the clients of other languages are installed: a cache folder outside the tree, one folder
/// for each pinned state of their packages. A test without its runtime or packages is skipped, with
/// the reason; in continuous integration it fails.
final class Toolbox {
  private static final Duration CHECK_MAX = Duration.ofSeconds(20);

  /// Go compiles its client's whole typed API the first time.
  private static final Duration INSTALL_MAX = Duration.ofMinutes(12);

  private Toolbox() {}

  private interface Installation {
    Command run(Path folder) throws IOException, InterruptedException;
  }

  /// The Python of an environment with the pinned packages.
  static Path python(Path sources) throws IOException, InterruptedException {
    requireRuntime("python3", "-c", "import sys, venv; sys.exit(sys.version_info < (3, 10))");
    Path folder =
        installed(
            sources,
            List.of("requirements.txt"),
            into -> {
              Command made = Command.run(into, INSTALL_MAX, "python3", "-m", "venv", "venv");
              return made.isSuccess()
                  ? Command.run(
                      into,
                      INSTALL_MAX,
                      "venv/bin/python",
                      "-m",
                      "pip",
                      "install",
                      "-q",
                      "--no-deps",
                      "-r",
                      "requirements.txt")
                  : made;
            });
    return folder.resolve("venv/bin/python");
  }

  /// The script, beside its pinned modules.
  static Path javascript(Path sources) throws IOException, InterruptedException {
    requireRuntime("node", "-e", "process.exit(parseInt(process.versions.node) < 20 ? 1 : 0)");
    requireRuntime("npm", "--version");
    return installed(
            sources,
            List.of("package.json", "package-lock.json", "scenario.js"),
            into ->
                Command.run(
                    into, INSTALL_MAX, "npm", "ci", "--no-audit", "--no-fund", "--loglevel=error"))
        .resolve("scenario.js");
  }

  /// The program, built.
  static Path go(Path sources) throws IOException, InterruptedException {
    requireRuntime("go", "version");
    Path folder =
        installed(
            sources,
            List.of("go.mod", "go.sum", "scenario.go", "streams.go"),
            into -> Command.run(into, INSTALL_MAX, "go", "mod", "download"));
    Path program = folder.resolve("scenario");
    if (!Files.exists(program)) {
      Command built =
          Command.run(
              folder, INSTALL_MAX, "go", "build", "-mod=readonly", "-o", program.toString(), ".");
      assertThat(built.status()).as(built.output()).isZero();
    }
    return program;
  }

  private static void requireRuntime(String... words) throws IOException, InterruptedException {
    Command checked = Command.run(Path.of("").toAbsolutePath(), CHECK_MAX, words);
    TestRequirement.require(
        checked.isSuccess(), () -> words[0] + " is missing or too old: " + checked.output());
  }

  /// Copies the sources to a folder named after their content and installs there, once.
  private static Path installed(Path sources, List<String> files, Installation installation)
      throws IOException, InterruptedException {
    CRC32 content = new CRC32();
    for (String file : files) {
      content.update(Files.readAllBytes(sources.resolve(file)));
    }
    String name =
        sources.getFileName() + "-" + HexFormat.of().toHexDigits((int) content.getValue());
    Path folder = root().resolve(name);
    Path done = folder.resolve("installed");
    if (Files.exists(done)) {
      return folder;
    }
    Files.createDirectories(folder);
    for (String file : files) {
      Files.write(folder.resolve(file), Files.readAllBytes(sources.resolve(file)));
    }
    Command installing = installation.run(folder);
    TestRequirement.require(
        installing.isSuccess(),
        () -> "the " + name + " client cannot be installed: " + installing.output());
    Files.writeString(done, "");
    return folder;
  }

  private static Path root() {
    String given = System.getenv("HOLDFAST_TOOLS");
    Path tools =
        given == null || given.isEmpty()
            ? Path.of(System.getProperty("user.home"), ".cache", "holdfast")
            : Path.of(given);
    return tools.resolve("clients").toAbsolutePath();
  }
}
