package dev.holdfast.node.project;

import dev.holdfast.node.wiring.Rooms;
import dev.holdfast.project.Project;
import dev.holdfast.world.Tasks;
import dev.holdfast.world.World;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import org.apache.lucene.util.IOUtils;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The place of one project in this process: opens, closes and opens again what is wanted there, in
/// a task of its own, so that none waits for another.
final class ProjectSlot {
  private static final Logger LOG = LoggerFactory.getLogger(ProjectSlot.class);

  /// After a project could not be opened.
  private static final Duration RETRY_AFTER = Duration.ofSeconds(3);

  private final String name;
  private final Rooms.Ground ground;
  private final ProjectCalls calls;
  private final World world;
  private final Semaphore changed = new Semaphore(0);
  private final Tasks.Task task;
  private volatile @Nullable Project wanted;
  private volatile @Nullable OpenProject open;
  private volatile boolean isEvicted;
  private volatile boolean isClosing;
  private volatile String failure = "";

  ProjectSlot(String name, Rooms.Ground ground, ProjectCalls calls) {
    this.name = name;
    this.ground = ground;
    this.calls = calls;
    this.world = ground.threads().world();
    this.task = world.tasks().start("project " + name, this::run);
  }

  /// @param project null when there is to be none
  void want(@Nullable Project project) {
    wanted = project;
    changed.release();
  }

  /// What serves requests now; null while nothing does.
  @Nullable OpenProject open() {
    OpenProject now = open;
    return now == null || isEvicted ? null : now;
  }

  /// Why it was not opened last; empty when nothing failed.
  String failure() {
    return failure;
  }

  private void run() throws InterruptedException {
    while (!isClosing) {
      boolean isDone = false;
      try {
        isDone = step();
      } catch (InterruptedException e) {
        throw e; // the process ends
      } catch (Exception | Error e) { // the others go on
        failure = String.valueOf(e.getMessage());
        LOG.warn("a project could not be opened and is tried again [project={}]", name, e);
      }
      boolean _ = world.sleeper().acquire(changed, isDone ? Duration.ofDays(1) : RETRY_AFTER);
      changed.drainPermits();
    }
    close(null);
  }

  /// @return whether there is nothing to do until something changes
  private boolean step() throws Exception {
    Project next = wanted;
    OpenProject now = open;
    if (now != null && (isEvicted || !now.project().equals(next))) {
      close(next);
    }
    if (next != null && open == null) {
      isEvicted = false;
      OpenProject opened = OpenProject.open(next, ground, calls, this::evicted);
      LOG.info("a project is open [project={}, uuid={}]", name, next.uuid());
      failure = "";
      open = opened;
    }
    Project current = wanted;
    return !isEvicted && (current == null ? next == null : current.equals(next));
  }

  private void evicted(String why) {
    LOG.warn(
        "a project is opened again: this node was given up by it [project={}, why={}]", name, why);
    isEvicted = true;
    changed.release();
  }

  /// @param next what comes in its place: nothing of a deleted project stays on this machine
  private void close(@Nullable Project next) {
    OpenProject now = open;
    open = null;
    if (now == null) {
      return;
    }
    now.close();
    boolean isDeleted = !isClosing && (next == null || !next.uuid().equals(now.project().uuid()));
    if (isDeleted) {
      try {
        IOUtils.rm(OpenProject.folder(ground.settings(), now.project()));
      } catch (java.io.IOException e) {
        LOG.warn("caches of a deleted project are left [project={}]", name, e);
      }
    }
    LOG.info("a project is closed [project={}, is_deleted={}]", name, isDeleted);
  }

  void drain() throws InterruptedException {
    OpenProject now = open;
    if (now != null) {
      now.drain();
    }
  }

  /// Ends it; [#join] waits for that.
  void close() {
    isClosing = true;
    changed.release();
  }

  void join() throws InterruptedException {
    task.join();
  }
}
