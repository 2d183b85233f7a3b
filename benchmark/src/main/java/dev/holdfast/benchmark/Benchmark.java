package dev.holdfast.benchmark;

import dev.holdfast.benchmark.micro.MicroBenchmarks;
import dev.holdfast.benchmark.process.Aggressor;
import dev.holdfast.benchmark.process.Figure11;
import dev.holdfast.benchmark.process.Figure12;
import dev.holdfast.benchmark.process.Figure13;
import dev.holdfast.benchmark.scaling.Autoscaling;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/// `./holdfast benchmark NAME`: one class a measurement.
@Command(
    name = "benchmark",
    mixinStandardHelpOptions = true,
    description = "Measures the product's own classes.",
    subcommands = {
      Aggressor.class,
      Autoscaling.class,
      ColdSearch.class,
      Figure9.class,
      Figure10.class,
      Figure11.class,
      Figure12.class,
      Figure13.class,
      HollowShards.class,
      MicroBenchmarks.class,
      Recoveries.class,
      ScriptArithmetic.class,
      ScriptRace.class,
      ShipperLoad.class
    })
public final class Benchmark {
  private Benchmark() {}

  public static void main(String[] arguments) {
    ((ch.qos.logback.classic.Logger) org.slf4j.LoggerFactory.getLogger("ROOT"))
        .setLevel(ch.qos.logback.classic.Level.WARN);
    System.exit(new CommandLine(new Benchmark()).execute(arguments));
  }
}
