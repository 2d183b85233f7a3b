package dev.holdfast.indexing;

import dev.holdfast.compoundcommit.notice.IndexingReads.RealTimeDocument;
import dev.holdfast.document.SourceReading;
import dev.holdfast.indexing.VersionRules.Current;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.apache.lucene.index.DirectoryReader;

/// The documents of a shard as they are now, searchable or not: the version map first, then the
/// internal reader, which is reopened when it must be.
final class CurrentDocuments {
  private final VersionMap versions;
  private final LiveReader reader;
  private final Supplier<SourceReading> sources;

  /// @param sources how sources are read under the mapping as it is now
  CurrentDocuments(VersionMap versions, LiveReader reader, Supplier<SourceReading> sources) {
    this.versions = versions;
    this.reader = reader;
    this.sources = sources;
  }

  /// Fills in what the shard has of each id: from the version map, else from the reader.
  void lookUp(List<Row> rows) throws IOException {
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
    reader.showAppends();
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

  /// The document as of now (real-time get, §4.1).
  RealTimeDocument find(String id) throws IOException {
    VersionMap.Entry entry = versions.entry(id);
    if (entry != null && entry.isDeleted()) {
      return RealTimeDocument.missing();
    }
    if (entry != null && entry.source() != null) {
      return new RealTimeDocument(
          true,
          entry.seqNo(),
          entry.primaryTerm(),
          entry.version(),
          entry.source().routing(),
          entry.source().bytes());
    }
    if (entry != null) {
      reader.reopen();
    } else {
      reader.showAppends();
    }
    return findInReader(id);
  }

  private RealTimeDocument findInReader(String id) throws IOException {
    DirectoryReader now = reader.acquire();
    try {
      IdLookup.Found found = new IdLookup(now).find(id);
      if (found == null) {
        return RealTimeDocument.missing();
      }
      LiveReader.Stored stored = LiveReader.stored(now, sources.get(), found.document());
      return new RealTimeDocument(
          true,
          found.seqNo(),
          found.primaryTerm(),
          found.version(),
          stored.routing(),
          stored.source());
    } finally {
      now.decRef();
    }
  }
}
