package dev.holdfast.script.value;

import java.io.IOException;

/// The texts of a field in one segment, in the order of the column.
public interface Texts {
  int count(int doc) throws IOException;

  String next() throws IOException;
}
