package dev.holdfast.compoundcommit.directory;

import dev.holdfast.compoundcommit.CompoundCommit;
import java.io.IOException;
import java.util.Collection;
import java.util.Map;
import org.apache.lucene.index.IndexCommit;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.store.Directory;

/// A compound commit as Lucene's readers want it.
final class ShownCommit extends IndexCommit {
  private final Directory directory;
  private final CompoundCommit commit;

  ShownCommit(Directory directory, CompoundCommit commit) {
    this.directory = directory;
    this.commit = commit;
  }

  @Override
  public String getSegmentsFileName() {
    return commit.segmentsFile();
  }

  @Override
  public Collection<String> getFileNames() {
    return commit.files().keySet();
  }

  @Override
  public Directory getDirectory() {
    return directory;
  }

  @Override
  public void delete() {
    throw new UnsupportedOperationException("a search copy only reads");
  }

  @Override
  public boolean isDeleted() {
    return false;
  }

  @Override
  public int getSegmentCount() {
    return (int) commit.files().keySet().stream().filter(name -> name.endsWith(".si")).count();
  }

  @Override
  public long getGeneration() {
    return commit.generation();
  }

  @Override
  public Map<String, String> getUserData() throws IOException {
    return SegmentInfos.readCommit(directory, commit.segmentsFile()).getUserData();
  }
}
