package dev.holdfast.document.batch;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.document.BatchBuilder;
import dev.holdfast.document.DocumentSource;
import dev.holdfast.document.MetadataFields;
import dev.holdfast.document.SeriesId;
import dev.holdfast.document.column.BytesColumn;
import dev.holdfast.document.column.BytesRows;
import dev.holdfast.document.column.ColumnTypes;
import dev.holdfast.document.column.SourceColumn;
import dev.holdfast.document.mapping.tree.DocumentMapping;
import dev.holdfast.document.scan.JsonScanner;
import dev.holdfast.document.scan.MalformedJson;
import dev.holdfast.document.synthetic.SourceResidue;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.text.JsonTree;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.column.Column;
import org.apache.lucene.document.column.ColumnBatch;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.IndexWriter;
import org.jspecify.annotations.Nullable;

/// Documents of one shard as columns: each is scanned once, straight into them. A document that
/// fails leaves the rows before it as they were.
public final class ColumnarBatch implements BatchBuilder {
  private static final FieldType TERM = ColumnTypes.terms(IndexOptions.DOCS, false, false);
  private static final FieldType STORED_TERM = ColumnTypes.storedTerms();
  private static final FieldType SERIES = ColumnTypes.terms(IndexOptions.NONE, true, false);

  private final DocumentMapping mapping;
  private final JsonScanner scanner = new JsonScanner();
  private final Sinks sinks;
  private final DocumentWalk walk;
  private final BytesRows ids = new BytesRows();
  private final BytesRows routings = new BytesRows();
  private final BytesRows fieldNames = new BytesRows();
  private final BytesRows ignored = new BytesRows();
  private final BytesRows nestedPaths = new BytesRows();
  private final BytesRows series = new BytesRows();
  private final boolean hasSeries;
  private final SourceColumn sources = new SourceColumn();
  private final VersionColumns history = new VersionColumns();
  private final List<Outcome.Added> outcomes = new ArrayList<>();
  private final @Nullable SourceRules sourceRules;
  private final @Nullable SourceRules storedRules;
  private final @Nullable SourceResidue residue;
  private final @Nullable IndexedScripts scripts;
  private final SourceColumn storedValues = new SourceColumn();

  /// Paths of fields of one document that the mapping has no room for.
  private final List<String> beyond = new ArrayList<>();

  private int rows;

  /// @param residue tells what is stored of documents whose source is synthetic; null when theirs
  ///   is not
  public ColumnarBatch(DocumentMapping mapping, @Nullable SourceResidue residue) {
    this.mapping = mapping;
    this.sinks = new Sinks(mapping, residue);
    this.sourceRules =
        mapping.sourcePatterns().keepsAll() ? null : new SourceRules(mapping.sourcePatterns());
    this.storedRules = SourceRules.ofStored(mapping);
    this.residue = residue;
    this.hasSeries = mapping.field(MetadataFields.SERIES) != null;
    this.scripts =
        mapping.scripts().isEmpty() ? null : new IndexedScripts(mapping, sinks, fieldNames);
    this.walk = new DocumentWalk(scanner, mapping, sinks, fieldNames, ignored, nestedPaths);
  }

  @Override
  public Outcome add(DocumentSource document) {
    int first = rows;
    int row;
    try {
      if (walk.read(first, document)) {
        beyond.clear();
        ObjectNode update = growth(document);
        if (!update.isEmpty()) {
          truncate(first);
          return new Outcome.NeedsMapping(update);
        }
        for (String path : beyond) {
          ignored.add(walk.row(), path);
        }
      }
      row = walk.row();
      TimestampRule.check(sinks.timestamp());
      if (scripts != null) {
        scripts.run(row, document, path -> ignored.add(walk.row(), path));
      }
      addMetadata(first, row, document);
    } catch (MalformedJson e) {
      truncate(first);
      return new Outcome.Refused(DocumentFaults.malformed(e));
    } catch (Refusal refusal) {
      truncate(first);
      return new Outcome.Refused(refusal);
    }
    rows = row + 1;
    while (outcomes.size() <= row) {
      outcomes.add(new Outcome.Added(outcomes.size()));
    }
    return outcomes.get(row);
  }

  /// What the mapping lacks for a document.
  private ObjectNode growth(DocumentSource document) {
    try (JsonTree tree = JsonTree.of(document.bytes(), document.offset(), document.length())) {
      return mapping.infer(tree.root(), document.dynamicTemplates(), beyond);
    }
  }

  /// @param first the row of its first nested object, or its own
  private void addMetadata(int first, int row, DocumentSource document) {
    checkTerm(MetadataFields.ID, document.id());
    for (int nested = first; nested < row; nested++) {
      ids.add(nested, document.id());
      sources.skip(nested);
      storedValues.skip(nested);
      history.skip(nested);
    }
    ids.add(row, document.id());
    if (hasSeries) {
      byte[] of = SeriesId.require(document.id(), "_na_").series();
      series.add(row, of, 0, of.length);
    }
    String routing = document.routing();
    if (routing != null) {
      checkTerm(MetadataFields.ROUTING, routing);
      routings.add(row, routing);
    }
    if (residue != null) {
      byte[] rest = rest(residue, document);
      sources.set(row, rest, 0, rest.length);
    } else if (sourceRules == null) {
      sources.set(row, document.bytes(), document.offset(), document.length());
    } else {
      byte[] kept = sourceRules.apply(document.bytes(), document.offset(), document.length());
      sources.set(row, kept, 0, kept.length);
    }
    if (storedRules != null) {
      byte[] kept = storedRules.apply(document.bytes(), document.offset(), document.length());
      storedValues.set(row, kept, 0, kept.length);
    }
    history.forget(row);
  }

  /// What doc values lack of the document read last.
  private byte[] rest(SourceResidue residue, DocumentSource document) {
    if (!walk.leavesSomething()) {
      return SourceResidue.NOTHING;
    }
    byte[] bytes = document.bytes();
    return walk.ignoresSomething()
        ? residue.of(bytes, document.offset(), document.length(), walk::hasIgnored)
        : residue.of(bytes, document.offset(), document.length());
  }

  private static void checkTerm(String field, String text) {
    // UTF-8 has at most three bytes a UTF-16 unit.
    if (text.length() > IndexWriter.MAX_TERM_LENGTH / 3) {
      throw new Refusal(
          ErrorType.ILLEGAL_ARGUMENT, field + " is too long: " + text.length() + " characters");
    }
  }

  private void truncate(int row) {
    sinks.truncate(row);
    fieldNames.truncate(row);
    ignored.truncate(row);
    nestedPaths.truncate(row);
    ids.truncate(row);
    series.truncate(row);
    routings.truncate(row);
  }

  @Override
  public int rows() {
    return rows;
  }

  @Override
  public void identify(int row, long seqNo, long primaryTerm, long version) {
    history.set(row, seqNo, primaryTerm, version);
  }

  @Override
  public ColumnBatch columns() {
    List<Column> columns = new ArrayList<>();
    columns.add(new BytesColumn(MetadataFields.ID, STORED_TERM, ids, rows));
    if (hasSeries) {
      columns.add(new BytesColumn(MetadataFields.SERIES, SERIES, series, rows));
    }
    if (routings.count() > 0) {
      columns.add(new BytesColumn(MetadataFields.ROUTING, STORED_TERM, routings, rows));
    }
    if (mapping.isSourceEnabled()) {
      columns.add(sources.column(MetadataFields.SOURCE, rows));
    }
    if (storedRules != null) {
      columns.add(storedValues.column(MetadataFields.STORED_VALUES, rows));
    }
    if (fieldNames.count() > 0) {
      columns.add(new BytesColumn(MetadataFields.FIELD_NAMES, TERM, fieldNames, rows));
    }
    if (ignored.count() > 0) {
      columns.add(new BytesColumn(MetadataFields.IGNORED, TERM, ignored, rows));
    }
    if (nestedPaths.count() > 0) {
      columns.add(new BytesColumn(MetadataFields.NESTED_PATH, TERM, nestedPaths, rows));
    }
    history.finish(rows, columns::add);
    sinks.finish(rows, columns::add);
    return new Batch(rows, columns);
  }

  @Override
  public void clear() {
    sinks.clear();
    fieldNames.clear();
    ignored.clear();
    nestedPaths.clear();
    ids.clear();
    series.clear();
    routings.clear();
    sources.clear();
    storedValues.clear();
    rows = 0;
  }

  private static final class Batch extends ColumnBatch {
    private final int rows;
    private final List<Column> columns;

    Batch(int rows, List<Column> columns) {
      this.rows = rows;
      this.columns = columns;
    }

    @Override
    public int numDocs() {
      return rows;
    }

    @Override
    public Iterable<Column> columns() {
      return columns;
    }
  }
}
