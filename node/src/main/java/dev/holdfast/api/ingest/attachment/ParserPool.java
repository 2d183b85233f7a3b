package dev.holdfast.api.ingest.attachment;

import dev.holdfast.document.ingest.file.FileMessages;
import dev.holdfast.document.ingest.file.FileMessages.Answer;
import dev.holdfast.document.ingest.file.FileMessages.Question;
import dev.holdfast.document.ingest.file.FileParser;
import dev.holdfast.document.ingest.file.ParsedFile;
import dev.holdfast.world.ByteSize;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.Reservation;
import dev.holdfast.world.World;
import dev.holdfast.world.concurrent.FanOut;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Parses files in processes of their own, as many at once as there are places. Any thread may ask.
public final class ParserPool implements FileParser {
  /// How a Java machine ends that was told to end when its heap is full.
  private static final int EXIT_OUT_OF_MEMORY = 3;

  /// A process ends itself when a file takes too long; one that cannot is ended after so long more,
  /// in which it also starts and reads the file.
  private static final Duration GRACE = Duration.ofSeconds(20);

  private static final Duration END_MAX = Duration.ofSeconds(2);
  private static final Logger LOG = LoggerFactory.getLogger(ParserPool.class);

  private final World world;
  private final ParserLimits limits;
  private final Path folder;
  private final Semaphore free;
  private final Deque<Place> places = new ConcurrentLinkedDeque<>();

  /// @param folder of this node alone, for temporary files of the processes
  public ParserPool(World world, ParserLimits limits, Path folder) {
    this.world = world;
    this.limits = limits;
    this.folder = folder;
    this.free = new Semaphore(limits.processes());
    IntStream.range(0, limits.processes()).forEach(i -> places.add(new Place(i, null)));
  }

  /// Where a process runs, or may.
  private record Place(int number, @Nullable ParserProcess process) {}

  @Override
  public ParsedFile parse(String base64, @Nullable String name, int charsMax) {
    if (base64.isEmpty()) {
      return ParsedFile.empty();
    }
    long bytes = base64.length() / 4L * 3;
    if (bytes > limits.fileBytesMax()) {
      throw Refusal.badArgument(
          "the file has about ["
              + new ByteSize(bytes)
              + "], more than the ["
              + new ByteSize(limits.fileBytesMax())
              + "] that a parser can hold: take its text out before it is indexed, or give nodes a"
              + " larger heap");
    }
    try (Reservation memory = world.memory().request().begin("<attachment>")) {
      memory.add(bytes);
      Question question = new Question(charsMax, name, decoded(base64));
      return asked(question, memory);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Refusal(ErrorType.TASK_CANCELLED, "interrupted while a file was parsed", e);
    }
  }

  private static byte[] decoded(String base64) {
    try {
      return Base64.getDecoder().decode(base64);
    } catch (IllegalArgumentException e) {
      throw Refusal.badArgument(String.valueOf(e.getMessage()));
    }
  }

  private ParsedFile asked(Question question, Reservation memory) throws InterruptedException {
    if (!world.sleeper().acquire(free, limits.waitMax())) {
      throw new Refusal(
          ErrorType.REJECTED_EXECUTION,
          "all ["
              + limits.processes()
              + "] parsers of files have been busy for ["
              + limits.waitMax().toSeconds()
              + "s]: send fewer files at once, or try again");
    }
    Place place = places.pop();
    try {
      while (true) {
        ParserProcess before = place.process();
        boolean isReused = before != null && before.isAlive();
        if (before != null && !isReused) {
          before.destroy();
        }
        ParserProcess process = before != null && isReused ? before : started(place.number());
        place = new Place(place.number(), process);
        Answer answer = answered(process, question, memory, isReused);
        if (answer != null) {
          return found(answer);
        }
        place = new Place(place.number(), null);
      }
    } finally {
      places.push(
          place.process() != null && place.process().isAlive()
              ? place
              : new Place(place.number(), null));
      free.release();
    }
  }

  private static ParsedFile found(Answer answer) {
    return switch (answer) {
      case FileMessages.Parsed parsed -> parsed.file();
      case FileMessages.Refused refused -> throw new Refusal(refused.type(), refused.reason());
    };
  }

  private ParserProcess started(int number) {
    try {
      return ParserProcess.start(limits, folder.resolve("parser-" + number));
    } catch (IOException e) {
      throw new Refusal(ErrorType.IO, "no parser of files could be started: " + e.getMessage(), e);
    }
  }

  /// @param isReused whether the process may have ended by itself while nobody asked it
  /// @return null when it had
  private @Nullable Answer answered(
      ParserProcess process, Question question, Reservation memory, boolean isReused)
      throws InterruptedException {
    boolean isUsable = false;
    try {
      Answer answer =
          FanOut.of(world, "attachment")
              .within(limits.fileTimeMax().plus(GRACE))
              .one(() -> process.ask(question, memory));
      isUsable = true;
      return answer;
    } catch (TimeoutException e) {
      throw late();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Refusal refusal) {
        throw refusal;
      }
      int status = status(process);
      if (isReused && status == FileMessages.EXIT_IDLE) {
        return null;
      }
      LOG.info("a parser of files ended [status={}]", status, e.getCause());
      throw switch (status) {
        case FileMessages.EXIT_LATE -> late();
        case EXIT_OUT_OF_MEMORY ->
            new Refusal(
                ErrorType.TIKA,
                "the file needs more than the ["
                    + new ByteSize(limits.heapBytes())
                    + "] of memory that a parser has");
        default -> new Refusal(ErrorType.TIKA, "the parser ended with status [" + status + "]");
      };
    } finally {
      if (!isUsable) {
        process.destroy();
      }
    }
  }

  private Refusal late() {
    return new Refusal(
        ErrorType.TIKA,
        "the file takes longer than the [" + limits.fileTimeMax().toSeconds() + "s] that it may");
  }

  /// How it ended; -1 when it does not.
  private int status(ParserProcess process) throws InterruptedException {
    try {
      return world.sleeper().get(process.ended(), END_MAX);
    } catch (TimeoutException | ExecutionException e) {
      return -1;
    }
  }
}
