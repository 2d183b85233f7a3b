package dev.holdfast.simulation.client;

import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.simulation.schedule.Alarm;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The oracle: everything that clients asked for and were told, and what follows from it. Sequence
/// numbers order the writes of an id, so a history is checked as it grows: what a read may show is
/// the newest write acknowledged before the read began, or one with a higher number.
public final class Ledger {
  private final Alarm alarm;
  private final TreeMap<String, Document> documents = new TreeMap<>();
  private final Map<Long, Write> writes = new HashMap<>();
  private final Map<String, Long> numbersTaken = new HashMap<>();

  /// Numbers of which it is known at the end only which shard gave them; null when it is the one
  /// that clients name.
  private @Nullable List<Numbered> numbered;

  private long numbers;
  private long acknowledged;
  private long unknown;
  private long reads;
  private long searches;

  public Ledger(Alarm alarm) {
    this.alarm = alarm;
  }

  /// One write of a client; its number is unique and is the content of the document.
  static final class Write {
    final long number;
    final ShardId shard;
    final String id;
    final boolean isDelete;
    private long seqNo = -1;
    private boolean isAcknowledged;

    private Write(long number, ShardId shard, String id, boolean isDelete) {
      this.number = number;
      this.shard = shard;
      this.id = id;
      this.isDelete = isDelete;
    }

    long seqNo() {
      return seqNo;
    }

    @Override
    public String toString() {
      return (isDelete ? "delete " : "write ")
          + number
          + " of "
          + shard
          + "/"
          + id
          + (seqNo < 0 ? " (not acknowledged)" : " (acknowledged, seq_no " + seqNo + ")");
    }
  }

  /// What is known of one id.
  private static final class Document {
    private final List<Write> writes = new ArrayList<>();

    /// The acknowledged write with the highest number.
    private @Nullable Write newest;

    /// The most that anybody was told of it, by whatever answer; null for nothing.
    private @Nullable Told told;
  }

  /// What an answer told of an id: there was an operation with that number, or, when it was told
  /// that the id does not exist, a delete with a higher one. From then on nothing older may be
  /// shown, whoever dies: what is told is durable.
  ///
  /// @param who told it
  record Told(String who, long seqNo, boolean exists) {}

  /// A number that a write got.
  ///
  /// @param primaryTerm of the shard that gave it
  private record Numbered(Write write, long seqNo, long primaryTerm) {}

  /// Which shard gave a number.
  @FunctionalInterface
  public interface Numbering {
    /// @param named the shard that clients name
    /// @param primaryTerm under which the number was given
    ShardId shard(ShardId named, String id, long primaryTerm);
  }

  /// What every later read must show at least: for each id the newest write acknowledged so far.
  ///
  /// @param newest by shard and id
  /// @param told by shard and id
  public record Baseline(SortedMap<String, Must> newest, SortedMap<String, Told> told) {
    static final Baseline NONE = new Baseline(new TreeMap<>(), new TreeMap<>());

    /// Of one document alone.
    Baseline only(String key) {
      Must must = newest.get(key);
      Told was = told.get(key);
      return new Baseline(
          must == null ? new TreeMap<>() : new TreeMap<>(Map.of(key, must)),
          was == null ? new TreeMap<>() : new TreeMap<>(Map.of(key, was)));
    }
  }

  /// A write that a read must show, or a newer one.
  ///
  /// @param seqNo the number it had then: one that was tried again may get a higher one
  record Must(Write write, long seqNo) {}

  static String key(ShardId shard, String id) {
    return shard.index().name() + "/" + shard.number() + "/" + id;
  }

  /// What clients take for one shard will be divided: its parts number their writes each for
  /// itself.
  public void willBeDivided() {
    numbered = new ArrayList<>();
  }

  /// Raises the alarm for numbers that a shard gave twice, when all divisions are known.
  public void judgeNumbers(Numbering numbering) {
    List<Numbered> all = numbered == null ? List.of() : numbered;
    all.forEach(one -> {
      ShardId shard = numbering.shard(one.write.shard, one.write.id, one.primaryTerm);
      take(shard, one.write, one.seqNo);
    });
  }

  /// The key of the document that a write was of.
  String keyOf(long number, String whenUnknown) {
    Write write = writes.get(number);
    return write == null ? whenUnknown : key(write.shard, write.id);
  }

  private Document document(ShardId shard, String id) {
    return documents.computeIfAbsent(key(shard, id), key -> new Document());
  }

  /// A client is about to send a write.
  Write begins(ShardId shard, String id, boolean isDelete) {
    Write write = new Write(++numbers, shard, id, isDelete);
    writes.put(write.number, write);
    document(shard, id).writes.add(write);
    return write;
  }

  /// Nobody knows what became of the write.
  void unknown(Write write) {
    unknown++;
  }

  /// @param atBegin what was acknowledged when the write was sent
  void acknowledged(Write write, long seqNo, long primaryTerm, Baseline atBegin) {
    acknowledged++;
    Must before = atBegin.newest.get(key(write.shard, write.id));
    if (before != null && before.seqNo >= seqNo) {
      alarm.violated(
          "a write got a number below one acknowledged before it began [write="
              + write
              + ", seq_no="
              + seqNo
              + ", before="
              + before
              + "]");
    }
    write.isAcknowledged = true;
    settle(write, seqNo, primaryTerm);
  }

  /// From now on the write has happened. One whose answer was lost between nodes is done again and
  /// has then happened twice.
  private void settle(Write write, long seqNo, long primaryTerm) {
    if (numbered == null) {
      take(write.shard, write, seqNo);
    } else {
      numbered.add(new Numbered(write, seqNo, primaryTerm));
    }
    write.seqNo = Math.max(write.seqNo, seqNo);
    Document document = document(write.shard, write.id);
    if (document.newest == null || document.newest.seqNo < seqNo) {
      document.newest = write;
    }
  }

  private void take(ShardId shard, Write write, long seqNo) {
    String taken = shard.index().name() + "/" + shard.number() + "#" + seqNo;
    Long other = numbersTaken.putIfAbsent(taken, write.number);
    if (other != null && other != write.number) {
      alarm.violated(
          "two writes of a shard got one number [seq_no="
              + seqNo
              + ", write="
              + write
              + ", other="
              + writes.get(other)
              + "]");
    }
  }

  Baseline baseline() {
    TreeMap<String, Must> newest = new TreeMap<>();
    TreeMap<String, Told> told = new TreeMap<>();
    documents.forEach((key, document) -> {
      if (document.newest != null) {
        newest.put(key, new Must(document.newest, document.newest.seqNo));
      }
      if (document.told != null) {
        told.put(key, document.told);
      }
    });
    return new Baseline(newest, told);
  }

  /// A real-time get showed this.
  void read(ShardId shard, String id, Shown shown, Baseline atBegin) {
    told("a real-time get", shard, id, shown, atBegin);
  }

  /// An answer told of an id as it is now: a get, an update that changed nothing, a conflict.
  void told(String who, ShardId shard, String id, Shown shown, Baseline atBegin) {
    reads++;
    if (shown.number() != Shown.SOME) {
      check(who, shard, id, shown, atBegin);
    }
    checkTold(who, shard, id, shown, atBegin);
    remember(who, shard, id, shown, atBegin);
  }

  /// Whatever was told before the question was asked is still so, or something newer.
  private void checkTold(String who, ShardId shard, String id, Shown shown, Baseline atBegin) {
    Told told = atBegin.told.get(key(shard, id));
    if (told == null) {
      return;
    }
    boolean isOlder =
        shown.exists()
            ? shown.seqNo() < told.seqNo || (!told.exists && shown.seqNo() == told.seqNo)
            : told.exists && !mayBeDeleted(document(shard, id), told.seqNo);
    if (isOlder) {
      alarm.violated(
          who
              + " shows an older state than was told before [shard="
              + shard
              + ", id="
              + id
              + ", shown="
              + shown
              + ", told="
              + told
              + "]");
    }
  }

  private static boolean mayBeDeleted(Document document, long after) {
    return document.writes.stream()
        .anyMatch(write -> write.isDelete && (write.seqNo < 0 || write.seqNo > after));
  }

  private void remember(String who, ShardId shard, String id, Shown shown, Baseline atBegin) {
    Document document = document(shard, id);
    Told before = document.told;
    Must must = atBegin.newest.get(key(shard, id));
    Told now = null;
    if (shown.exists()) {
      now = new Told(who, shown.seqNo(), true);
    } else if (must != null && !must.write.isDelete) {
      now = new Told(who, must.seqNo, false); // and so a delete with a higher number
    }
    Told floor = atBegin.told.get(key(shard, id));
    if (!shown.exists() && floor != null && (now == null || now.seqNo < floor.seqNo)) {
      now = new Told(who, floor.seqNo, false);
    }
    if (now != null
        && (before == null
            || before.seqNo < now.seqNo
            || (before.seqNo == now.seqNo && before.exists && !now.exists))) {
      document.told = now;
    }
  }

  /// What a read shows of an id: nothing, or the number of a write and its sequence number.
  ///
  /// @param primaryTerm under which it got that; 0 when that was not told
  record Shown(boolean exists, long number, long seqNo, long primaryTerm) {
    /// The content was not told, only the number of the operation.
    static final long SOME = -1;

    static final Shown NOTHING = new Shown(false, 0, -1, 0);

    static Shown some(long seqNo) {
      return new Shown(true, SOME, seqNo, 0);
    }
  }

  /// A search over whole shards showed this; what a search has shown is never lost.
  void searched(List<ShardId> shards, SortedMap<String, Shown> hits, Baseline refreshed) {
    searches++;
    documents.forEach((key, document) -> {
      Write any = document.writes.isEmpty() ? null : document.writes.getFirst();
      if (any != null && shards.contains(any.shard)) {
        Shown shown = hits.getOrDefault(key, Shown.NOTHING);
        check("a search", any.shard, any.id, shown, refreshed);
        checkTold("a search", any.shard, any.id, shown, refreshed);
        remember("a search", any.shard, any.id, shown, refreshed);
        Write seen = shown.exists() ? writes.get(shown.number()) : null;
        if (seen != null && !seen.isAcknowledged && seen.seqNo < shown.seqNo()) {
          settle(seen, shown.seqNo(), shown.primaryTerm());
        }
      }
    });
    for (String key : hits.keySet()) {
      if (!documents.containsKey(key)) {
        alarm.violated("a search shows a document that nobody wrote [document=" + key + "]");
      }
    }
  }

  private void check(String who, ShardId shard, String id, Shown shown, Baseline atBegin) {
    Document document = document(shard, id);
    Must must = atBegin.newest.get(key(shard, id));
    if (!shown.exists()) {
      if (must != null
          && !must.write.isDelete
          && document.writes.stream()
              .noneMatch(
                  write -> write.isDelete && (write.seqNo < 0 || write.seqNo > must.seqNo))) {
        alarm.violated(who + " misses a write [write=" + must + "]");
      }
      return;
    }
    Write seen = writes.get(shown.number());
    if (seen == null || !seen.id.equals(id) || !seen.shard.equals(shard)) {
      alarm.violated(
          who
              + " shows what was never written here, or was refused [shard="
              + shard
              + ", id="
              + id
              + ", shown="
              + shown
              + "]");
    } else if (seen.isAcknowledged && seen.seqNo < shown.seqNo()) {
      alarm.violated(who + " shows another number [shown=" + shown + ", write=" + seen + "]");
    } else if (must != null && shown.seqNo() < must.seqNo) {
      alarm.violated(
          who
              + (must.write.isDelete ? " shows a deleted document" : " shows an old state")
              + " [shown="
              + seen
              + ", seq_no="
              + shown.seqNo()
              + ", must="
              + must
              + "]");
    }
  }

  public long acknowledged() {
    return acknowledged;
  }

  public long unknown() {
    return unknown;
  }

  public long reads() {
    return reads;
  }

  public long searches() {
    return searches;
  }
}
