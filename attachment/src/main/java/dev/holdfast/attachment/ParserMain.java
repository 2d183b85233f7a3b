package dev.holdfast.attachment;

import dev.holdfast.document.ingest.file.FileMessages;
import dev.holdfast.document.ingest.file.FileMessages.Answer;
import dev.holdfast.document.ingest.file.FileMessages.Question;
import dev.holdfast.world.FromTheWorld;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.time.Duration;

/// The parser process. Arguments: the most bytes of a file, and the milliseconds that one may take.
///
/// What takes longer ends the process, and so does a minute without a question: nobody need stop
/// it, and nothing that a parser does can keep it from ending.
@FromTheWorld
public final class ParserMain {
  private static final Duration IDLE_MAX = Duration.ofSeconds(60);
  private static final Duration LOOK_EVERY = Duration.ofMillis(50);

  private final long millisMax;
  private volatile long sinceNanos = System.nanoTime();
  private volatile boolean isBusy;

  private ParserMain(long millisMax) {
    this.millisMax = millisMax;
  }

  public static void main(String[] arguments) throws IOException {
    int fileBytesMax = Integer.parseInt(arguments[0]);
    ParserMain process = new ParserMain(Long.parseLong(arguments[1]));
    // Answers alone go to the standard output, whatever a library prints.
    DataOutputStream out = new DataOutputStream(new BufferedOutputStream(System.out));
    System.setOut(System.err);
    Thread watch = new Thread(process::watch, "watch");
    watch.setDaemon(true);
    watch.start();
    process.serve(new DataInputStream(System.in), out, fileBytesMax);
  }

  private void serve(DataInputStream in, DataOutputStream out, int fileBytesMax)
      throws IOException {
    FileReading reading = new FileReading();
    while (true) {
      turn(false);
      Question question = FileMessages.readQuestion(in, fileBytesMax);
      if (question == null) {
        return;
      }
      turn(true);
      Answer answer = reading.answer(question);
      // The time is that of a file, not that of a node that is slow to read.
      turn(false);
      FileMessages.write(out, answer);
    }
  }

  private void turn(boolean isBusyNow) {
    sinceNanos = System.nanoTime();
    isBusy = isBusyNow;
  }

  private void watch() {
    while (true) {
      long passedMillis = (System.nanoTime() - sinceNanos) / 1_000_000;
      if (isBusy && passedMillis > millisMax) {
        Runtime.getRuntime().halt(FileMessages.EXIT_LATE);
      }
      if (!isBusy && passedMillis > IDLE_MAX.toMillis()) {
        Runtime.getRuntime().halt(FileMessages.EXIT_IDLE);
      }
      try {
        Thread.sleep(LOOK_EVERY);
      } catch (InterruptedException e) {
        return;
      }
    }
  }
}
