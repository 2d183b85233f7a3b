package dev.holdfast.api.ingest.attachment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.World;
import dev.holdfast.world.real.RealWorld;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Parser processes that are killed, late, or too small.
final class ParserPoolTest {
  private static final ParserLimits LIMITS =
      new ParserLimits(1, 128 << 20, 32 << 20, Duration.ofSeconds(30), Duration.ofSeconds(30));

  @TempDir Path folder;

  private final World world = RealWorld.create();

  private final List<ProcessHandle> before = ProcessHandle.current().children().toList();

  @AfterEach
  void endProcesses() {
    processes().forEach(ProcessHandle::destroyForcibly);
    world.tasks().close();
  }

  /// Those that this test started.
  private Stream<ProcessHandle> processes() {
    return ProcessHandle.current().children().filter(one -> one.isAlive() && !before.contains(one));
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  private static void refuses(ParserPool pool, String base64, ErrorType type, String why) {
    assertThatThrownBy(() -> pool.parse(base64, null, 100))
        .isInstanceOfSatisfying(
            Refusal.class, refusal -> assertThat(refusal.type()).isEqualTo(type))
        .hasMessageContaining(why);
  }

  @Test
  void aProcessIsReusedAndReplacedWhenItDies() throws Exception {
    ParserPool pool = new ParserPool(world, LIMITS, folder);
    assertThat(pool.parse(base64("one"), null, 100).text().strip()).isEqualTo("one");
    ProcessHandle first = processes().findFirst().orElseThrow();
    Path score = Path.of("/proc", Long.toString(first.pid()), "oom_score_adj");
    if (Files.exists(score)) {
      assertThat(Files.readString(score).strip()).isEqualTo("1000");
    }
    assertThat(pool.parse(base64("two"), "a.txt", 100).text().strip()).isEqualTo("two");
    assertThat(processes()).containsExactly(first);
    // when somebody kills it
    first.destroyForcibly();
    first.onExit().get();
    // then the next file finds another
    assertThat(pool.parse(base64("three"), null, 100).text().strip()).isEqualTo("three");
    assertThat(processes()).hasSize(1).doesNotContain(first);
    refuses(pool, "not base64!", ErrorType.ILLEGAL_ARGUMENT, "Illegal base64 character");
    assertThat(pool.parse("", null, 100).text()).isEmpty();
  }

  @Test
  void aFileThatTakesTooLongIsRefusedAndTheNextOneIsRead() {
    ParserLimits hasty =
        new ParserLimits(
            1, LIMITS.heapBytes(), LIMITS.fileBytesMax(), Duration.ofMillis(1), LIMITS.waitMax());
    ParserPool pool = new ParserPool(world, hasty, folder);
    String page = base64("<html><body>" + "<p>a <b>word</b></p>".repeat(200_000));
    refuses(pool, page, ErrorType.TIKA, "takes longer");
    refuses(pool, page, ErrorType.TIKA, "takes longer");
  }

  @Test
  void aFileThatNeedsMoreMemoryThanThereIsIsRefused() {
    ParserLimits small =
        new ParserLimits(1, 24 << 20, 64 << 20, LIMITS.fileTimeMax(), LIMITS.waitMax());
    ParserPool pool = new ParserPool(world, small, folder);
    refuses(pool, base64("a ".repeat(16 << 20)), ErrorType.TIKA, "of memory that a parser has");
    assertThat(pool.parse(base64("small"), null, 100).text().strip()).isEqualTo("small");
    refuses(
        new ParserPool(world, LIMITS, folder),
        "A".repeat(60 << 20),
        ErrorType.ILLEGAL_ARGUMENT,
        "that a parser can hold");
  }
}
