package dev.holdfast.provision;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.autoscaler.NodeSize;
import dev.holdfast.autoscaler.TierSize;
import dev.holdfast.clusterstate.Build;
import dev.holdfast.clusterstate.Member;
import dev.holdfast.clusterstate.Role;
import dev.holdfast.node.NodeFixture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Real processes: a tier that is too small gets a node, one that is too large loses it, and no
/// document is lost.
@Timeout(240)
final class ProcessProvisionerTest {
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final String CHILD = "elastic-index-0";
  private static final String BOTH = "elastic-both-0";

  @TempDir private Path folder = Path.of("");

  /// They write into the folder until they end.
  @AfterEach
  void processesHaveEnded() throws Exception {
    for (Path elastic : List.of(folder, folder.resolve("elastic"))) {
      for (String name : List.of(CHILD, "elastic-search-0", BOTH)) {
        if (Files.isRegularFile(elastic.resolve(name).resolve("pid"))) {
          await(() -> processIn(elastic, name).map(process -> !process.isAlive()).orElse(true));
        }
      }
    }
  }

  @Test
  void aTierGrowsAndShrinks() throws Exception {
    ProcessHandle child;
    try (NodeFixture node = new NodeFixture(folder, Map.of("autoscaling.provisioner", "process"))) {
      settings(node, "\"autoscaling.index.min_nodes\":2");
      await(() -> node.get("/_cat/nodes?h=name").body().contains(CHILD));
      node.ok("PUT", "/books", "{\"settings\":{\"number_of_shards\":4}}");
      node.fill("books", 100);
      assertThat(node.get("/_cat/shards?h=node,prirep").body()).contains(CHILD + " p");
      child = process();
      assertThat(child.isAlive()).isTrue();
      // Its store has been asked by the node that started it.
      Path environment = Path.of("/proc", Long.toString(child.pid()), "environ");
      if (Files.isReadable(environment)) { // of Linux
        assertThat(Files.readString(environment, ISO_8859_1))
            .contains("HOLDFAST_STORE_PROBE=brief");
      }
      // With half of the disk, as the node that people started takes, others would find it full.
      List<Long> caches = new ArrayList<>();
      node.json("/_holdfast/cache")
          .path("nodes")
          .forEach(cache -> caches.add(cache.path("capacity_bytes").asLong()));
      assertThat(caches).hasSize(2);
      assertThat(Collections.min(caches)).isPositive().isLessThan(Collections.max(caches) / 8);

      settings(
          node,
          "\"autoscaling.index.min_nodes\":null,\"autoscaling.quiet_time\":\"1s\","
              + "\"autoscaling.step_interval\":\"0s\"");
      await(() -> !node.get("/_cat/nodes?h=name").body().contains(CHILD) && !child.isAlive());
      assertThat(node.ok("GET", "/books/_count", "").path("count").asInt()).isEqualTo(100);
      JsonNode steps = node.json("/_holdfast/autoscaling/explain").at("/tiers/index/steps");
      assertThat(steps).hasSize(2);
      assertThat(steps.get(0).path("why").asText()).startsWith("limit: no less than 2 nodes");
      assertThat(steps.get(1).path("to").asInt()).isEqualTo(1);

      settings(node, "\"autoscaling.search.min_nodes\":2");
      await(() -> node.get("/_cat/nodes?h=name").body().contains("elastic-search-0"));
    }
    // What a node started ends with it: processesHaveEnded
  }

  @Test
  void tiersThatNobodyNeedsGoAwayAndComeBackForTheNextRequest() throws Exception {
    Map<String, String> proxy = Map.of("autoscaling.provisioner", "process", "roles", "proxy");
    try (NodeFixture node = new NodeFixture(folder, proxy)) {
      settings(
          node,
          "\"autoscaling.index.min_nodes\":0,\"autoscaling.search.min_nodes\":0,"
              + "\"autoscaling.idle_after\":\"2s\"");
      // held until there is a node that can do it
      node.fill("books", 10);
      assertThat(count(node)).isEqualTo(10);
      await(() -> node.get("/_cat/nodes?h=name").body().strip().equals("holdfast-0"));
      await(() -> processOf(BOTH).map(process -> !process.isAlive()).orElse(true));
      settings(node, "\"autoscaling.idle_after\":\"10m\"");
      assertThat(count(node)).isEqualTo(10);
      JsonNode explained = node.json("/_holdfast/autoscaling/explain");
      // One process was enough for both, each time.
      assertThat(folder.resolve("elastic").toFile().list()).containsExactly(BOTH);
      assertThat(explained.at("/tiers/index/steps").toString()).contains("no request for ");
      assertThat(explained.at("/tiers/search/steps")).hasSizeGreaterThanOrEqualTo(3);
      for (String tier : List.of("index", "search")) { // when it is looked next
        await(() -> shared(node, tier) == 1);
      }
    }
  }

  /// A store that nobody knows: each process says so and ends.
  @Test
  void aTierThatCannotStartKeepsNoOtherTierFromIt() throws Exception {
    SortedMap<Role, TierSize> wanted = new TreeMap<>();
    try (Provisioner provisioner =
        new ProcessProvisioner(processes(new TreeMap<>(Map.of("HOLDFAST_STORE", "s3:"))))) {
      wanted.put(Role.INDEX, new TierSize(1, NodeSize.ofCores(1)));
      provisioner.provision(wanted, List.of());
      ProcessHandle index = processIn(folder, CHILD).orElseThrow();
      await(() -> !index.isAlive());

      wanted.put(Role.SEARCH, new TierSize(1, NodeSize.ofCores(1)));
      assertThatThrownBy(() -> provisioner.provision(wanted, List.of()))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("node [elastic-index-0] ended: holdfast: ");
      assertThat(folder.resolve("elastic-search-0").resolve("pid")).exists();
      // Whoever asks later why there is no node is told, too, while none is tried.
      assertThatThrownBy(() -> provisioner.provision(wanted, List.of()))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("node [elastic-index-0] ended: holdfast: ");

      provisioner.close();
      wanted.put(Role.SEARCH, new TierSize(2, NodeSize.ofCores(1)));
      provisioner.provision(wanted, List.of());
      assertThat(folder.resolve("elastic-search-1")).doesNotExist();
    }
  }

  /// Two that start side by side take the processors from each other, while a request is held.
  @Test
  void theFirstNodeIsInBothTiersAndThoseThatFollowAreInOne() throws Exception {
    SortedMap<String, String> noStore = new TreeMap<>(Map.of("HOLDFAST_STORE", "s3:"));
    try (Provisioner provisioner = new ProcessProvisioner(processes(noStore))) {
      provisioner.provision(sizes(0, 0), List.of());
      assertThat(folder).isEmptyDirectory();

      provisioner.provision(sizes(0, 1), List.of());
      ProcessHandle both = processIn(folder, BOTH).orElseThrow();
      assertThat(started()).containsExactly(BOTH);

      // when it fails, each tier is on its own: one may start where both do not
      await(() -> !both.isAlive());
      assertThatThrownBy(() -> provisioner.provision(sizes(1, 1), List.of()))
          .isInstanceOf(IOException.class)
          .hasMessageStartingWith("node [elastic-both-0] ended: holdfast: ");
      await(() -> {
        assertThatThrownBy(() -> provisioner.provision(sizes(1, 1), List.of()))
            .isInstanceOf(IOException.class);
        return started().size() == 3;
      });
      assertThat(started()).containsExactly(BOTH, CHILD, "elastic-search-0");
    }
  }

  @Test
  void aNodeOfBothTiersCountsInEachAndStaysAsLongAsOneNeedsIt() throws Exception {
    Process here = new ProcessBuilder("sleep", "600").start();
    SortedMap<String, String> noStore = new TreeMap<>(Map.of("HOLDFAST_STORE", "s3:"));
    try (Provisioner provisioner = new ProcessProvisioner(processes(noStore))) {
      note(BOTH, here);
      List<Member> members = List.of(member(BOTH, 1, Role.INDEX, Role.SEARCH));

      provisioner.provision(sizes(1, 1), members);
      provisioner.provision(sizes(0, 1), members);
      provisioner.provision(sizes(1, 0), members);
      assertThat(here.isAlive()).isTrue();
      assertThat(started()).containsExactly(BOTH);

      provisioner.provision(sizes(2, 1), members);
      assertThat(started()).containsExactly(BOTH, CHILD);

      provisioner.provision(sizes(0, 0), members);
      await(() -> !here.isAlive());
      assertThat(started()).containsExactly(BOTH, CHILD);
      await(() -> processIn(folder, CHILD).map(process -> !process.isAlive()).orElse(true));
    } finally {
      Process _ = here.destroyForcibly();
    }
  }

  /// A request that comes while the last node leaves needs another.
  @Test
  void aNodeThatLeavesKeepsNoOtherFromStarting() throws Exception {
    SortedMap<String, String> noStore = new TreeMap<>(Map.of("HOLDFAST_STORE", "s3:"));
    Process leaving =
        new ProcessBuilder("sh", "-c", "trap '' TERM; echo; sleep 600 & wait; wait").start();
    assertThat(leaving.getInputStream().read()).isEqualTo('\n'); // SIGTERM would end it before
    try (Provisioner provisioner = new ProcessProvisioner(processes(noStore))) {
      note(BOTH, leaving);
      List<Member> members = List.of(member(BOTH, 1, Role.INDEX, Role.SEARCH));
      provisioner.provision(sizes(0, 0), members);
      provisioner.provision(sizes(0, 1), members);
      assertThat(started()).containsExactly(BOTH, "elastic-both-1");
    } finally {
      leaving.descendants().forEach(ProcessHandle::destroyForcibly);
      Process _ = leaving.destroyForcibly();
    }
    await(() -> processIn(folder, "elastic-both-1").map(one -> !one.isAlive()).orElse(true));
  }

  /// As on a full disk: it would run on, and nobody would know of it.
  @Test
  void aProcessThatCannotBeNotedDownDoesNotStay() throws Exception {
    Files.createDirectories(folder.resolve(CHILD).resolve("pid"));
    SortedMap<Role, TierSize> wanted = new TreeMap<>();
    wanted.put(Role.INDEX, new TierSize(1, NodeSize.ofCores(1)));
    List<ProcessHandle> before = ProcessHandle.current().children().toList();
    SortedMap<String, String> store =
        new TreeMap<>(Map.of("HOLDFAST_STORE", "file:" + folder.resolve("store")));
    try (Provisioner provisioner = new ProcessProvisioner(processes(store))) {
      assertThatThrownBy(() -> provisioner.provision(wanted, List.of()))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("pid");
    }
    await(() -> ProcessHandle.current().children().allMatch(before::contains));
  }

  /// One of another machine would be chosen each time, and none ever stopped.
  @Test
  void theNewestOfThisMachineGoes() throws Exception {
    Process here = new ProcessBuilder("sleep", "600").start();
    try (Provisioner provisioner = new ProcessProvisioner(processes(new TreeMap<>()))) {
      note(CHILD, here);
      SortedMap<Role, TierSize> wanted = new TreeMap<>();
      wanted.put(Role.INDEX, new TierSize(1, NodeSize.ofCores(1)));

      provisioner.provision(wanted, List.of(member(CHILD, 1), member("elastic-index-1", 2)));

      await(() -> !here.isAlive());
    } finally {
      Process _ = here.destroyForcibly();
    }
  }

  /// The system would kill whom it likes. A tier that has nobody is another matter.
  @Test
  void noSecondNodeIsStartedForWhichThereIsNoMemory() throws Exception {
    assertThat(MachineMemory.processes(8L << 30, 2L << 30)).isEqualTo(4);
    assertThat(MachineMemory.processes(8L << 30, 9L << 30)).isEqualTo(1);
    SortedMap<Role, TierSize> wanted = new TreeMap<>();
    wanted.put(Role.INDEX, new TierSize(2, NodeSize.ofCores(1)));
    SortedMap<String, String> noStore = new TreeMap<>(Map.of("HOLDFAST_STORE", "s3:"));
    try (Provisioner provisioner = new ProcessProvisioner(processes(noStore), 1)) {
      assertThatThrownBy(() -> provisioner.provision(wanted, List.of(member("people's", 1))))
          .isInstanceOf(IOException.class)
          .hasMessageStartingWith("this machine has memory for the heaps of [1] nodes");
      assertThat(folder.resolve(CHILD)).doesNotExist();

      provisioner.provision(wanted, List.of());

      assertThat(folder.resolve(CHILD)).exists();
      assertThat(folder.resolve("elastic-index-1")).doesNotExist();
    }
    await(() -> processIn(folder, CHILD).map(process -> !process.isAlive()).orElse(true));
  }

  /// A process of that name runs.
  private void note(String name, Process process) throws IOException {
    String started = process.info().startInstant().map(Instant::toString).orElse("unknown");
    Path its = Files.createDirectories(folder.resolve(name));
    Files.writeString(its.resolve("pid"), process.pid() + " " + started + "\n");
  }

  /// Names of nodes that have ever been started.
  private SortedSet<String> started() {
    return new TreeSet<>(List.of(Objects.requireNonNull(folder.toFile().list())));
  }

  private static SortedMap<Role, TierSize> sizes(int index, int search) {
    SortedMap<Role, TierSize> sizes = new TreeMap<>();
    sizes.put(Role.INDEX, new TierSize(index, NodeSize.ofCores(1)));
    sizes.put(Role.SEARCH, new TierSize(search, NodeSize.ofCores(1)));
    return sizes;
  }

  private static Member member(String name, long startMillis) {
    return member(name, startMillis, Role.INDEX);
  }

  private static Member member(String name, long startMillis, Role... its) {
    TreeSet<Role> roles = new TreeSet<>(List.of(its));
    return new Member(
        name + "-id", name, "127.0.0.1:1", roles, 1 << 20, startMillis, false, Build.here("test"));
  }

  private ProvisionerSettings processes(SortedMap<String, String> variables) {
    return new ProvisionerSettings(
        ProvisionerSettings.Kind.PROCESS,
        "",
        KubernetesTiers.none(),
        folder,
        "holdfast-0",
        variables);
  }

  private static int shared(NodeFixture node, String tier) throws Exception {
    JsonNode explained = node.json("/_holdfast/autoscaling/explain");
    return explained.at("/tiers/" + tier + "/nodes_of_both_tiers").asInt();
  }

  private static int count(NodeFixture node) throws Exception {
    return node.ok("GET", "/books/_count", "").path("count").asInt();
  }

  private static void settings(NodeFixture node, String settings) throws Exception {
    JsonNode _ = node.ok("PUT", "/_cluster/settings", "{\"persistent\":{" + settings + "}}");
  }

  private ProcessHandle process() throws Exception {
    return processOf(CHILD).orElseThrow();
  }

  private Optional<ProcessHandle> processOf(String name) throws Exception {
    return processIn(folder.resolve("elastic"), name);
  }

  private static Optional<ProcessHandle> processIn(Path folder, String name) throws Exception {
    Path pid = folder.resolve(name).resolve("pid");
    return ProcessHandle.of(Long.parseLong(Files.readString(pid).split(" ")[0]));
  }

  private static void await(Callable<Boolean> isSo) throws Exception {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!isSo.call()) {
      assertThat(System.nanoTime()).as("it did not happen in time").isLessThan(end);
      Thread.sleep(100);
    }
  }
}
