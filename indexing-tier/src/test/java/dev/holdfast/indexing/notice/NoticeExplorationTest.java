package dev.holdfast.indexing.notice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.compoundcommit.BlobId;
import dev.holdfast.compoundcommit.CompoundCommit;
import dev.holdfast.compoundcommit.FileLocation;
import dev.holdfast.compoundcommit.TranslogPosition;
import dev.holdfast.compoundcommit.notice.InUse;
import dev.holdfast.compoundcommit.store.BlobReferences;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The protocols of notices (§4.1) and deletion (§6) as steps over a small world, every order of
/// which is tried: an owner commits, logs, uploads, tells one search copy, asks it what it reads,
/// and deletes blobs and log files; messages are lost; the owner may be evicted at any moment, and
/// its successor recovers from the store. Which blobs may go is decided by [BlobReferences].
final class NoticeExplorationTest {
  /// What the protocol does wrong.
  private enum Bug {
    NONE,
    /// A commit is told of while its operation is not in the log.
    NOTICE_BEFORE_DURABILITY,
    /// A log file goes while the commit that has its operation is on its way to the store.
    DELETE_BEFORE_PUBLISH,
    /// What the copy reads is not asked.
    IN_USE_REPORT_IGNORED,
    /// A copy that was told and has not answered counts as reading what it last said.
    NOTICE_NOT_COUNTED,
    /// A copy that waits for a commit it asked for says what it reads without it.
    ASKING_NOT_SAID,
    /// What a copy says is taken for all while a notice to it may still be on its way.
    UNANSWERED_NOT_COUNTED,
    /// What a copy says is dropped when it asked for a commit meanwhile.
    ANSWER_DROPPED,
    /// The lease is not read before blobs are deleted.
    LEASE_NOT_READ
  }

  @Test
  void nothingThatWasSeenIsLostAndNothingThatIsReadIsDeletedInAnyOrder() {
    Exploration all = explore(Bug.NONE);

    assertThat(all.wrong).isNull();
    assertThat(all.states).isGreaterThan(10_000);
  }

  @ParameterizedTest
  @EnumSource(value = Bug.class, names = "NONE", mode = EnumSource.Mode.EXCLUDE)
  void aBugIsFound(Bug bug) {
    assertThat(explore(bug).wrong).isNotNull();
  }

  private record Exploration(int states, @Nullable String wrong) {}

  private static Exploration explore(Bug bug) {
    Deque<NoticeWorld> next = new ArrayDeque<>(List.of(new NoticeWorld(), takenOver()));
    Set<Long> known = new HashSet<>();
    next.forEach(first -> known.add(first.key()));
    while (!next.isEmpty()) {
      NoticeWorld world = next.removeFirst();
      String wrong = wrong(world);
      if (wrong != null) {
        return new Exploration(known.size(), wrong);
      }
      List<NoticeWorld> after = new ArrayList<>();
      write(world, after);
      tell(world, bug, after);
      search(world, after);
      deleteBlobs(world, bug, after);
      deleteLog(world, bug, after);
      evict(world, after);
      for (NoticeWorld one : after) {
        if (known.add(one.key())) {
          next.addLast(one);
        }
      }
    }
    return new Exploration(known.size(), null);
  }

  /// The owner has just taken over and does not know that a search reads an old commit.
  private static NoticeWorld takenOver() {
    return new NoticeWorld()
        .then(n -> {
          n.made = 2;
          n.durable = 2;
          n.newest = 2;
          n.uploaded = 2;
          n.blobs = NoticeWorld.blobsOf(2);
          n.open = 1;
          n.reading = 1;
        });
  }

  private static @Nullable String wrong(NoticeWorld w) {
    int recovered = w.base >= 0 ? w.base : w.newest;
    if ((NoticeWorld.blobsOf(recovered) & ~w.blobs) != 0) {
      return "a recovery misses a blob";
    }
    if (recovered < w.durable && w.released > recovered) {
      return "a recovery misses a log file";
    }
    if (w.shown > Math.max(recovered, w.durable)) {
      return "a search showed what a recovery does not have";
    }
    int uploaded = (1 << w.newest) - 1;
    if ((w.inUse() & uploaded & ~w.blobs) != 0) {
      return "a blob is gone that the copy reads";
    }
    return w.open < w.told ? "a refresh was answered that the copy does not show" : null;
  }

  private static void write(NoticeWorld w, List<NoticeWorld> after) {
    if (w.made < NoticeWorld.COMMITS && !w.isEvicted) {
      after.add(w.then(n -> n.made++));
    }
    if (w.durable < w.made && !w.isEvicted) {
      after.add(w.then(n -> n.durable++));
    }
    // An upload of an evicted owner may still come through: nobody looks for it.
    if (w.newest < w.durable && w.newest == w.uploaded) {
      after.add(
          w.then(n -> {
            n.newest++;
            n.blobs |= NoticeWorld.blob(n.newest);
          }));
    }
    if (w.uploaded < w.newest) {
      after.add(w.then(n -> n.uploaded = n.newest));
    }
  }

  /// As [ShardNotices] does.
  private static void tell(NoticeWorld w, Bug bug, List<NoticeWorld> after) {
    int news = bug == Bug.NOTICE_BEFORE_DURABILITY ? w.made : w.durable;
    if (w.notice == 0 && news > w.told) {
      after.add(
          w.then(n -> {
            n.notice = news;
            n.askedBeforeNotice = n.asked;
            n.isUnanswered = true;
            n.known |= bug == Bug.NOTICE_NOT_COUNTED ? 0 : NoticeWorld.blobsOf(news);
          }));
    }
    if (w.answer >= 0) {
      boolean isAll = w.asked == w.askedBeforeNotice;
      after.add(
          w.then(n -> {
            n.known = isAll ? n.answer : n.known | n.answer;
            n.told = n.notice;
            n.notice = 0;
            n.isUnanswered = false;
            n.answer = -1;
          }));
      after.add(
          w.then(n -> { // lost: it will be told again
            n.notice = 0;
            n.answer = -1;
          }));
    }
  }

  private static void search(NoticeWorld w, List<NoticeWorld> after) {
    if (w.notice > 0 && w.answer < 0 && w.pending == 0) {
      after.add(
          w.notice > w.open
              ? w.then(n -> n.pending = n.notice)
              : w.then(n -> n.answer = n.inUse()));
    }
    if (w.pending > 0) {
      after.add(
          w.then(n -> {
            n.open = Math.max(n.open, n.pending);
            n.pending = 0;
          }));
    }
    // A copy that is new asks for the newest commit itself.
    if (w.newestTold < 0 && w.durable > 0) {
      after.add(
          w.then(n -> {
            n.newestTold = n.durable;
            n.asked++;
            n.known |= NoticeWorld.blobsOf(n.durable);
          }));
    }
    if (w.newestTold > 0 && w.pending == 0) {
      after.add(
          w.then(n -> {
            n.pending = n.newestTold > n.open ? n.newestTold : 0;
            n.newestTold = 0;
          }));
    }
    if (w.open > 0 && w.reading == 0) {
      after.add(
          w.then(n -> {
            n.reading = n.open;
            n.shown = Math.max(n.shown, n.open);
          }));
    }
    if (w.reading > 0) {
      after.add(w.then(n -> n.reading = 0));
    }
  }

  /// As `StoredBlobs` does.
  private static void deleteBlobs(NoticeWorld w, Bug bug, List<NoticeWorld> after) {
    switch (w.deletion) {
      case NONE -> {
        int due = deletable(w, w.blobs, bug);
        if (due != 0) {
          after.add(
              w.then(n -> {
                n.due = due;
                n.deletion = NoticeWorld.Deletion.LOOKED;
              }));
        }
      }
      case LOOKED ->
          after.add(
              w.then(n -> {
                n.askedBefore = n.asked;
                n.deletion = NoticeWorld.Deletion.ASKED;
              }));
      case ASKED -> {
        boolean isRefused = w.newestTold > 0 && bug != Bug.ASKING_NOT_SAID;
        after.add(
            w.then(n -> {
              n.said = isRefused ? 0 : n.inUse();
              n.due = isRefused ? 0 : n.due;
              n.deletion = isRefused ? NoticeWorld.Deletion.NONE : NoticeWorld.Deletion.ANSWERED;
            }));
      }
      case ANSWERED ->
          after.add(
              w.then(n -> {
                boolean mayStillOpen = n.isUnanswered && bug != Bug.UNANSWERED_NOT_COUNTED;
                boolean isAll = n.asked == n.askedBefore && !mayStillOpen;
                int more = bug == Bug.ANSWER_DROPPED ? 0 : n.said;
                n.known = isAll ? n.said : n.known | more;
                n.said = 0;
                n.askedBefore = 0;
                n.due = deletable(n, n.due, bug);
                boolean isAllowed = !n.isEvicted || bug == Bug.LEASE_NOT_READ;
                n.deletion =
                    isAllowed ? NoticeWorld.Deletion.LEASE_READ : NoticeWorld.Deletion.NONE;
                n.due = isAllowed ? n.due : 0;
              }));
      case LEASE_READ -> {
        if (w.due == 0) {
          after.add(w.then(n -> n.deletion = NoticeWorld.Deletion.NONE));
        }
        for (int blob = 1; blob <= NoticeWorld.COMMITS; blob++) {
          int gone = NoticeWorld.blob(blob);
          if ((w.due & gone) != 0) {
            after.add(
                w.then(n -> {
                  n.blobs &= ~gone;
                  n.due &= ~gone;
                }));
          }
        }
      }
    }
  }

  private static int deletable(NoticeWorld w, int blobs, Bug bug) {
    if (w.uploaded == 0) {
      return 0;
    }
    List<CompoundCommit> retained = new ArrayList<>();
    for (int commit = w.uploaded + 1; commit <= w.made; commit++) {
      retained.add(commit(commit));
    }
    TreeMap<String, InUse> inUse = new TreeMap<>();
    if (bug != Bug.IN_USE_REPORT_IGNORED) {
      inUse.put("copy", new InUse(new TreeSet<>(), ids(w.known)));
    }
    BlobReferences references =
        new BlobReferences(Optional.of(commit(w.uploaded)), retained, new TreeSet<>(), inUse);
    int deletable = 0;
    for (BlobId id : references.deletable(ids(blobs))) {
      deletable |= NoticeWorld.blob((int) id.generation());
    }
    return deletable;
  }

  /// As the node's log does: what was uploaded is needed there no more, then the lease is read.
  private static void deleteLog(NoticeWorld w, Bug bug, List<NoticeWorld> after) {
    int unneeded = bug == Bug.DELETE_BEFORE_PUBLISH ? w.durable : w.uploaded;
    if (w.releasing == 0 && unneeded > w.released && !w.isEvicted) {
      after.add(w.then(n -> n.releasing = unneeded));
    }
    if (w.releasing > 0) {
      after.add(
          w.then(n -> {
            n.released = n.releasing;
            n.releasing = 0;
          }));
    }
  }

  private static void evict(NoticeWorld w, List<NoticeWorld> after) {
    if (!w.isEvicted) {
      after.add(w.then(n -> n.isEvicted = true));
    } else if (w.base < 0) {
      after.add(w.then(n -> n.base = n.newest));
    }
  }

  private static CompoundCommit commit(int number) {
    TreeMap<String, FileLocation> files = new TreeMap<>();
    ids(NoticeWorld.blobsOf(number))
        .forEach(id -> files.put("file-" + id.generation(), new FileLocation(id, 0, 1)));
    return new CompoundCommit(
        1, number, "file-" + number, new TranslogPosition("node", number), number, 1, 0, files);
  }

  private static SortedSet<BlobId> ids(int blobs) {
    TreeSet<BlobId> ids = new TreeSet<>();
    for (int number = 1; number <= NoticeWorld.COMMITS; number++) {
      if ((blobs & NoticeWorld.blob(number)) != 0) {
        ids.add(new BlobId(1, number));
      }
    }
    return ids;
  }
}
