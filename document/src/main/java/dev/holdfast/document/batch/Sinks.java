package dev.holdfast.document.batch;

import dev.holdfast.document.DocumentSource;
import dev.holdfast.document.FieldType;
import dev.holdfast.document.MappedField;
import dev.holdfast.document.MetadataFields;
import dev.holdfast.document.mapping.tree.DocumentMapping;
import dev.holdfast.document.mapping.tree.LeafMapping;
import dev.holdfast.document.synthetic.SourceResidue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.apache.lucene.document.column.Column;
import org.jspecify.annotations.Nullable;

/// The columns of every field met so far, one set a field however many names lead to it.
final class Sinks {
  private final DocumentMapping mapping;
  private final Map<String, Sink> byPath = new TreeMap<>();
  private final List<Sink> all = new ArrayList<>();
  private final List<Sink> readers = new ArrayList<>();
  private @Nullable DocumentSource document;
  private @Nullable Sink timestamp;
  private final @Nullable SourceResidue residue;

  /// @param residue null where sources are not synthetic
  Sinks(DocumentMapping mapping, @Nullable SourceResidue residue) {
    this.mapping = mapping;
    this.residue = residue;
    if (mapping.requiresTimestamp()
        && mapping.member(TimestampRule.FIELD) instanceof LeafMapping leaf) {
      Sink counted = sink(leaf.path(), leaf.type());
      counted.isCounted = true;
      timestamp = counted;
    }
  }

  /// Where the time of documents goes, of which each must have one; null when they need none.
  @Nullable Sink timestamp() {
    return timestamp;
  }

  boolean isMetadata(String name) {
    return mapping.isMetadata(name);
  }

  /// Whether the values at a path stay in the source: a runtime field reads them there.
  boolean isRuntime(String path) {
    return mapping.runtime().containsKey(path);
  }

  /// The slot of a field: itself, its multi-fields, the fields it is copied to, and all of them
  /// again for the documents that include its nested object's values.
  ResolvedMember slot(byte[] name, int hash, LeafMapping leaf, Level level) {
    List<Sink> sinks = new ArrayList<>();
    List<Integer> depths = new ArrayList<>();
    addWithFields(leaf, level.depth, sinks, depths);
    for (int depth : level.alsoAt()) {
      addWithFields(leaf, depth, sinks, depths);
    }
    for (String target : leaf.copyTo()) {
      if (mapping.member(target) instanceof LeafMapping copy) {
        addWithFields(copy, Math.min(depth(target), level.depth), sinks, depths);
      }
    }
    boolean isPlain = depths.stream().allMatch(depth -> depth == level.depth);
    ResolvedMember slot =
        ResolvedMember.field(
            name,
            hash,
            sinks.toArray(Sink[]::new),
            isPlain ? null : depths.stream().mapToInt(depth -> depth).toArray());
    slot.leavesNothing = leavesNothing(leaf.path());
    return slot;
  }

  /// Whether doc values say all of a single value of a field, or of an object that is not in an
  /// array, but for what is in it.
  boolean leavesNothing(String path) {
    return residue != null && residue.isPlain(path);
  }

  /// The slot of `_doc_count`, the metadata field that documents give a value.
  ResolvedMember counts(byte[] name, int hash) {
    MappedField field = Objects.requireNonNull(mapping.field(MetadataFields.DOC_COUNT));
    return ResolvedMember.field(name, hash, new Sink[] {sink(field.path(), field.type())}, null);
  }

  /// Whether values are copied to a field that the mapping lacks, and may grow by.
  boolean lacksTarget(LeafMapping leaf) {
    return leaf.copyTo().stream().anyMatch(target -> mapping.mayAdd(target));
  }

  private int depth(String path) {
    int depth = 0;
    for (String at = mapping.nestedScope(path); at != null; at = mapping.nestedScope(at)) {
      depth++;
    }
    return depth;
  }

  private void addWithFields(LeafMapping leaf, int depth, List<Sink> to, List<Integer> depths) {
    addWithParts(leaf.path(), leaf.type(), to);
    leaf.fields().values().forEach(field -> addWithParts(field.path(), field.type(), to));
    while (depths.size() < to.size()) {
      depths.add(depth);
    }
  }

  private void addWithParts(String path, FieldType type, List<Sink> to) {
    to.add(sink(path, type));
    type.parts().forEach((name, part) -> addWithParts(path + name, part, to));
  }

  Sink sink(String path, FieldType type) {
    return byPath.computeIfAbsent(
        path,
        _ -> {
          Sink made = new Sink(path, type);
          all.add(made);
          if (made.columns.readsDocument()) {
            readers.add(made);
            if (document != null) {
              made.columns.document(document);
            }
          }
          return made;
        });
  }

  /// The document that last had an ignored value of a field; -1 for none.
  long lastIgnored(String path) {
    Sink sink = byPath.get(path);
    return sink == null ? -1 : sink.ignoredIn;
  }

  /// Which document is read next.
  void document(DocumentSource source) {
    document = source;
    if (timestamp != null) {
      timestamp.counted = 0;
    }
    for (Sink sink : readers) {
      sink.columns.document(source);
    }
  }

  void truncate(int row) {
    for (Sink sink : all) {
      sink.columns.truncate(row);
    }
  }

  void finish(int rows, Consumer<Column> columns) {
    for (Sink sink : all) {
      sink.columns.finish(rows, columns);
    }
  }

  void clear() {
    document = null;
    for (Sink sink : all) {
      sink.columns.clear();
    }
  }
}
