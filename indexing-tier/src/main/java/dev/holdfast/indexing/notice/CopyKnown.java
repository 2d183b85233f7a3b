package dev.holdfast.indexing.notice;

import dev.holdfast.compoundcommit.BlobId;
import dev.holdfast.compoundcommit.CompoundCommit;
import dev.holdfast.compoundcommit.notice.CommitNotice;
import dev.holdfast.compoundcommit.notice.InUse;
import java.util.Collection;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// What an owner knows of one search copy: what it was told, and what it may read (§6.1): never
/// less than what it reads. Guarded by the shard's notices.
final class CopyKnown {
  /// The last notice it answered; null: none, or it must be told again.
  private @Nullable CommitNotice told;

  private InUse inUse = InUse.NOTHING;
  private long answeredNanos;

  /// Grows with each commit that it may have opened without a notice.
  private int asked;

  /// The last notice may still be on its way: it has not been answered.
  private boolean isUnanswered;

  InUse inUse() {
    return inUse;
  }

  long answeredNanos() {
    return answeredNanos;
  }

  int asked() {
    return asked;
  }

  boolean knows(CompoundCommit commit, @Nullable BlobId newestUploaded) {
    CommitNotice last = told;
    return last != null
        && last.commit().generation() >= commit.generation()
        && last.newestUploaded().equals(Optional.ofNullable(newestUploaded));
  }

  void mustBeTold() {
    told = null;
  }

  /// It asked for the newest commit, and gets this one.
  void asks(CompoundCommit commit) {
    asked++;
    mayOpen(commit);
  }

  /// It is being told of a commit: until it answers, it may have opened that, or what it was told
  /// before.
  void isTold(CompoundCommit commit) {
    isUnanswered = true;
    mayOpen(commit);
  }

  private void mayOpen(CompoundCommit commit) {
    TreeSet<Long> generations = new TreeSet<>(inUse.generations());
    generations.add(commit.generation());
    inUse = new InUse(generations, union(inUse.blobs(), commit.blobs()), inUse.sinceSearchMillis());
  }

  /// It answered a notice.
  ///
  /// @param askedBefore [#asked] when it was told
  void answered(CommitNotice notice, int askedBefore, InUse answer, long nowNanos) {
    told = notice;
    isUnanswered = false;
    said(answer, asked == askedBefore, nowNanos);
  }

  /// It said what it reads.
  ///
  /// @param askedBefore [#asked] when it was asked
  /// @param opensNotices whether it would open what a late notice says
  void said(int askedBefore, boolean opensNotices, InUse answer, long nowNanos) {
    said(answer, asked == askedBefore && !(opensNotices && isUnanswered), nowNanos);
  }

  /// @param isAll it cannot open anything that is older than what it knew then
  private void said(InUse answer, boolean isAll, long nowNanos) {
    answeredNanos = nowNanos;
    inUse =
        isAll
            ? answer
            : new InUse(
                answer.generations(),
                union(inUse.blobs(), answer.blobs()),
                answer.sinceSearchMillis());
  }

  private static SortedSet<BlobId> union(Collection<BlobId> some, Collection<BlobId> more) {
    SortedSet<BlobId> blobs = new TreeSet<>(some);
    blobs.addAll(more);
    return blobs;
  }
}
