package dev.holdfast.compoundcommit.directory;

import java.util.Collection;
import java.util.Set;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;

/// A directory over files that others wrote.
abstract class ReadOnlyDirectory extends Directory {
  @Override
  public final void deleteFile(String name) {
    throw readOnly();
  }

  @Override
  public final IndexOutput createOutput(String name, IOContext context) {
    throw readOnly();
  }

  @Override
  public final IndexOutput createTempOutput(String prefix, String suffix, IOContext context) {
    throw readOnly();
  }

  @Override
  public final void sync(Collection<String> names) {
    throw readOnly();
  }

  @Override
  public final void syncMetaData() {
    throw readOnly();
  }

  @Override
  public final void rename(String source, String dest) {
    throw readOnly();
  }

  @Override
  public final Set<String> getPendingDeletions() {
    return Set.of();
  }

  final UnsupportedOperationException readOnly() {
    return new UnsupportedOperationException("read-only: " + this);
  }
}
