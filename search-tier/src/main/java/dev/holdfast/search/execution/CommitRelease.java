package dev.holdfast.search.execution;

import dev.holdfast.search.copy.OpenCommit;
import dev.holdfast.world.WorkPool;
import dev.holdfast.world.World;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.apache.lucene.util.IOUtils;
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
          world
              .tasks()
              .start("release-commits", () -> releaseApart(replaced), () -> releaseAll(replaced));
    }
  }

  private void releaseApart(List<OpenCommit> replaced) throws Exception {
    try {
      var _ = closing.call(() -> releaseAll(replaced));
    } catch (RejectedExecutionException e) {
      var _ = releaseAll(replaced); // the node stops: the pool is closed
    }
  }

  /// All of them, whatever becomes of one: nobody else has these references.
  private static int releaseAll(List<OpenCommit> replaced) {
    try {
      IOUtils.close(replaced.stream().<Closeable>map(commit -> commit::release).toList());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return replaced.size();
  }

  @Override
  public void close() {
    closing.close();
  }
}
