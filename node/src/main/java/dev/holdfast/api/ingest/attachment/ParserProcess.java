package dev.holdfast.api.ingest.attachment;

import dev.holdfast.document.ingest.file.FileMessages;
import dev.holdfast.document.ingest.file.FileMessages.Answer;
import dev.holdfast.document.ingest.file.FileMessages.Question;
import dev.holdfast.world.FromTheWorld;
import dev.holdfast.world.Reservation;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A parser process, and the folder that its temporary files lie in. It has no environment: no
/// credentials of the node. Used by one thread at a time.
@FromTheWorld
final class ParserProcess {
  private static final String MAIN = "dev.holdfast.attachment.ParserMain";
  private static final String OOM_SCORE_MAX = "1000";
  private static final Logger LOG = LoggerFactory.getLogger(ParserProcess.class);

  private final Process process;
  private final Path folder;
  private final DataInputStream in;
  private final DataOutputStream out;

  private ParserProcess(Process process, Path folder) {
    this.process = process;
    this.folder = folder;
    this.in = new DataInputStream(new BufferedInputStream(process.getInputStream()));
    this.out = new DataOutputStream(new BufferedOutputStream(process.getOutputStream()));
  }

  /// @param folder of this process alone
  static ParserProcess start(ParserLimits limits, Path folder) throws IOException {
    delete(folder);
    Files.createDirectories(folder);
    ProcessBuilder builder =
        new ProcessBuilder(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx" + limits.heapBytes(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:+ExitOnOutOfMemoryError",
                "-XX:ErrorFile=" + folder.resolve("crash.log"),
                "-Djava.awt.headless=true",
                "-Djava.io.tmpdir=" + folder,
                "-Dpdfbox.fontcache=" + folder,
                "-Dlogback.configurationFile=dev/holdfast/attachment/parser-logback.xml",
                "-cp",
                System.getProperty("java.class.path"),
                MAIN,
                Integer.toString(limits.fileBytesMax()),
                Long.toString(limits.fileTimeMax().toMillis())));
    builder.environment().clear();
    Process process = builder.redirectError(Redirect.DISCARD).start();
    expose(process);
    return new ParserProcess(process, folder);
  }

  /// When memory is short on a machine with Linux, parsers end before the node does.
  private static void expose(Process process) {
    Path score = Path.of("/proc", Long.toString(process.pid()), "oom_score_adj");
    try {
      if (Files.exists(score)) {
        Files.writeString(score, OOM_SCORE_MAX);
      }
    } catch (IOException e) {
      LOG.warn("a parser may outlive the node when memory is short [why={}]", e.toString());
    }
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /// Asks, and waits for the answer.
  ///
  /// @throws IOException when the process ends before it has answered
  Answer ask(Question question, Reservation memory) throws IOException {
    FileMessages.write(out, question);
    return FileMessages.readAnswer(in, memory);
  }

  /// Its exit status, once it has ended.
  CompletableFuture<Integer> ended() {
    return process.onExit().thenApply(Process::exitValue);
  }

  /// Ends it and removes what it left.
  void destroy() {
    process.destroyForcibly();
    try {
      delete(folder);
    } catch (IOException | UncheckedIOException e) {
      // The folder is emptied before another process gets it.
      LOG.warn("temporary files of a parser remain [folder={}]", folder, e);
    }
  }

  private static void delete(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path one : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(one);
      }
    }
  }
}
