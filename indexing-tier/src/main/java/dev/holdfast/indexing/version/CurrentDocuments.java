package dev.holdfast.indexing.version;

import dev.holdfast.compoundcommit.notice.IndexingReads.RealTimeDocument;
import dev.holdfast.document.SourceReading;
import dev.holdfast.indexing.version.VersionRules.Current;
import dev.holdfast.objectstore.GivingUp;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.apache.lucene.index.DirectoryReader;
import org.jspecify.annotations.Nullable;

/// The documents of a shard as they are now, searchable or not: the version map first, then the
/// internal reader, which is reopened when it must be.
public final class CurrentDocuments {
  private final VersionMap versions;
  private final LiveReader reader;
  private final IdLocks ids;
  private final Supplier<SourceReading> sources;

  /// @param ids of the batches being written
  /// @param sources how sources are read under the mapping as it is now
  public CurrentDocuments(
      VersionMap versions, LiveReader reader, IdLocks ids, Supplier<SourceReading> sources) {
    this.versions = versions;
    this.reader = reader;
    this.ids = ids;
    this.sources = sources;
  }

  /// A document as of now, and what whoever tells of it tells of: the operation that made it so.
  ///
  /// @param toldSeqNo [SequenceNumbers#NONE] when there is none, or none that is not durable
  public record Found(RealTimeDocument document, long toldSeqNo) {
    static Found missing(long deletedSeqNo) {
      return new Found(RealTimeDocument.missing(), deletedSeqNo);
    }

    static Found of(RealTimeDocument document) {
      return new Found(document, document.seqNo());
    }
  }

  /// Fills in what the shard has of each id: from the version map, else from the reader.
  public void lookUp(List<Row> rows) throws IOException {
    List<Row> unknown = new ArrayList<>();
    for (Row row : rows) {
      if (!row.isAppend) {
        VersionMap.Entry entry = versions.entry(row.id);
        if (entry == null) {
          unknown.add(row);
        } else {
          row.before = current(entry);
        }
      }
    }
    if (unknown.isEmpty()) {
      return;
    }
    for (Row row : unknown) {
      reader.showAppend(row.id);
    }
    unknown.sort((a, b) -> a.id.compareTo(b.id));
    DirectoryReader now = reader.acquire();
    try {
      IdLookup lookup = new IdLookup(now);
      for (Row row : unknown) {
        IdLookup.Found found = lookup.find(row.id);
        row.before =
            found == null
                ? new Current.Absent()
                : new Current.Present(found.seqNo(), found.primaryTerm(), found.version());
      }
    } finally {
      now.decRef();
    }
  }

  private static Current current(VersionMap.Entry entry) {
    return entry.isDeleted()
        ? new Current.Deleted(entry.seqNo(), entry.primaryTerm(), entry.version())
        : new Current.Present(entry.seqNo(), entry.primaryTerm(), entry.version());
  }

  /// The document as of now (real-time get, §4.1). Waits for no disk and no store, but for a batch
  /// that may be deleting it just now.
  ///
  /// @param reads of whoever reads several documents, one after the other; null for one alone
  public Found find(String id, @Nullable BatchReads reads)
      throws IOException, InterruptedException {
    while (true) {
      VersionMap.Entry entry = versions.entry(id);
      if (entry != null && entry.isDeleted()) {
        return Found.missing(entry.seqNo());
      }
      if (entry != null) {
        versions.askForSources();
      }
      if (entry != null && entry.source() != null) {
        return Found.of(
            new RealTimeDocument(
                true,
                entry.seqNo(),
                entry.primaryTerm(),
                entry.version(),
                entry.source().routing(),
                entry.source().bytes()));
      }
      if (entry != null) {
        reader.reopen();
      } else {
        reader.showAppend(id);
      }
      RealTimeDocument found = findInReader(id, reads);
      if (found.exists()) {
        return Found.of(found);
      }
      // Lucene has a delete before the version map does, and then somebody holds the id.
      if (!ids.awaitFree(id) && versions.entry(id) == null) {
        return Found.missing(SequenceNumbers.NONE);
      }
    }
  }

  private RealTimeDocument findInReader(String id, @Nullable BatchReads reads) throws IOException {
    if (reads != null) {
      return reads.find(id, sources.get());
    }
    return GivingUp.<RealTimeDocument, IOException>harmless(() -> {
      try (BatchReads alone = new BatchReads(reader)) {
        return alone.find(id, sources.get());
      }
    });
  }
}
