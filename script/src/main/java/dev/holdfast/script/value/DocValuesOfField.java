package dev.holdfast.script.value;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.AbstractList;
import java.util.RandomAccess;

/// The values of one field in the document that a script is at, `doc['field']`. They are read when
/// a script asks for them.
public abstract class DocValuesOfField<T> extends AbstractList<T> implements RandomAccess {
  private int doc = -1;
  private int loaded = -1;
  private int count;

  /// Goes to a document of the segment.
  final void moveTo(int document) {
    doc = document;
  }

  final int load() {
    if (loaded != doc) {
      try {
        count = read(doc);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      loaded = doc;
    }
    return count;
  }

  /// Reads the values of a document.
  ///
  /// @return how many there are
  protected abstract int read(int document) throws IOException;

  @Override
  public final int size() {
    return load();
  }

  /// @throws IllegalStateException when the document has none
  protected final void requireAny() {
    if (load() == 0) {
      throw new IllegalStateException(
          "A document doesn't have a value for a field! Use doc[<field>].size()==0 to check if a"
              + " document is missing a field!");
    }
  }

  protected final void requireIndex(int index) {
    requireAny();
    if (index < 0 || index >= count) {
      throw new IndexOutOfBoundsException("Index " + index + " out of bounds for length " + count);
    }
  }
}
