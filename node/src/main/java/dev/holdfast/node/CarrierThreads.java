package dev.holdfast.node;

import dev.holdfast.world.FromTheWorld;
import dev.holdfast.world.real.EndedTasks;
import java.lang.management.ManagementFactory;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import jdk.management.VirtualThreadSchedulerMXBean;

/// How many virtual threads run at the same time. The Java machine lets as many run as there are
/// processors, each until it waits: two requests whose answers take seconds to compute (merging,
/// analysing, rendering) would keep all others of a small machine, and its timers, from running.
/// With more of them the machine's scheduler shares the processors out.
///
/// What writes or parses lets no other run meanwhile, and where threads yield the JDK's scheduler
/// may run the same ones again: it takes from one of its queues as long as there is something in
/// it. As many such threads as there are carriers would keep a health call waiting until one has
/// ended. So there are more carriers while those that there are have let no other thread run for a
/// moment. Where threads end all the time there are only many: more carriers would take the
/// processors from the threads that read and send.
@FromTheWorld
final class CarrierThreads {
  private static final String PROPERTY = "jdk.virtualThreadScheduler.parallelism";
  private static final String POOL_PROPERTY = "jdk.virtualThreadScheduler.maxPoolSize";

  private static final int MIN = 8;
  private static final int BY_PROCESSOR = 4;

  /// What a machine has at most, however many of them compute.
  private static final int MAX = 64;

  private static final int STEP = 16;
  private static final long LOOK_EVERY_MILLIS = 50;
  private static final long PATIENCE_MILLIS = 20;

  /// Looks at which nothing waited, after which there are fewer again.
  private static final int FREE_LOOKS = 100;

  private final VirtualThreadSchedulerMXBean scheduler;
  private final int usual;
  private final int max;
  private int freeLooks;
  private long ended;
  private CountDownLatch ran = new CountDownLatch(0);

  private CarrierThreads(VirtualThreadSchedulerMXBean scheduler) {
    this.scheduler = scheduler;
    this.usual = scheduler.getParallelism();
    this.max = Math.max(usual, Math.min(MAX, Integer.getInteger(POOL_PROPERTY, MAX)));
  }

  /// Called before the first virtual thread is made, which reads it; what the command line says
  /// stands while others get to run.
  static void allow() {
    if (System.getProperty(PROPERTY) == null) {
      int count = of(Runtime.getRuntime().availableProcessors());
      System.setProperty(PROPERTY, Integer.toString(count));
    }
    var _ = Thread.ofPlatform().daemon().name("carriers").start(CarrierThreads::watch);
  }

  static int of(int processors) {
    return Math.max(MIN, BY_PROCESSOR * processors);
  }

  private static void watch() {
    try {
      Thread.sleep(LOOK_EVERY_MILLIS); // whoever starts is not kept from it
      CarrierThreads carriers =
          new CarrierThreads(
              ManagementFactory.getPlatformMXBean(VirtualThreadSchedulerMXBean.class));
      while (true) {
        carriers.look();
        Thread.sleep(LOOK_EVERY_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void look() throws InterruptedException {
    int now = scheduler.getParallelism();
    long endedBefore = ended;
    ended = EndedTasks.count();
    if (scheduler.getQueuedVirtualThreadCount() == 0 || letAnotherRun()) {
      freeLooks++;
      if (freeLooks >= FREE_LOOKS && now > usual) {
        scheduler.setParallelism(Math.max(usual, now - STEP));
        freeLooks = 0;
      }
      return;
    }
    freeLooks = 0;
    long progress = EndedTasks.count() - endedBefore;
    // Where not all run, it is the machine that has no time.
    if (scheduler.getMountedVirtualThreadCount() >= now && 2 * progress < now && now < max) {
      scheduler.setParallelism(Math.min(max, now + STEP));
    }
  }

  /// Whether a new thread has its turn soon: it waits behind those that wait already. One at a
  /// time: while the last has not run, no other is made.
  private boolean letAnotherRun() throws InterruptedException {
    if (ran.getCount() == 0) {
      CountDownLatch next = new CountDownLatch(1);
      var _ = Thread.ofVirtual().name("carriers").start(next::countDown);
      ran = next;
    }
    return ran.await(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
  }
}
