package dev.holdfast.document.field.text;

import dev.holdfast.document.FieldColumns;
import dev.holdfast.document.TermValues;
import dev.holdfast.document.column.BytesColumn;
import dev.holdfast.document.column.BytesRows;
import dev.holdfast.document.column.ColumnTypes;
import dev.holdfast.document.column.CountedWords;
import dev.holdfast.document.column.TextColumn;
import dev.holdfast.document.field.TermText;
import dev.holdfast.document.scan.JsonValue;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.Consumer;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.TermToBytesRefAttribute;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.column.Column;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.util.BytesRef;

/// Columns of a `text`: the scanned bytes, analysed when Lucene asks.
final class TextColumns implements FieldColumns {
  private final String field;
  private final FieldType type;
  private final Analyzer analyzer;
  private final boolean isStandard;
  private final int gap;
  private final DocValues docValues;

  /// What is kept by document.
  enum DocValues {
    NONE,
    /// The terms: `fielddata`.
    TERMS,
    /// The values as they came, those that are not too long for a term.
    WHOLE
  }

  private final BytesRows texts = new BytesRows();
  private final BytesRows fieldData = new BytesRows();

  TextColumns(
      String field,
      FieldType type,
      Analyzer analyzer,
      boolean isStandard,
      int gap,
      DocValues docValues) {
    this.field = field;
    this.type = type;
    this.analyzer = analyzer;
    this.isStandard = isStandard;
    this.gap = gap;
    this.docValues = docValues;
  }

  @Override
  public boolean add(int row, JsonValue value) {
    TermText.requireScalar(value);
    if (value.length() > IndexWriter.MAX_TERM_LENGTH && !isStandard) {
      checkTerms(value.text());
    }
    texts.add(row, value.bytes(), value.offset(), value.length(), value.isAscii());
    return true;
  }

  /// A term too long for Lucene would fail the whole batch: find it while it can fail alone. (The
  /// standard analyser cuts its tokens.)
  private void checkTerms(String text) {
    try (TokenStream tokens = new CountedWords(analyzer.tokenStream(field, text), text.length())) {
      TermToBytesRefAttribute term = tokens.addAttribute(TermToBytesRefAttribute.class);
      tokens.reset();
      while (tokens.incrementToken()) {
        BytesRef bytes = term.getBytesRef();
        TermText.checkLength(field, bytes.bytes, bytes.offset, bytes.length);
      }
      tokens.end();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (IllegalArgumentException e) {
      throw new Refusal(
          dev.holdfast.world.ErrorType.ILLEGAL_ARGUMENT, String.valueOf(e.getMessage()), e);
    }
  }

  @Override
  public void truncate(int row) {
    texts.truncate(row);
  }

  @Override
  public void finish(int rows, Consumer<Column> columns) {
    if (texts.count() > 0 && type.indexOptions() != IndexOptions.NONE) {
      columns.accept(new TextColumn(field, type, texts, rows, analyzer, isStandard, gap));
    }
    if (docValues != DocValues.NONE && texts.count() > 0) {
      fieldData.clear();
      if (docValues == DocValues.TERMS) {
        addTerms();
      } else {
        addWhole();
      }
      columns.accept(
          new BytesColumn(
              field + TermValues.FIELD_DATA,
              ColumnTypes.terms(IndexOptions.NONE, true, false),
              fieldData,
              rows));
    }
  }

  private void addWhole() {
    BytesRef view = new BytesRef();
    for (int i = 0; i < texts.count(); i++) {
      texts.get(i, view);
      if (view.length <= IndexWriter.MAX_TERM_LENGTH) {
        fieldData.add(texts.row(i), view.bytes, view.offset, view.length);
      }
    }
  }

  private void addTerms() {
    BytesRef view = new BytesRef();
    for (int i = 0; i < texts.count(); i++) {
      texts.get(i, view);
      try (TokenStream tokens =
          new CountedWords(analyzer.tokenStream(field, view.utf8ToString()), view.length)) {
        TermToBytesRefAttribute term = tokens.addAttribute(TermToBytesRefAttribute.class);
        tokens.reset();
        while (tokens.incrementToken()) {
          BytesRef bytes = term.getBytesRef();
          fieldData.add(texts.row(i), bytes.bytes, bytes.offset, bytes.length);
        }
        tokens.end();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  @Override
  public void clear() {
    texts.clear();
    fieldData.clear();
  }
}
