package dev.holdfast.benchmark;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// Clients that do something again and again until they are told to stop, each on a thread of its
/// own, with a think time of 1 to 5 ms (§8.1).
final class LoadClients implements AutoCloseable {
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final List<Future<List<Double>>> running = new ArrayList<>();
  private final long seed;
  private volatile boolean isOver;

  LoadClients(long seed) {
    this.seed = seed;
  }

  /// What a client does in one turn.
  interface Turn {
    void run(int client, Random random) throws Exception;
  }

  void start(int count, Turn turn) {
    for (int i = 0; i < count; i++) {
      int client = i;
      Random random = new Random(seed + 31L * running.size());
      running.add(
          threads.submit(() -> {
            List<Double> millis = new ArrayList<>();
            while (!isOver) {
              long start = System.nanoTime();
              turn.run(client, random);
              millis.add((System.nanoTime() - start) / 1e6);
              Thread.sleep(1 + random.nextInt(5));
            }
            return millis;
          }));
    }
  }

  void stop() {
    isOver = true;
  }

  /// Waits for the end.
  ///
  /// @param from the first of the clients started
  /// @return milliseconds of each turn of those clients
  List<Double> await(int from, int count) throws Exception {
    List<Double> all = new ArrayList<>();
    for (Future<List<Double>> client : running.subList(from, from + count)) {
      all.addAll(client.get());
    }
    return all;
  }

  @Override
  public void close() {
    stop();
    threads.close();
  }
}
