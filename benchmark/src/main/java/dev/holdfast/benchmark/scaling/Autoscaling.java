package dev.holdfast.benchmark.scaling;

import dev.holdfast.autoscaler.NodeSize;
import dev.holdfast.autoscaler.ScalingPolicy;
import dev.holdfast.autoscaler.replay.Replay;
import dev.holdfast.autoscaler.replay.ReplayedLoad;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `./holdfast benchmark autoscaler`: a day of each of six loads against the real decision and a
/// model of a tier (§7): node-hours, time above the latency goal and dollars beside a fleet of
/// fixed size that is large enough for the busiest minute.
@Command(
    name = "autoscaler",
    mixinStandardHelpOptions = true,
    description = "Six loads, a tier that follows them and one that is always large enough.")
public final class Autoscaling implements Callable<Integer> {
  private static final String COLUMNS =
      "load,node_hours,fixed_node_hours,part,slow_percent,fixed_slow_percent,turns_an_hour,"
          + "nodes_max,dollars,fixed_dollars";

  private static final double PART_MAX = 0.5;
  private static final double SLOW_MAX = 0.01;
  private static final double TURNS_MAX = 2;

  @Option(names = "--cores", description = "of a node (default: ${DEFAULT-VALUE})")
  private int cores = 4;

  @Option(names = "--dollars", description = "a node and hour (default: ${DEFAULT-VALUE})")
  private double dollars = 0.145;

  @Option(names = "--seed", description = "(default: ${DEFAULT-VALUE})")
  private long seed = 42;

  @Option(names = "--csv", description = "folder for the figures as CSV")
  private @Nullable Path folder;

  @Override
  public Integer call() throws Exception {
    List<String> lines = new ArrayList<>();
    lines.add(COLUMNS);
    double hours = 0;
    double fixedHours = 0;
    boolean isGood = true;
    for (ReplayedLoad load : ReplayedLoad.values()) {
      Replay.Outcome outcome =
          Replay.of(load, NodeSize.ofCores(cores), ScalingPolicy.defaults(), seed);
      hours += outcome.nodeHours();
      fixedHours += outcome.fixedNodeHours();
      isGood &= outcome.slowPart() <= SLOW_MAX && outcome.turns() <= TURNS_MAX;
      lines.add(line(load, outcome));
    }
    lines.forEach(System.out::println);
    System.out.printf(
        "all six: %.0f of %.0f node-hours, %.2f (wanted: at most %.2f)%n",
        hours, fixedHours, hours / fixedHours, PART_MAX);
    if (folder != null) {
      var _ = Files.write(Files.createDirectories(folder).resolve("autoscaler.csv"), lines);
    }
    return isGood && hours <= PART_MAX * fixedHours ? 0 : 1;
  }

  private String line(ReplayedLoad load, Replay.Outcome outcome) {
    return String.format(
        Locale.ROOT,
        "%s,%.2f,%.2f,%.2f,%.2f,%.2f,%.2f,%d,%.2f,%.2f",
        load.label(),
        outcome.nodeHours(),
        outcome.fixedNodeHours(),
        outcome.part(),
        100 * outcome.slowPart(),
        100 * outcome.fixedSlowPart(),
        outcome.turns(),
        outcome.nodesMax(),
        dollars * outcome.nodeHours(),
        dollars * outcome.fixedNodeHours());
  }
}
