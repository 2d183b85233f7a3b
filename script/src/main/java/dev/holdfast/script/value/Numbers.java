package dev.holdfast.script.value;

import java.io.IOException;

/// The numbers of a field in one segment, in the order of the column.
public interface Numbers {
  /// How many the document has; [#next] gives them.
  int count(int doc) throws IOException;

  /// 64 bits as the kind of the field means them.
  long next() throws IOException;
}
