package dev.holdfast.clientstest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/// One run of a program, with all it said.
///
/// @param status the exit status; -1 when there is no such program or it took too long
record Command(int status, String output) {

  static Command run(Path folder, Duration durationMax, String... words)
      throws IOException, InterruptedException {
    Path output = Files.createTempFile("command", ".out");
    try {
      Process process;
      try {
        process =
            new ProcessBuilder(words)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
      } catch (IOException e) {
        return new Command(-1, String.valueOf(e.getMessage()));
      }
      if (!process.waitFor(durationMax.toMillis(), TimeUnit.MILLISECONDS)) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly().waitFor();
        return new Command(-1, Files.readString(output) + "\nnot done after " + durationMax);
      }
      return new Command(process.exitValue(), Files.readString(output));
    } finally {
      Files.deleteIfExists(output);
    }
  }

  boolean isSuccess() {
    return status == 0;
  }
}
