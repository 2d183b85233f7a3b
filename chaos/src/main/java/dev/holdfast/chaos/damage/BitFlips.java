package dev.holdfast.chaos.damage;

import dev.holdfast.chaos.node.Http;
import dev.holdfast.node.Node;
import dev.holdfast.settings.NodeSettings;
import dev.holdfast.world.real.RealWorld;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `./holdfast chaos bit-flips`: flips single bits of a store's objects, or takes objects away,
/// starts a node over it, and asks everything again. Each answer must be right, or an error that
/// names the object, and then health must not be green and name it too; indices whose objects are
/// whole must not notice.
@Command(
    name = "bit-flips",
    mixinStandardHelpOptions = true,
    description =
        "Flips bits of a store's objects, or removes objects, and checks that no answer is wrong.")
public final class BitFlips implements Callable<Integer> {
  private static final int SHOWN_MAX = 20;

  @Option(names = "--flips", description = "bits to flip (default: ${DEFAULT-VALUE})")
  int flips = 2000;

  @Option(
      names = "--removed",
      description = "objects to remove, after the flips (default: ${DEFAULT-VALUE})")
  int removed = 0;

  @Option(names = "--indices", description = "one flip each a start (default: ${DEFAULT-VALUE})")
  int indices = 20;

  @Option(names = "--seed", description = "of what is flipped (default: ${DEFAULT-VALUE})")
  long seed = 1;

  private final List<FlippedIndex> all = new ArrayList<>();
  private final Map<FlippedIndex.Answer, Integer> answers = new HashMap<>();
  private final List<String> bad = new ArrayList<>();
  private int flipped;
  private int taken;
  private int greens;
  private int notRed;
  private int seen;
  private int others;
  private int refusedStarts;
  private int shown;

  /// The end of a log that nothing mentions yet can be cut off unseen (decision 018).
  private static final int NEWEST_OF_LOG = 3;

  private static final Duration HEALTH_MAX = Duration.ofSeconds(15);

  /// A bit of an object.
  ///
  /// @param bit -1 for an object that was taken away
  private record Flip(String file, long offset, int bit) {
    /// The object's, without what a folder store adds to the name of its file.
    String key() {
      return file.replaceFirst("\\+.*", "");
    }
  }

  @Override
  public Integer call() throws Exception {
    ((ch.qos.logback.classic.Logger)
            org.slf4j.LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME))
        .setLevel(ch.qos.logback.classic.Level.OFF);
    ((ch.qos.logback.classic.Logger) org.slf4j.LoggerFactory.getLogger("dev.holdfast"))
        .setLevel(ch.qos.logback.classic.Level.OFF);
    Path home = Files.createTempDirectory("holdfast-bit-flips");
    try {
      System.out.println(run(home));
    } finally {
      Folders.delete(home);
    }
    return bad.isEmpty() ? 0 : 1;
  }

  /// What was not as it should be.
  List<String> bad() {
    return bad;
  }

  int seen() {
    return seen;
  }

  String run(Path home) throws Exception {
    Random random = new Random(seed);
    Path image = home.resolve("image");
    Map<FlippedIndex, List<String>> objects = build(home.resolve("first"), image);
    List<String> common = keys(image, "cluster/", "log/");
    for (int round = 0; flipped < flips || taken < removed; round++) {
      Path folder = home.resolve("round-" + round);
      Folders.copy(image, folder);
      Map<FlippedIndex, Flip> done = new HashMap<>();
      if (round % 10 == 9) {
        refuseOrRight(folder, harm(folder, common, random));
      } else {
        for (FlippedIndex index : all) {
          // One in eight stays whole: it must not notice the others.
          List<String> of = objects.getOrDefault(index, List.of());
          boolean isLeft = flipped < flips || taken < removed;
          if (random.nextInt(8) > 0 && isLeft && !of.isEmpty()) {
            done.put(index, harm(folder, of, random));
          }
        }
        judge(folder, done);
      }
      Folders.delete(folder);
      System.out.printf(
          "round %d: %d flips, %d removed, %d seen, %d bad%n",
          round, flipped, taken, seen, bad.size());
      bad.stream().skip(shown).limit(SHOWN_MAX).forEach(System.out::println);
      shown = bad.size();
    }
    return String.format(
        java.util.Locale.ROOT,
        "%d flips, %d objects removed, %d seen: answers %s; %d bad; %d starts refused by name; %d"
            + " green though named, %d not named by health; %d effects on others",
        flipped,
        taken,
        seen,
        answers,
        bad.size(),
        refusedStarts,
        greens,
        notRed,
        others);
  }

  private Node start(Path folder) throws Exception {
    NodeSettings settings = NodeSettings.defaults(folder);
    return Node.start(settings.at(0, settings.store()), RealWorld.create(), why -> {});
  }

  private static Http http(Node node) {
    return new Http(node.identity().address(), Duration.ofSeconds(60));
  }

  /// Copied while the node lives, so that some of it lies in the log only.
  private Map<FlippedIndex, List<String>> build(Path first, Path image) throws Exception {
    for (int i = 0; i < indices; i++) {
      all.add(new FlippedIndex("flip-" + i, seed * 1000 + i));
    }
    try (Node node = start(first)) {
      Http http = http(node);
      for (FlippedIndex index : all) {
        index.fill(http);
        index.learn(http);
      }
      Folders.copy(first, image);
      Map<FlippedIndex, List<String>> objects = new HashMap<>();
      List<String> there = keys(image, "shards/");
      for (FlippedIndex index : all) {
        // By name: an upload may end when the next index is being filled.
        String folder = "/" + index.uuid(http) + "/";
        objects.put(index, there.stream().filter(key -> key.contains(folder)).toList());
      }
      return objects;
    }
  }

  private static List<String> keys(Path folder, String... prefixes) throws IOException {
    Path store = folder.resolve("store");
    List<String> keys = new ArrayList<>();
    try (Stream<Path> files = Files.walk(store)) {
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        String key = store.relativize(file).toString();
        for (String prefix : prefixes) {
          if (key.startsWith(prefix)) {
            keys.add(key);
          }
        }
      }
    }
    return keys;
  }

  private Flip harm(Path folder, List<String> keys, Random random) throws IOException {
    if (flipped < flips) {
      return flip(folder, keys, random);
    }
    List<String> choice = keys.stream().filter(key -> !isNewestOfLog(key, keys)).toList();
    String key = choice.get(random.nextInt(choice.size()));
    Files.delete(folder.resolve("store").resolve(key));
    taken++;
    return new Flip(key, -1, -1);
  }

  private static boolean isNewestOfLog(String key, List<String> keys) {
    String log = key.substring(0, key.lastIndexOf('/') + 1);
    return key.startsWith("log/")
        && keys.stream().filter(other -> other.startsWith(log) && other.compareTo(key) > 0).count()
            < NEWEST_OF_LOG;
  }

  private Flip flip(Path folder, List<String> keys, Random random) throws IOException {
    String key = keys.get(random.nextInt(keys.size()));
    Path file = folder.resolve("store").resolve(key);
    byte[] bytes = Files.readAllBytes(file);
    // As often in the tail, where most is decided, as anywhere.
    int from = random.nextBoolean() ? 0 : Math.max(0, bytes.length - 16_384);
    Flip flip = new Flip(key, from + random.nextInt(bytes.length - from), random.nextInt(8));
    bytes[(int) flip.offset] ^= (byte) (1 << flip.bit);
    Files.write(file, bytes);
    flipped++;
    return flip;
  }

  private void judge(Path folder, Map<FlippedIndex, Flip> done) throws Exception {
    try (Node node = start(folder);
        ExecutorService asking = Executors.newFixedThreadPool(4)) {
      Http http = http(node);
      Map<FlippedIndex, Future<List<FlippedIndex.Judged>>> judging = new HashMap<>();
      for (FlippedIndex index : all) {
        Flip flip = done.get(index);
        judging.put(index, asking.submit(() -> index.judge(http, flip == null ? "" : flip.key())));
      }
      for (FlippedIndex index : all) {
        Flip flip = done.get(index);
        List<FlippedIndex.Judged> judged = Objects.requireNonNull(judging.get(index)).get();
        count(flip, judged);
        if (flip != null) {
          requireNotGreen(http, index, flip, judged);
        }
      }
    }
  }

  /// Whoever was told of damage finds it in the health of the index.
  private void requireNotGreen(
      Http http, FlippedIndex index, Flip flip, List<FlippedIndex.Judged> judged)
      throws IOException, InterruptedException {
    if (judged.stream().noneMatch(one -> one.answer() == FlippedIndex.Answer.NAMED)) {
      return;
    }
    long endNanos = System.nanoTime() + HEALTH_MAX.toNanos();
    while (true) {
      com.fasterxml.jackson.databind.JsonNode health =
          http.get("/_cluster/health/" + index.name).body();
      boolean isGreen = health.path("status").asText().equals("green");
      boolean isNamed = health.toString().contains(flip.key());
      if (!isGreen && isNamed) {
        return;
      }
      if (System.nanoTime() > endNanos) {
        greens += isGreen ? 1 : 0;
        notRed += isNamed ? 0 : 1;
        bad.add("health does not tell of " + flip + ": " + health);
        return;
      }
      Thread.sleep(100);
    }
  }

  private void count(
      @org.jspecify.annotations.Nullable Flip flip, List<FlippedIndex.Judged> judged) {
    boolean isSeen = false;
    for (FlippedIndex.Judged one : judged) {
      answers.merge(one.answer(), 1, Integer::sum);
      isSeen |= one.answer() != FlippedIndex.Answer.RIGHT;
      boolean isBad =
          one.answer() == FlippedIndex.Answer.WRONG || one.answer() == FlippedIndex.Answer.UNNAMED;
      if (isBad) {
        bad.add(one.answer() + " " + flip + ": " + one.what());
        others += flip == null ? 1 : 0;
      }
    }
    seen += isSeen ? 1 : 0;
  }

  /// Damage of what all shards share: the node refuses to start and names it, or all is right.
  private void refuseOrRight(Path folder, Flip flip) throws Exception {
    Node node;
    try {
      node = start(folder);
    } catch (Exception e) {
      String text = text(e);
      refusedStarts++;
      seen++;
      if (!text.contains(flip.key())) {
        bad.add(flip + ": the start was refused without the object's name: " + text);
      }
      return;
    }
    try (node) {
      Http http = http(node);
      for (FlippedIndex index : all) {
        count(flip, index.judge(http, flip.key()));
      }
    }
  }

  private static String text(Throwable failure) {
    StringBuilder text = new StringBuilder();
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      text.append(cause).append("; ");
    }
    return text.toString();
  }
}
