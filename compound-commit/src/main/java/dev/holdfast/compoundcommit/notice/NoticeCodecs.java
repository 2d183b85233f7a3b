package dev.holdfast.compoundcommit.notice;

import dev.holdfast.compoundcommit.BlobId;
import dev.holdfast.compoundcommit.CompoundCommit;
import dev.holdfast.compoundcommit.blob.CommitCodec;
import dev.holdfast.compoundcommit.call.Codec;
import dev.holdfast.compoundcommit.call.WireInput;
import dev.holdfast.compoundcommit.call.WireOutput;
import dev.holdfast.compoundcommit.call.WireValues;
import dev.holdfast.compoundcommit.notice.IndexingReads.RealTimeDocument;
import java.io.IOException;
import java.util.Optional;
import java.util.TreeSet;

/// How notices and their answers travel.
public final class NoticeCodecs {
  public static final Codec<BlobId> BLOB =
      Codec.word(
          (out, id) -> {
            out.writeVLong(id.primaryTerm());
            out.writeVLong(id.generation());
          },
          in -> new BlobId(in.readVLong(), in.readVLong()));

  public static final Codec<CommitNotice> NOTICE =
      Codec.record(NoticeCodecs::writeNotice, NoticeCodecs::readNotice);

  public static final Codec<InUse> IN_USE =
      Codec.record(NoticeCodecs::writeInUse, NoticeCodecs::readInUse);

  public static final Codec<RealTimeDocument> DOCUMENT =
      Codec.record(NoticeCodecs::writeDocument, NoticeCodecs::readDocument);

  private static final Codec<CompoundCommit> COMMIT =
      Codec.record(CommitCodec::write, CommitCodec::read);

  private static final Codec<Long> NUMBER =
      Codec.word((out, number) -> out.writeZLong(number), WireInput::readZLong);

  private NoticeCodecs() {}

  private static void writeNotice(WireOutput out, CommitNotice notice) throws IOException {
    WireValues.writeShard(out, notice.shard());
    COMMIT.write(out, notice.commit());
    WireValues.writeFlag(out, notice.newestUploaded().isPresent());
    if (notice.newestUploaded().isPresent()) {
      BLOB.write(out, notice.newestUploaded().get());
    }
    out.writeVLong(notice.stateVersion());
    out.writeVLong(notice.ownersTerm());
  }

  private static CommitNotice readNotice(WireInput in) throws IOException {
    return new CommitNotice(
        WireValues.readShard(in),
        COMMIT.read(in),
        WireValues.readFlag(in) ? Optional.of(BLOB.read(in)) : Optional.empty(),
        in.readVLong(),
        in.readVLong());
  }

  private static void writeInUse(WireOutput out, InUse use) throws IOException {
    WireValues.writeList(out, NUMBER, use.generations());
    WireValues.writeList(out, BLOB, use.blobs());
    out.writeZLong(use.sinceSearchMillis());
  }

  private static InUse readInUse(WireInput in) throws IOException {
    return new InUse(
        new TreeSet<>(WireValues.readList(in, NUMBER)),
        new TreeSet<>(WireValues.readList(in, BLOB)),
        in.readZLong());
  }

  private static void writeDocument(WireOutput out, RealTimeDocument document) throws IOException {
    WireValues.writeFlag(out, document.exists());
    out.writeZLong(document.seqNo());
    out.writeZLong(document.primaryTerm());
    out.writeZLong(document.version());
    WireValues.writeText(out, document.routing());
    WireValues.writeBytes(out, document.source());
  }

  private static RealTimeDocument readDocument(WireInput in) throws IOException {
    return new RealTimeDocument(
        WireValues.readFlag(in),
        in.readZLong(),
        in.readZLong(),
        in.readZLong(),
        WireValues.readText(in),
        WireValues.readBytes(in));
  }
}
