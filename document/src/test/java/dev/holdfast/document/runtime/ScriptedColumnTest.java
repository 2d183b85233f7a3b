package dev.holdfast.document.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.document.MappedTestIndex;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.index.SortedSetDocValues;
import org.junit.jupiter.api.Test;

/// Columns that scripts make: one by one at first, then whole.
final class ScriptedColumnTest {
  private static final int DOCUMENTS = 2000;

  private static final String MAPPING =
      """
      {"properties": {"m": {"type": "long"}},
       "runtime": {
         "twice": {"type": "long", "script": "emit(doc['m'].value * 2); emit(doc['m'].value)"},
         "odd": {"type": "keyword", "script": "if (doc['m'].value == 1777) { throw new IllegalArgumentException('no') } emit('t' + doc['m'].value % 7)"},
         "fails": {"type": "long", "script": "emit(10 / (doc['m'].value - 1900))"}}}
      """;

  private static MappedTestIndex index() throws IOException {
    String[] documents = new String[DOCUMENTS];
    for (int i = 0; i < DOCUMENTS; i++) {
      documents[i] = "{\"m\":" + i + "}";
    }
    return new MappedTestIndex(MAPPING).with(documents);
  }

  private static DirectoryReader open(MappedTestIndex index, RuntimeColumns columns)
      throws IOException {
    index.reader().incRef();
    return new RuntimeReader(index.reader(), index.mapping(), columns, () -> false);
  }

  private static LeafReader leaf(DirectoryReader reader) {
    assertThat(reader.leaves()).hasSize(1);
    return reader.leaves().getFirst().reader();
  }

  @Test
  void fewDocumentsMakeNoColumnAndManyDo() throws IOException {
    RuntimeColumns columns = new RuntimeColumns(100 << 20);
    try (MappedTestIndex index = index();
        DirectoryReader reader = open(index, columns)) {
      SortedNumericDocValues few = DocValues.getSortedNumeric(leaf(reader), "twice");
      for (int doc = 1990; doc < DOCUMENTS; doc++) {
        assertThat(few.advanceExact(doc)).isTrue();
        assertThat(few.docValueCount()).isEqualTo(2);
        assertThat(few.nextValue()).isEqualTo(doc);
        assertThat(few.nextValue()).isEqualTo(2 * doc);
      }
      assertThat(columns.bytes()).isZero();
      SortedNumericDocValues all = DocValues.getSortedNumeric(leaf(reader), "twice");
      for (int doc = all.nextDoc(); doc < DOCUMENTS; doc = all.nextDoc()) {
        assertThat(all.docValueCount()).isEqualTo(2);
        assertThat(all.nextValue()).isEqualTo(doc);
      }
      assertThat(columns.bytes()).isPositive();
    }
  }

  /// The sum of the lesser values of all documents.
  private static long sum(SortedNumericDocValues values) throws IOException {
    long sum = 0;
    for (int doc = 0; doc < DOCUMENTS; doc++) {
      assertThat(values.advanceExact(doc)).isTrue();
      sum += values.nextValue();
    }
    return sum;
  }

  @Test
  void aColumnIsMadeWhenItIsWantedForTheSecondTime() throws IOException {
    RuntimeColumns columns = new RuntimeColumns(100 << 20);
    try (MappedTestIndex index = index()) {
      long whole = DOCUMENTS * (DOCUMENTS - 1L) / 2;
      try (DirectoryReader once = open(index, columns)) {
        assertThat(sum(DocValues.getSortedNumeric(leaf(once), "twice"))).isEqualTo(whole);
        assertThat(columns.bytes()).isZero();
      }
      try (DirectoryReader again = open(index, columns)) {
        assertThat(sum(DocValues.getSortedNumeric(leaf(again), "twice"))).isEqualTo(whole);
        assertThat(columns.bytes()).isPositive();
      }
    }
  }

  @Test
  void withoutRoomForAColumnTheScriptGoesOnOneByOne() throws IOException {
    RuntimeColumns columns = new RuntimeColumns(10);
    try (MappedTestIndex index = index();
        DirectoryReader reader = open(index, columns)) {
      SortedNumericDocValues all = DocValues.getSortedNumeric(leaf(reader), "twice");
      long sum = 0;
      for (int doc = 0; doc < DOCUMENTS; doc++) {
        assertThat(all.advanceExact(doc)).isTrue();
        sum += all.nextValue();
      }
      assertThat(sum).isEqualTo(DOCUMENTS * (DOCUMENTS - 1L) / 2);
      assertThat(columns.bytes()).isZero();
      assertThatThrownBy(() -> DocValues.getSortedSet(leaf(reader), "odd"))
          .isInstanceOfSatisfying(
              Refusal.class, e -> assertThat(e.type()).isEqualTo(ErrorType.CIRCUIT_BREAKING));
    }
  }

  @Test
  void aFailureIsThatOfItsDocument() throws IOException {
    RuntimeColumns columns = new RuntimeColumns(100 << 20);
    try (MappedTestIndex index = index();
        DirectoryReader reader = open(index, columns)) {
      SortedSetDocValues terms = DocValues.getSortedSet(leaf(reader), "odd");
      assertThat(terms.getValueCount()).isEqualTo(7);
      assertThat(terms.advanceExact(1776)).isTrue();
      assertThat(terms.lookupOrd(terms.nextOrd()).utf8ToString()).isEqualTo("t5");
      assertThatThrownBy(() -> terms.advanceExact(1777)).hasMessageContaining("runtime error");
      assertThat(terms.nextDoc()).isEqualTo(1777);
      assertThatThrownBy(terms::docValueCount).hasMessageContaining("runtime error");
      SortedNumericDocValues numbers = DocValues.getSortedNumeric(leaf(reader), "fails");
      for (int doc = 0; doc < 1900; doc++) {
        assertThat(numbers.advanceExact(doc)).isTrue();
      }
      assertThatThrownBy(() -> numbers.advanceExact(1900)).hasMessageContaining("runtime error");
      assertThat(numbers.advanceExact(1901)).isTrue();
      assertThat(numbers.nextValue()).isEqualTo(10);
    }
  }
}
