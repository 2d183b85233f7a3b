package dev.holdfast.document;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import org.apache.lucene.analysis.Analyzer;
import org.jspecify.annotations.Nullable;

/// The mapping of an index: its fields, its rules for new ones, and their analysis. Immutable; made
/// by [MappingFactory].
public interface Mapping {
  /// The field of that full path (multi-fields included), or null. Metadata fields (`_id`,
  /// `_routing`, `_index`, `_seq_no`, …) are answered too.
  @Nullable MappedField field(String path);

  /// Whether `path` is an object that holds fields.
  boolean isObject(String path);

  /// Whether `path` is an object of type `nested`.
  boolean isNested(String path);

  /// The path of the innermost `nested` object that holds the field or object `path` (a nested
  /// object does not hold itself), or null when it belongs to the document itself. Unmapped paths
  /// are judged by the objects that would hold them.
  @Nullable String nestedScope(String path);

  /// Whether the document itself has the values of the nested object `path`, too.
  boolean isInRoot(String path);

  /// Whether any field is scored by a similarity of its own.
  boolean hasSimilarities();

  /// Whether any object is `nested`; else each Lucene document is one of the client's.
  boolean hasNested();

  /// Paths of the fields whose values are copied to a field (`copy_to`).
  List<String> copiedTo(String path);

  /// Every field, by path; metadata fields left out. An alias gives the field it stands for, once
  /// more.
  Collection<MappedField> fields();

  /// The fields that only the source has values of, by path. They hide mapped fields of the same
  /// path from all that reads; writes know mapped fields only.
  SortedMap<String, FieldType> runtime();

  /// Mapped fields whose values a script makes while a document is indexed, by path: documents do
  /// not have them.
  default SortedMap<String, ScriptedValues> scripts() {
    return Collections.emptySortedMap();
  }

  /// This mapping for one request, with more runtime fields.
  ///
  /// @param runtime the value of `runtime_mappings`
  /// @throws dev.holdfast.world.Refusal `mapper_parsing_exception` for what can't be read
  Mapping withRuntime(ObjectNode runtime);

  /// This mapping for one request, with fields that stand for scripts of it. They are among
  /// [#runtime], and [#field] finds them; [#fields] and [#matching] do not.
  default Mapping withMade(SortedMap<String, MadeField> made) {
    throw new UnsupportedOperationException("fields of scripts");
  }

  /// Full paths that match `pattern` (`*` anywhere, or a plain path); fields only, in order of
  /// path.
  List<String> matching(String pattern);

  /// As `GET _mapping` shows it (the value of `mappings`).
  ObjectNode toJson();

  /// This mapping with `update` (the body of `PUT _mapping`, or a dynamic update) merged in; itself
  /// when nothing changes.
  ///
  /// @throws dev.holdfast.world.Refusal `illegal_argument_exception` for a conflict or a limit,
  ///   `mapper_parsing_exception` for what can't be read, `circuit_breaking_exception` when the
  ///   heap has no room for so many fields; nothing has changed then
  Mapping merge(ObjectNode update);

  /// Builds batches of documents for this mapping; not thread-safe, reusable.
  BatchBuilder newBatch();

  /// The analyser of that name, of the index or built in; null when there is none.
  @Nullable Analyzer analyzer(String name);

  /// How `_source` of documents is told from what Lucene has of them.
  default SourceReading sources() {
    return SourceReading.STORED;
  }

  /// The index's settings that documents and queries obey.
  DocumentLimits limits();

  /// Whether `_routing` is required.
  boolean isRoutingRequired();
}
