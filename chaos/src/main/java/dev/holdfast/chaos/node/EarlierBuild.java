package dev.holdfast.chaos.node;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// A build of an earlier commit of this repository, in a worktree of its own under `target/`.
public final class EarlierBuild {
  /// The build that this one must work together with: the first one that has this wire format, from
  /// then on the last release. See `docs/upgrading.md`.
  public static final String COMMIT = "6835ea12da18e2bbdd5d6eea334a32b552a7c69e";

  private EarlierBuild() {}

  /// The commit's `./holdfast`, built.
  ///
  /// @param root of this repository
  /// @throws IOException when the history does not have the commit, or it cannot be built
  public static Path launcher(Path root, String commit) throws IOException, InterruptedException {
    Path folder = root.resolve("target").resolve("earlier-" + commit);
    Path launcher = folder.resolve("holdfast");
    if (!Files.isExecutable(launcher)) {
      if (!isInHistory(root, commit)) {
        throw new IOException(
            "the history has no commit "
                + commit
                + ", which this build must work together with: git fetch --unshallow");
      }
      require(run(root, List.of("git", "worktree", "prune")), "git worktree prune");
      Files.createDirectories(folder.getParent());
      require(
          run(root, List.of("git", "worktree", "add", "--detach", folder.toString(), commit)),
          "git worktree add");
    }
    require(run(folder, List.of(launcher.toString(), "start", "--help")), "building " + commit);
    return launcher;
  }

  static boolean isInHistory(Path root, String commit) throws IOException, InterruptedException {
    return run(root, List.of("git", "cat-file", "-e", commit + "^{commit}")) == 0;
  }

  private static void require(int status, String what) throws IOException {
    if (status != 0) {
      throw new IOException(what + " failed [status=" + status + "]");
    }
  }

  private static int run(Path folder, List<String> command)
      throws IOException, InterruptedException {
    return new ProcessBuilder(command)
        .directory(folder.toFile())
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(new File("/dev/null")))
        .start()
        .waitFor();
  }
}
