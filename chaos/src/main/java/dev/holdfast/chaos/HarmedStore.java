package dev.holdfast.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.chaos.client.Tally;
import dev.holdfast.chaos.damage.FlippedIndex;
import dev.holdfast.chaos.damage.FlippedIndex.Answer;
import dev.holdfast.chaos.damage.FlippedIndex.Judged;
import dev.holdfast.chaos.damage.Folders;
import dev.holdfast.chaos.node.ClusterNodes;
import dev.holdfast.chaos.node.Http;
import dev.holdfast.chaos.node.NodeProcess;
import dev.holdfast.chaos.node.StoreServer;
import dev.holdfast.chaos.node.StoredObject;
import dev.holdfast.chaos.node.StoredObject.Harm;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.LongAdder;

/// Damages and removes objects below a cluster that runs, and puts them back. What the objects of
/// indices that nobody writes to answer is known: while one is harmed each of their answers must be
/// right or name the object, health must tell of what was named, and the other indices must not
/// notice.
final class HarmedStore {
  private static final int INDICES = 3;

  /// Until a node that was killed serves again, answers are of neither kind.
  private static final Duration SETTLED_MAX = Duration.ofSeconds(90);

  private static final Duration PAUSE = Duration.ofMillis(500);

  /// The end of a log that nothing mentions yet can be cut off unseen (decision 018).
  private static final int NEWEST_OF_LOG = 3;

  private final ClusterNodes nodes;
  private final StoreServer store;
  private final Tally tally;
  private final Http http;
  private final List<FlippedIndex> indices = new ArrayList<>();
  private final Map<FlippedIndex, String> folders = new HashMap<>();
  private final LongAdder harmed = new LongAdder();
  private final LongAdder named = new LongAdder();

  HarmedStore(ClusterNodes nodes, StoreServer store, Tally tally) {
    this.nodes = nodes;
    this.store = store;
    this.tally = tally;
    this.http = new Http(nodes.address(), Duration.ofSeconds(60));
  }

  /// Makes the indices and learns their answers.
  void fill(long seed) throws IOException, InterruptedException {
    for (int i = 0; i < INDICES; i++) {
      FlippedIndex index = new FlippedIndex("harmed-" + i, seed + i);
      index.fill(http);
      index.learn(http);
      indices.add(index);
      String uuid =
          http.get("/" + index.name + "/_settings")
              .body()
              .path(index.name)
              .path("settings")
              .path("index")
              .path("uuid")
              .asText();
      folders.put(index, "/" + uuid + "/");
    }
  }

  StoreServer store() {
    return store;
  }

  Tally tally() {
    return tally;
  }

  /// Harms a blob of one of the indices, and has a node that knows the shard forget all it had.
  void harmBlob(Harm harm, Random dice) throws IOException, InterruptedException {
    FlippedIndex index = indices.get(dice.nextInt(indices.size()));
    String folder = java.util.Objects.requireNonNull(folders.get(index));
    List<StoredObject> blobs =
        StoredObject.list(store, "shards").stream()
            .filter(blob -> blob.key().contains(folder))
            .toList();
    NodeProcess node = nodes.named(holder(index, dice)).orElseGet(() -> nodes.random(dice));
    StoredObject blob = blobs.get(dice.nextInt(blobs.size()));
    node.kill();
    if (!blob.harm(harm, dice)) {
      System.out.println("gone by itself: " + blob);
      node.restart();
      return;
    }
    harmed.increment();
    System.out.println(harm + " " + blob + " of " + index.name + ", disk of " + node + " lost");
    try {
      Folders.delete(node.data());
      java.nio.file.Files.createDirectories(node.data());
      node.restart();
      boolean isNamed = judged(index, blob.key());
      if (isNamed) {
        named.increment();
        requireNotGreen(index, blob.key());
      }
    } finally {
      blob.heal();
    }
    if (!settles(index, "").isEmpty()) {
      tally.violations.add("what was put back is not read again: " + settles(index, ""));
    }
  }

  /// A node that has a copy, or the shard.
  private String holder(FlippedIndex index, Random dice) throws IOException, InterruptedException {
    JsonNode rows = http.get("/_cat/shards/" + index.name + "?format=json&h=prirep,node").body();
    List<String> holders = new ArrayList<>();
    rows.forEach(row -> holders.add(row.path("node").asText()));
    return holders.isEmpty() ? "" : holders.get(dice.nextInt(holders.size()));
  }

  /// Whether some answer named the object.
  private boolean judged(FlippedIndex index, String key) throws IOException, InterruptedException {
    List<Judged> bad = settles(index, key);
    bad.forEach(
        one -> tally.violations.add(one.answer() + " while harmed " + key + ": " + one.what()));
    for (FlippedIndex other : indices) {
      if (other != index) {
        settles(other, "")
            .forEach(
                one -> tally.violations.add("another index notices " + key + ": " + one.what()));
      }
    }
    List<Judged> now = index.judge(http, key);
    return now.stream().anyMatch(one -> one.answer() == Answer.NAMED);
  }

  /// Asks until every answer is right, or names the object; those that were wrong, or that are of
  /// neither kind in the end.
  private List<Judged> settles(FlippedIndex index, String key)
      throws IOException, InterruptedException {
    long endNanos = System.nanoTime() + SETTLED_MAX.toNanos();
    while (true) {
      nodes.startDead(null);
      List<Judged> all = index.judge(http, key);
      List<Judged> wrong = all.stream().filter(one -> one.answer() == Answer.WRONG).toList();
      List<Judged> unnamed = all.stream().filter(one -> one.answer() == Answer.UNNAMED).toList();
      if (!wrong.isEmpty() || unnamed.isEmpty() || System.nanoTime() > endNanos) {
        return wrong.isEmpty() ? unnamed : wrong;
      }
      Thread.sleep(PAUSE);
    }
  }

  private void requireNotGreen(FlippedIndex index, String key)
      throws IOException, InterruptedException {
    JsonNode health = http.get("/_cluster/health").body();
    long endNanos = System.nanoTime() + Duration.ofSeconds(10).toNanos();
    while (!(health.path("status").asText().equals("red") && health.toString().contains(key))
        && System.nanoTime() < endNanos) {
      Thread.sleep(PAUSE);
      List<Judged> _ = index.judge(http, key);
      health = http.get("/_cluster/health").body();
    }
    if (!health.path("status").asText().equals("red") || !health.toString().contains(key)) {
      tally.violations.add("health does not tell of " + key + ": " + health);
    }
  }

  /// Kills an indexing node and harms a file of a log: the shards that need it are red and name it,
  /// or none does. Requests may be refused meanwhile.
  void harmLog(Harm harm, Random dice) throws IOException, InterruptedException {
    NodeProcess node = nodes.random(dice);
    Map<String, List<StoredObject>> logs = new HashMap<>();
    node.kill();
    StoredObject.list(store, "log")
        .forEach(file ->
            logs.computeIfAbsent(file.key().replaceFirst("/[^/]*$", ""), _ -> new ArrayList<>())
                .add(file));
    List<StoredObject> choice = new ArrayList<>();
    logs.values()
        .forEach(files ->
            choice.addAll(
                harm == Harm.FLIP
                    ? files
                    : files.subList(0, Math.max(0, files.size() - NEWEST_OF_LOG))));
    Optional<StoredObject> chosen =
        choice.isEmpty() ? Optional.empty() : Optional.of(choice.get(dice.nextInt(choice.size())));
    tally.storeFails();
    try {
      if (chosen.isPresent() && chosen.get().harm(harm, dice)) {
        StoredObject file = chosen.get();
        harmed.increment();
        System.out.println(harm + " " + file + ", " + node + " killed");
        try {
          node.restart();
          if (namedByHealth(file.key())) {
            named.increment();
          }
        } finally {
          file.heal();
        }
      } else {
        System.out.println("no file of a log to harm, " + node + " killed");
        node.restart();
      }
      nodes.healAll();
    } finally {
      tally.storeWorks();
    }
  }

  /// Waits until the cluster is well without the object, or says that it is not.
  private boolean namedByHealth(String key) throws IOException, InterruptedException {
    long endNanos = System.nanoTime() + SETTLED_MAX.toNanos();
    String last = "";
    while (System.nanoTime() < endNanos) {
      nodes.startDead(null);
      try {
        JsonNode health = http.get("/_cluster/health").body();
        last = health.toString();
        if (health.path("status").asText().equals("green") || last.contains(key)) {
          return last.contains(key);
        }
      } catch (IOException e) {
        last = e.toString();
      }
      Thread.sleep(PAUSE);
    }
    tally.violations.add("neither well nor is the object named [" + key + "]: " + last);
    return false;
  }

  @Override
  public String toString() {
    return "objects harmed " + harmed.sum() + ", of which named " + named.sum();
  }
}
