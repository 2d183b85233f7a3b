package dev.holdfast.search.execution;

import dev.holdfast.search.copy.OpenCommit;
import dev.holdfast.world.WorkPool;
import dev.holdfast.world.World;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Gives back the commits that searches have read.
///
/// Whoever gives back a commit last closes its files. Each mapping of them ends when all threads of
/// the process have been asked whether they read it, which takes a busy machine seconds for a
/// commit, and the thread that asks can do nothing else, nor can another virtual thread in its
/// place. That concerns commits that were replaced while they were searched: they are closed by a
/// thread of their own, and no answer waits for it.
final class CommitRelease implements AutoCloseable {
  /// No release is refused.
  private static final int QUEUE_MAX = Integer.MAX_VALUE / 2;

  private final World world;
  private final WorkPool closing;

  CommitRelease(World world) {
    this.world = world;
    this.closing = world.tasks().pool("close-commits", 1, QUEUE_MAX);
  }

  void release(List<@Nullable SearchTarget> targets) throws IOException {
    List<OpenCommit> replaced = new ArrayList<>();
    for (SearchTarget target : targets) {
      if (target == null) {
        continue;
      }
      if (target.opened().isLast()) {
        replaced.add(target.opened());
      } else {
        target.opened().release();
      }
    }
    if (!replaced.isEmpty()) {
      var _ =
          world.tasks().start("release-commits", () -> closing.call(() -> releaseAll(replaced)));
    }
  }

  private static int releaseAll(List<OpenCommit> replaced) throws IOException {
    for (OpenCommit commit : replaced) {
      commit.release();
    }
    return replaced.size();
  }

  @Override
  public void close() {
    closing.close();
  }
}
