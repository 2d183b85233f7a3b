package dev.holdfast.clientstest;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The same application in four languages, each with its official client, against one real node.
class OfficialClientsTest {
  private static final Duration RUN_MAX = Duration.ofSeconds(60);

  @TempDir static Path folder;

  @SuppressWarnings("NullAway.Init")
  private static TestedNode node;

  @BeforeAll
  static void start() throws Exception {
    node = TestedNode.start(folder);
  }

  @AfterAll
  static void stop() throws Exception {
    if (node != null) {
      node.close();
    }
  }

  @Test
  void python() throws Exception {
    Path sources = sources("python");
    succeeds(Toolbox.python(sources).toString(), sources.resolve("scenario.py").toString());
  }

  @Test
  void javascript() throws Exception {
    succeeds("node", Toolbox.javascript(sources("javascript")).toString());
  }

  @Test
  void go() throws Exception {
    succeeds(Toolbox.go(sources("go")).toString());
  }

  @Test
  void java() throws Exception {
    JavaScenario.run(node.url());
  }

  private static Path sources(String language) {
    return Path.of(language).toAbsolutePath();
  }

  private static void succeeds(String... words) throws Exception {
    String[] all = java.util.Arrays.copyOf(words, words.length + 1);
    all[words.length] = node.url();
    Command run = Command.run(folder, RUN_MAX, all);
    assertThat(run.status()).as(run.output()).isZero();
  }
}
