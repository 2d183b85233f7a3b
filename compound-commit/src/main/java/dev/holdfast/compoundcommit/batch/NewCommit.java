package dev.holdfast.compoundcommit.batch;

import dev.holdfast.compoundcommit.FileLocation;
import dev.holdfast.compoundcommit.TranslogPosition;
import java.io.IOException;
import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.lucene.store.IndexInput;

/// A Lucene commit to be appended to a batch.
///
/// @param generation Lucene's generation of the commit
/// @param segmentsFile `segments_N`
/// @param translog where replay begins on top of this commit
/// @param maxSeqNo every operation up to this one is in the commit; -1: none
/// @param documents live documents
/// @param createdMillis wall time
/// @param allFiles every file of the commit, `segments_N` included
/// @param alreadyStored where those of them lie that an uploaded blob or an older batch holds
/// @param reader opens a file of the commit wherever it lies now
public record NewCommit(
    long primaryTerm,
    long generation,
    String segmentsFile,
    TranslogPosition translog,
    long maxSeqNo,
    long documents,
    long createdMillis,
    SortedSet<String> allFiles,
    SortedMap<String, FileLocation> alreadyStored,
    Reader reader) {
  public NewCommit(
      long primaryTerm,
      long generation,
      String segmentsFile,
      TranslogPosition translog,
      long maxSeqNo,
      long documents,
      long createdMillis,
      Collection<String> allFiles,
      Map<String, FileLocation> alreadyStored,
      Reader reader) {
    this(
        primaryTerm,
        generation,
        segmentsFile,
        translog,
        maxSeqNo,
        documents,
        createdMillis,
        Collections.unmodifiableSortedSet(new TreeSet<>(allFiles)),
        Collections.unmodifiableSortedMap(new TreeMap<>(alreadyStored)),
        reader);
  }

  /// Opens a file by name. The input is read by many threads, through clones: not `READONCE`.
  public interface Reader {
    IndexInput open(String file) throws IOException;
  }
}
