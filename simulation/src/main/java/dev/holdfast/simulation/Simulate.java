package dev.holdfast.simulation;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.holdfast.simulation.cluster.ClusterShape;
import dev.holdfast.simulation.cluster.Plant;
import dev.holdfast.simulation.fortnight.FortnightPlant;
import dev.holdfast.simulation.fortnight.Fortnights;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `./holdfast simulate`: runs seeds and says which of them break a promise.
@Command(
    name = "holdfast simulate",
    mixinStandardHelpOptions = true,
    description = "Runs whole clusters, one thread and one seed each, and checks every promise.")
public final class Simulate implements Callable<Integer> {
  private static final int PROGRESS_SEEDS = 100;

  @Option(names = "--seeds", description = "how many seeds to run (default: ${DEFAULT-VALUE})")
  private int seeds = 200;

  @Option(names = "--from", description = "the first seed (default: ${DEFAULT-VALUE})")
  private long from = 1;

  @Option(
      names = "--plant",
      description =
          "plant a known bug and stop when it is found: lease-read-before-upload, fence-skipped,"
              + " replay-behind-gaps, delete-before-publish, notice-before-durability,"
              + " tell-before-durable, in-use-report-ignored, treat-lost-state-as-empty,"
              + " serves-without-limit, applied-twice, own-conflict, origin-not-logged,"
              + " ignore-gaps, waits-for-the-lease, lost-lease-stays-lost, acknowledges-at-once;"
              + " and with --splits:"
              + " added-shard-forgets, division-forgotten,"
              + " given-up-too-late")
  private String plant = "none";

  @Option(
      names = "--shape",
      description =
          "solo: one process and its successors; tiers: two indexing and two search nodes; equals:"
              + " three nodes with all roles; all: a third of the seeds each (default:"
              + " ${DEFAULT-VALUE})")
  private String shape = "all";

  @Option(names = "--verbose", description = "show what each seed did, and the nodes' logs")
  private boolean isVerbose;

  @Option(
      names = "--fortnight",
      description =
          "two weeks of data streams, on a calendar that leaps, once without nodes and once with"
              + " them; plants: deletes-what-is-young, keeps-what-is-old, acknowledges-at-once,"
              + " counts-from-creation, misses-when-downsampled")
  private boolean isFortnight;

  @Option(
      names = "--splits",
      description = "one index that gets more shards again and again, instead of two that do not")
  private boolean isSplit;

  @Option(names = "--keep-going", description = "do not stop at the first failure")
  private boolean keepsGoing;

  private final PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);

  private Simulate() {}

  public static void main(String[] arguments) {
    System.exit(new CommandLine(new Simulate()).execute(arguments));
  }

  /// The command that shows a seed again.
  static String replay(long seed, ClusterShape shape, Plant plant) {
    return "./holdfast simulate --seeds 1 --verbose --from "
        + seed
        + " --shape "
        + shape.option()
        + (plant == Plant.NONE ? "" : " --plant " + plant.option());
  }

  @Override
  public Integer call() throws IOException {
    for (String logger : List.of(org.slf4j.Logger.ROOT_LOGGER_NAME, "dev.holdfast")) {
      ((Logger) LoggerFactory.getLogger(logger)).setLevel(isVerbose ? Level.INFO : Level.OFF);
    }
    if (isFortnight) {
      Consumer<String> narrator = isVerbose ? out::println : null;
      FortnightPlant planted = FortnightPlant.named(plant);
      return Fortnights.run(from, seeds, planted, keepsGoing, out, narrator) == 0 ? 0 : 1;
    }
    Plant planted = Plant.of(plant);
    long startNanos = System.nanoTime();
    int failed = 0;
    Totals totals = new Totals();
    for (long seed = from; seed < from + seeds; seed++) {
      ClusterShape shaped = shape.equals("all") ? ClusterShape.of(seed) : ClusterShape.of(shape);
      Consumer<String> narrator = isVerbose ? out::println : null;
      HistoryOutcome outcome =
          isSplit
              ? SplitHistory.of(seed, shaped, planted, narrator)
              : SimulatedHistory.of(seed, shaped, planted, narrator);
      totals.add(outcome);
      if (isVerbose) {
        out.println(outcome);
      }
      if (totals.count % PROGRESS_SEEDS == 0) {
        out.println(totals.sentence((System.nanoTime() - startNanos) / 1e9, failed));
      }
      if (!outcome.isGood()) {
        failed++;
        for (String violation : outcome.violations().stream().limit(3).toList()) {
          out.println("seed " + seed + " " + violation);
        }
        out.println("replay: " + replay(seed, shaped, planted) + (isSplit ? " --splits" : ""));
        if (!keepsGoing) {
          out.printf(Locale.ROOT, "found after %d seeds%n", seed - from + 1);
          break;
        }
      }
    }
    double seconds = (System.nanoTime() - startNanos) / 1e9;
    out.println(totals.sentence(seconds, failed));
    return failed == 0 ? 0 : 1;
  }

  /// Sums over seeds.
  private static final class Totals {
    private int count;
    private long virtualMillis;
    private long steps;
    private long acknowledged;
    private long reads;
    private long searches;
    private long troubles;
    private long unknown;
    private long requests;
    private long deletes;

    void add(HistoryOutcome outcome) {
      count++;
      virtualMillis += outcome.virtualMillis();
      steps += outcome.steps();
      acknowledged += outcome.acknowledged();
      reads += outcome.reads();
      searches += outcome.searches();
      troubles += outcome.troubles();
      unknown += outcome.unknown();
      requests += outcome.requests();
      deletes += outcome.deletes();
    }

    String sentence(double seconds, int failed) {
      return String.format(
          Locale.ROOT,
          "%d seeds in %.1f s (%.1f a second): %d failed; %d virtual s, %d steps, %d troubles, "
              + "%d writes acknowledged, %d of unknown fate, %d reads, %d searches, "
              + "%d store requests, %d objects deleted",
          count,
          seconds,
          count / seconds,
          failed,
          virtualMillis / 1000,
          steps,
          troubles,
          acknowledged,
          unknown,
          reads,
          searches,
          requests,
          deletes);
    }
  }
}
