package dev.holdfast.codec.docvalues;

import java.io.IOException;
import org.apache.lucene.codecs.DocValuesConsumer;
import org.apache.lucene.codecs.DocValuesFormat;
import org.apache.lucene.codecs.DocValuesProducer;
import org.apache.lucene.codecs.lucene90.Lucene90DocValuesFormat;
import org.apache.lucene.index.SegmentReadState;
import org.apache.lucene.index.SegmentWriteState;
import org.apache.lucene.util.IOUtils;

/// Doc values whose single-valued numeric columns decode in bulk, timestamps too; everything else,
/// skip indexes included, is Lucene's own.
///
/// A column is cut into blocks of 1024 values. A block has its least value, and the differences
/// from it in units of the column's greatest common divisor, each in 0, 1, 2, 3, 4 or 8 bytes.
///
/// The file `hdd` holds, per column: the documents that have a value (Lucene's `IndexedDISI`, when
/// not all have), the blocks' bytes one after another, and the block table: for each block its
/// least value, and its bytes' offset from the column's first shifted left by 4, plus its width.
/// The file `hdm` holds where those are ([NumericColumn]).
public final class HoldfastDocValuesFormat extends DocValuesFormat {
  static final String DATA_CODEC = "HoldfastDocValuesData";
  static final String DATA_EXTENSION = "hdd";
  static final String META_CODEC = "HoldfastDocValuesMeta";
  static final String META_EXTENSION = "hdm";
  static final int VERSION_FIRST = 0;
  static final int VERSION_LAST = 0;

  static final int BLOCK_SHIFT = 10;
  static final int BLOCK_SIZE = 1 << BLOCK_SHIFT;

  /// Bytes of a block's entry in the block table.
  static final int BLOCK_ENTRY_BYTES = 2 * Long.BYTES;

  static final int WIDTH_BITS = 4;
  static final int WIDTH_MASK = (1 << WIDTH_BITS) - 1;

  private static final String NAME = "HoldfastDocValues1";

  private static final DocValuesFormat OTHERS = new Lucene90DocValuesFormat();

  /// For Lucene's look-up by name.
  public HoldfastDocValuesFormat() {
    super(NAME);
  }

  @Override
  public DocValuesConsumer fieldsConsumer(SegmentWriteState state) throws IOException {
    return consumer(state, ColumnLayout.BYTES);
  }

  static DocValuesConsumer consumer(SegmentWriteState state, ColumnLayout layout)
      throws IOException {
    DocValuesConsumer consumer = OTHERS.fieldsConsumer(state);
    try {
      return new HoldfastDocValuesConsumer(consumer, state, layout);
    } catch (Throwable failed) {
      IOUtils.closeWhileSuppressingExceptions(failed, consumer);
      throw failed;
    }
  }

  @Override
  public DocValuesProducer fieldsProducer(SegmentReadState state) throws IOException {
    return producer(state, ColumnLayout.BYTES);
  }

  static DocValuesProducer producer(SegmentReadState state, ColumnLayout layout)
      throws IOException {
    DocValuesProducer producer = OTHERS.fieldsProducer(state);
    try {
      return new HoldfastDocValuesProducer(producer, state, layout);
    } catch (Throwable failed) {
      IOUtils.closeWhileSuppressingExceptions(failed, producer);
      throw failed;
    }
  }
}
