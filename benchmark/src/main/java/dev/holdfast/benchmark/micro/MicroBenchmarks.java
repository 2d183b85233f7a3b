package dev.holdfast.benchmark.micro;

import java.util.concurrent.Callable;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Runs JMH's benchmarks of the hot loops, each in a Java machine of its own.
@Command(
    name = "micro",
    mixinStandardHelpOptions = true,
    description = "Hot loops: scan, columns, doc values, log (JMH).")
public final class MicroBenchmarks implements Callable<Integer> {
  @Parameters(
      arity = "0..1",
      defaultValue = ".*",
      description = "Which benchmarks, as a pattern (default: all).")
  private String pattern = ".*";

  @Option(names = "--forks", defaultValue = "2", description = "Java machines (default: 2).")
  private int forks;

  @Option(names = "--warmup", defaultValue = "4", description = "Seconds of warm-up (default: 4).")
  private int warmupSeconds;

  @Option(names = "--seconds", defaultValue = "5", description = "Seconds measured (default: 5).")
  private int seconds;

  @Override
  public Integer call() throws Exception {
    Options options =
        new OptionsBuilder()
            .include("dev\\.holdfast\\.benchmark\\.micro\\..*(" + pattern + ").*")
            .forks(forks)
            .warmupIterations(warmupSeconds)
            .warmupTime(TimeValue.seconds(1))
            .measurementIterations(seconds)
            .measurementTime(TimeValue.seconds(1))
            .jvmArgsAppend("-Xmx1g", "-XX:+UseParallelGC", "-XX:+UseCompactObjectHeaders")
            .build();
    var _ = new Runner(options).run();
    return 0;
  }
}
