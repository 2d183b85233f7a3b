package dev.holdfast.document;

import org.apache.lucene.index.SortedSetDocValues;

/// Terms of documents that can have one more than once, and tell of each but once: those of runtime
/// fields. An index keeps no repetitions.
public interface RepeatedTerms {
  /// The terms anew, before the first document, each as often as a document has it: equal ordinals
  /// follow each other.
  SortedSetDocValues repeated();
}
