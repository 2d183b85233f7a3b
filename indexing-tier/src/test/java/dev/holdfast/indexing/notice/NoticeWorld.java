package dev.holdfast.indexing.notice;

import java.util.function.Consumer;

/// What there is in [NoticeExplorationTest]. Blobs and log files have their commit's number; 0 is
/// no commit; a set of blobs is a mask.
final class NoticeWorld implements Cloneable {
  /// Each commit has one operation, one log file and one blob; the last one is a merge that needs
  /// no blob but its own.
  static final int COMMITS = 3;

  /// Where the owner is in deleting blobs.
  enum Deletion {
    NONE,
    LOOKED,
    ASKED,
    ANSWERED,
    LEASE_READ
  }

  // The owner.
  int made;
  int uploaded;
  int told;
  int asked;
  int known;
  Deletion deletion = Deletion.NONE;
  int due;
  int said;
  int askedBefore;

  /// Log files up to this one go next: the lease still named this node.
  int releasing;

  // What it asks of the copy.
  int notice;
  int askedBeforeNotice;

  /// Of the copy to the notice; -1: none yet.
  int answer = -1;

  boolean isUnanswered;

  // The store.
  int durable;
  int newest;
  int released;
  int blobs;
  boolean isEvicted;

  /// The commit that the successor recovers; -1 before it has read one.
  int base = -1;

  // The search copy.
  int pending;
  int open;
  int reading;
  int shown;

  /// The answer to its own question for the newest commit; -1: not asked yet.
  int newestTold = -1;

  /// Different for different worlds.
  long key() {
    long key = 0;
    for (int small :
        new int[] {
          made,
          uploaded,
          told,
          asked,
          deletion.ordinal(),
          askedBefore,
          releasing,
          notice,
          askedBeforeNotice,
          durable,
          newest,
          released,
          base + 1,
          pending,
          open,
          reading,
          shown
        }) {
      key = key * 5 + small;
    }
    for (int mask : new int[] {known, due, said, answer + 1, blobs, newestTold + 1}) {
      key = key * 9 + mask;
    }
    return key * 4 + (isEvicted ? 2 : 0) + (isUnanswered ? 1 : 0);
  }

  NoticeWorld then(Consumer<NoticeWorld> step) {
    try {
      NoticeWorld next = (NoticeWorld) clone();
      step.accept(next);
      return next;
    } catch (CloneNotSupportedException e) {
      throw new AssertionError(e);
    }
  }

  /// Blobs that the copy reads, or is about to.
  int inUse() {
    return blobsOf(open) | blobsOf(reading) | blobsOf(pending);
  }

  static int blob(int number) {
    return 1 << (number - 1);
  }

  static int blobsOf(int commit) {
    return switch (commit) {
      case 0 -> 0;
      case COMMITS -> blob(COMMITS);
      default -> (1 << commit) - 1;
    };
  }
}
