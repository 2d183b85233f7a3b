package dev.holdfast.api.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.NodeFixture;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Snapshots, deletions, restores, merges, deleted indices, restarts and the sweep in orders that
/// chance makes, while blobs that nothing needs go at once, and restored indices live on that are
/// read in their snapshot for longer or shorter: no snapshot lacks a blob, and nothing is left
/// behind. The steps are of the seed; how far each is when the next begins is not.
final class SnapshotInterleavingsTest {
  private static final int PARTS = 3;
  private static final int STEPS = 20;
  private static final List<String> INDICES = List.of("books", "films", "songs");
  private static final Map<String, String> AT_ONCE =
      Map.of(
          "gc.grace", "60ms",
          "gc.sweep_every", "100ms",
          "gc.sweep_delay", "10ms",
          "gc.trash", "10ms");

  /// How long the copies of restored indices are held back.
  private static final List<String> DELAYS = List.of("1ms", "30ms", "300ms", "1s", "3s");

  /// Indices that live on at once.
  private static final int LIVE_MAX = 7;

  @TempDir Path folder;

  private Random random = new Random(0);

  /// What each index has, by id: the version that was written last.
  private final Map<String, Map<String, Integer>> live = new TreeMap<>();

  /// The same of each snapshot.
  private final Map<String, Map<String, Map<String, Integer>>> taken = new TreeMap<>();

  private int made;

  /// Three seeds, or those of `-Dsnapshots.seeds=FIRST-LAST`.
  static LongStream seeds() {
    String[] range = System.getProperty("snapshots.seeds", "1-3").split("-", 2);
    return LongStream.rangeClosed(Long.parseLong(range[0]), Long.parseLong(range[1]));
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void nothingIsMissingAndNothingIsLeft(long seed) throws Exception {
    random = new Random(seed);
    for (int part = 0; part < PARTS; part++) {
      try (NodeFixture node = started()) {
        node.ok("PUT", "/_snapshot/r", "{\"type\":\"fs\",\"settings\":{\"location\":\"place\"}}");
        for (int step = 0; step < STEPS; step++) {
          step(node);
        }
      }
    }
    try (NodeFixture node = started()) {
      for (String index : List.copyOf(live.keySet())) {
        requireSame(node, index, live.get(index));
        delete(node, index);
      }
      for (String snapshot : List.copyOf(taken.keySet())) {
        restore(node, snapshot);
        node.ok("DELETE", "/restored_*?expand_wildcards=all", "");
      }
      for (String snapshot : List.copyOf(taken.keySet())) {
        deleteSnapshot(node, snapshot);
      }
      Eventually.holds(() -> {
        confirmSweep(node);
        return files("pins").isEmpty() && files("shards").isEmpty() && files("trash").isEmpty();
      });
    }
  }

  private NodeFixture started() throws Exception {
    Map<String, String> settings = new TreeMap<>(AT_ONCE);
    settings.put("restore.copy_delay", DELAYS.get(random.nextInt(DELAYS.size())));
    return new NodeFixture(folder, settings);
  }

  private void step(NodeFixture node) throws Exception {
    SortedSet<String> names = new TreeSet<>(live.keySet());
    names.addAll(INDICES);
    String index = List.copyOf(names).get(random.nextInt(names.size()));
    switch (random.nextInt(12)) {
      case 0, 1, 2 -> write(node, index);
      case 3, 4 -> snapshot(node, random.nextBoolean());
      case 5 -> one(taken.keySet(), name -> deleteSnapshot(node, name));
      case 6 ->
          one(
              taken.keySet(),
              name -> {
                restore(node, name);
                node.ok("DELETE", "/restored_*", "");
              });
      case 9, 10 -> one(taken.keySet(), name -> keep(node, name));
      case 7, 8 -> {
        if (live.containsKey(index)) {
          node.ok("POST", "/" + index + "/_forcemerge?max_num_segments=1", "");
        }
      }
      default -> {
        if (live.containsKey(index)) {
          delete(node, index);
        }
      }
    }
  }

  @FunctionalInterface
  private interface Step {
    void take(String name) throws Exception;
  }

  private void one(Iterable<String> names, Step step) throws Exception {
    List<String> all = new ArrayList<>();
    names.forEach(all::add);
    if (!all.isEmpty()) {
      step.take(all.get(random.nextInt(all.size())));
    }
  }

  private void write(NodeFixture node, String index) throws Exception {
    if (!live.containsKey(index)) {
      node.ok("PUT", "/" + index, "{\"settings\":{\"number_of_shards\":2}}");
    }
    Map<String, Integer> documents = live.computeIfAbsent(index, _ -> new TreeMap<>());
    StringBuilder bulk = new StringBuilder();
    for (int i = 0; i < 20; i++) {
      String id = Integer.toString(random.nextInt(40));
      if (random.nextInt(4) == 0) {
        documents.remove(id);
        bulk.append("{\"delete\":{\"_id\":\"" + id + "\"}}\n");
      } else {
        made++;
        documents.put(id, made);
        bulk.append("{\"index\":{\"_id\":\"" + id + "\"}}\n{\"made\":" + made + "}\n");
      }
    }
    node.ok("POST", "/" + index + "/_bulk", bulk.toString());
  }

  private void delete(NodeFixture node, String index) throws Exception {
    node.ok("DELETE", "/" + index, "");
    live.remove(index);
  }

  /// @param isAlongside whether everything is merged while it is made
  private void snapshot(NodeFixture node, boolean isAlongside) throws Exception {
    String name = "s" + made++;
    Map<String, Map<String, Integer>> now = new TreeMap<>();
    live.forEach((index, documents) -> now.put(index, new TreeMap<>(documents)));
    if (isAlongside) {
      node.ok("PUT", "/_snapshot/r/" + name, "");
      if (!live.isEmpty()) {
        node.ok("POST", "/_all/_forcemerge?max_num_segments=1", "");
        node.ok("POST", "/_all/_flush", "");
      }
      Eventually.holds(() ->
          !node.json("/_snapshot/r/" + name)
              .path("snapshots")
              .path(0)
              .path("state")
              .asText()
              .equals("IN_PROGRESS"));
    } else {
      node.ok("PUT", "/_snapshot/r/" + name + "?wait_for_completion=true", "");
    }
    assertThat(node.json("/_snapshot/r/" + name).path("snapshots").path(0).path("state").asText())
        .isEqualTo("SUCCESS");
    taken.put(name, now);
  }

  private void deleteSnapshot(NodeFixture node, String name) throws Exception {
    node.ok("DELETE", "/_snapshot/r/" + name, "");
    taken.remove(name);
  }

  /// Restores indices that are used like others from then on.
  private void keep(NodeFixture node, String name) throws Exception {
    Map<String, Map<String, Integer>> indices = taken.getOrDefault(name, Map.of());
    if (live.size() + indices.size() <= LIVE_MAX) {
      String prefix = "kept" + made++ + "_";
      restore(node, name, prefix);
      indices.forEach((index, documents) -> live.put(prefix + index, new TreeMap<>(documents)));
    }
  }

  private void restore(NodeFixture node, String name) throws Exception {
    restore(node, name, "restored_");
  }

  private void restore(NodeFixture node, String name, String prefix) throws Exception {
    JsonNode shards =
        node.ok(
                "POST",
                "/_snapshot/r/" + name + "/_restore?wait_for_completion=true",
                "{\"rename_pattern\":\"(.+)\",\"rename_replacement\":\"" + prefix + "$1\"}")
            .path("snapshot")
            .path("shards");
    assertThat(shards.path("failed").asInt()).isZero();
    Map<String, Map<String, Integer>> expected = taken.getOrDefault(name, Map.of());
    assertThat(shards.path("total").asInt()).isEqualTo(2 * expected.size());
    for (var index : expected.entrySet()) {
      requireSame(node, prefix + index.getKey(), index.getValue());
    }
  }

  private static void requireSame(NodeFixture node, String index, Map<String, Integer> expected)
      throws Exception {
    node.ok("POST", "/" + index + "/_refresh", "");
    Map<String, Integer> found = new TreeMap<>();
    for (JsonNode hit : node.json("/" + index + "/_search?size=100").path("hits").path("hits")) {
      found.put(hit.path("_id").asText(), hit.path("_source").path("made").asInt());
    }
    assertThat(found).as(index).isEqualTo(expected);
  }

  /// The sweep takes a tenth of all folders at once unless a person says that it may take them.
  private void confirmSweep(NodeFixture node) throws Exception {
    TreeSet<String> uuids = new TreeSet<>();
    for (String file : files("shards")) {
      uuids.add(file.split("/")[1]); // behind a prefix that spreads the keys
    }
    for (String uuid : uuids) {
      HttpResponse<String> _ = node.call("POST", "/_holdfast/gc/confirm?uuid=" + uuid, "");
    }
  }

  private SortedSet<String> files(String below) throws Exception {
    return StoredFiles.below(folder.resolve("store").resolve(below));
  }
}
