package dev.holdfast.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.clusterstate.Role;
import dev.holdfast.simulation.cluster.ClusterShape;
import dev.holdfast.simulation.cluster.Plant;
import dev.holdfast.simulation.cluster.SimulatedCluster;
import dev.holdfast.simulation.cluster.SimulatedNode;
import dev.holdfast.simulation.cluster.Transcript;
import dev.holdfast.simulation.schedule.LuceneIds;
import dev.holdfast.simulation.schedule.Scheduler;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SortedSet;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The steps of leaders and followers, as they were when somebody last read them:
/// `src/test/resources/transcripts`. Whoever changes them reads the difference, and writes them
/// anew: `./build quick simulation -Dtest=TranscriptsTest -Dtranscripts.update=true`.
final class TranscriptsTest {
  private static final long SEED = 15;
  private static final Path FOLDER = Path.of("src/test/resources/transcripts");
  private static final SortedSet<Role> INDEXING = new TreeSet<>(List.of(Role.INDEX));
  private static final SortedSet<Role> SEARCHING = new TreeSet<>(List.of(Role.SEARCH));
  private static final SortedSet<Role> ALL = new TreeSet<>(List.of(Role.INDEX, Role.SEARCH));

  @TempDir private Path scratch;

  /// What happens to a cluster.
  @FunctionalInterface
  private interface Story {
    void happen(SimulatedCluster cluster, Transcript transcript) throws Exception;
  }

  @Test
  void theFirstNodeLeadsAndAnotherJoins() throws IOException {
    compare(
        "join",
        (cluster, transcript) -> {
          SimulatedNode _ = started(cluster, ALL);
          SimulatedNode _ = started(cluster, ALL);
        });
  }

  @Test
  void aFollowerProposesAndTheLeaderPublishes() throws IOException {
    compare(
        "publish",
        (cluster, transcript) -> {
          SimulatedNode _ = started(cluster, ALL);
          SimulatedNode follower = started(cluster, ALL);
          transcript.happens("node-2", "an index is made here");
          cluster.createIndex(follower, "books", 1);
          pause(cluster, 5);
        });
  }

  @Test
  void aKilledLeaderIsChallengedReplacedAndFenced() throws IOException {
    compare(
        "leader-killed",
        (cluster, transcript) -> {
          SimulatedNode leader = started(cluster, ALL);
          SimulatedNode follower = started(cluster, ALL);
          cluster.createIndex(follower, "books", 2);
          pause(cluster, 5);
          transcript.happens("node-1", "killed");
          transcript.happens("node-2", "the leader is killed");
          cluster.kill(leader);
          pause(cluster, 20);
        });
  }

  @Test
  void aLeaderThatStopsHandsOver() throws IOException {
    compare(
        "leader-stops",
        (cluster, transcript) -> {
          SimulatedNode leader = started(cluster, ALL);
          SimulatedNode _ = started(cluster, ALL);
          transcript.happens("node-1", "told to stop");
          cluster.stop(leader, Duration.ofSeconds(30));
          pause(cluster, 5);
        });
  }

  @Test
  void aLeaderThatStoodStillLearnsThatAnotherLeads() throws IOException {
    compare(
        "leader-frozen",
        (cluster, transcript) -> {
          SimulatedNode leader = started(cluster, ALL);
          SimulatedNode _ = started(cluster, ALL);
          transcript.happens("node-1", "frozen");
          transcript.happens("node-2", "the leader is frozen");
          leader.process().freeze();
          pause(cluster, 15);
          transcript.happens("node-1", "thawed");
          leader.process().thaw();
          pause(cluster, 10);
        });
  }

  @Test
  void aShardMovesFromANodeThatStops() throws IOException {
    compare(
        "move",
        (cluster, transcript) -> {
          SimulatedNode leader = started(cluster, SEARCHING);
          SimulatedNode owner = started(cluster, INDEXING);
          cluster.createIndex(leader, "books", 1);
          pause(cluster, 5);
          SimulatedNode _ = started(cluster, INDEXING);
          transcript.happens("node-2", "told to stop");
          cluster.stop(owner, Duration.ofSeconds(30));
          pause(cluster, 5);
        });
  }

  private static SimulatedNode started(SimulatedCluster cluster, SortedSet<Role> roles)
      throws InterruptedException {
    SimulatedNode node = cluster.start(cluster.freshFolder(), roles);
    pause(cluster, 3);
    return Objects.requireNonNull(node);
  }

  private static void pause(SimulatedCluster cluster, int seconds) throws InterruptedException {
    cluster.outside().world().sleeper().sleep(Duration.ofSeconds(seconds));
  }

  private void compare(String name, Story story) throws IOException {
    String text = transcript(story, scratch.resolve("first"));

    assertThat(transcript(story, scratch.resolve("second"))).isEqualTo(text);
    Path golden = FOLDER.resolve(name + ".txt");
    if (Boolean.getBoolean("transcripts.update")) {
      Files.createDirectories(FOLDER);
      Files.writeString(golden, text);
    }
    assertThat(text).isEqualTo(Files.readString(golden, StandardCharsets.UTF_8));
  }

  private static String transcript(Story story, Path folder) throws IOException {
    LuceneIds.areOf(SEED);
    SplittableRandom random = new SplittableRandom(SEED);
    List<String> violations = new ArrayList<>();
    Scheduler scheduler = new Scheduler(random.split(), null);
    SimulatedCluster cluster =
        new SimulatedCluster(
            scheduler,
            random.split(),
            violations::add,
            Files.createDirectories(folder),
            ClusterShape.EQUALS,
            Plant.NONE);
    Transcript transcript = cluster.transcribe();
    AtomicReference<String> end = new AtomicReference<>("");
    var _ =
        cluster
            .outside()
            .world()
            .tasks()
            .start(
                "story",
                () -> {
                  try {
                    story.happen(cluster, transcript);
                    end.set("told");
                  } catch (Exception | Error e) {
                    end.set(String.valueOf(e));
                  }
                });
    boolean _ = scheduler.run(() -> !end.get().isEmpty(), Duration.ofMinutes(5));
    String text = transcript.text();
    cluster.bury();
    assertThat(violations).isEmpty();
    assertThat(end.get()).isEqualTo("told");
    return text;
  }
}
