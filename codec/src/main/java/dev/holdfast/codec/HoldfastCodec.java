package dev.holdfast.codec;

import dev.holdfast.codec.bloom.IdPostingsFormat;
import dev.holdfast.codec.docvalues.HoldfastDocValuesFormat;
import dev.holdfast.codec.docvalues.PackedDocValuesFormat;
import dev.holdfast.codec.norms.PostingsWithArrayNorms;
import dev.holdfast.codec.stored.HoldfastStoredFieldsFormat;
import dev.holdfast.codec.stored.StoredFieldsMode;
import dev.holdfast.world.Refusal;
import org.apache.lucene.codecs.DocValuesFormat;
import org.apache.lucene.codecs.FilterCodec;
import org.apache.lucene.codecs.KnnVectorsFormat;
import org.apache.lucene.codecs.PostingsFormat;
import org.apache.lucene.codecs.SegmentInfoFormat;
import org.apache.lucene.codecs.StoredFieldsFormat;
import org.apache.lucene.codecs.lucene104.Lucene104Codec;
import org.apache.lucene.codecs.lucene104.Lucene104PostingsFormat;
import org.apache.lucene.codecs.lucene99.Lucene99HnswVectorsFormat;
import org.apache.lucene.codecs.perfield.PerFieldDocValuesFormat;
import org.apache.lucene.codecs.perfield.PerFieldKnnVectorsFormat;
import org.apache.lucene.codecs.perfield.PerFieldPostingsFormat;

/// Lucene's default codec with stored fields in zstd blocks, a bloom filter over `_id`, and numeric
/// doc values that decode in bulk. Segments of every mode are read by any instance.
public final class HoldfastCodec extends FilterCodec {
  /// The field whose terms have a bloom filter.
  static final String ID_FIELD = "_id";

  private static final String NAME = "Holdfast1";

  private final StoredFieldsFormat storedFields;
  private final PostingsFormat postings;
  private final KnnVectorsFormat vectors;
  private final DocValuesFormat docValues;
  private final SegmentInfoFormat segmentInfo;

  /// For Lucene's look-up by name, which reads segments with it.
  public HoldfastCodec() {
    this(StoredFieldsMode.DEFAULT, FieldFormats.USUAL);
  }

  private HoldfastCodec(StoredFieldsMode mode, FieldFormats formats) {
    super(NAME, new Lucene104Codec());
    this.storedFields = new HoldfastStoredFieldsFormat(mode);
    this.postings = new PostingsWithArrayNorms(new PerField(formats));
    this.vectors = new VectorsPerField(formats);
    this.docValues = new DocValuesPerField(formats);
    this.segmentInfo = new ReproducibleSegmentInfo(delegate.segmentInfoFormat());
  }

  /// The codec for a value of the setting `index.codec`: `default` (zstd 1, small blocks),
  /// `best_compression` (zstd 3, large blocks) or `lz4`.
  ///
  /// @throws Refusal `illegal_argument_exception` for any other value
  public static HoldfastCodec of(String indexCodec) {
    return of(indexCodec, FieldFormats.USUAL);
  }

  /// The same for an index whose mapping says how some fields are written.
  public static HoldfastCodec of(String indexCodec, FieldFormats formats) {
    return new HoldfastCodec(
        switch (indexCodec) {
          case "default" -> StoredFieldsMode.DEFAULT;
          case "best_compression" -> StoredFieldsMode.BEST_COMPRESSION;
          case "lz4" -> StoredFieldsMode.LZ4;
          default ->
              throw Refusal.badArgument(
                  "unknown value for [index.codec] must be one of [default, lz4, best_compression]"
                      + " but was: "
                      + indexCodec);
        },
        formats);
  }

  @Override
  public SegmentInfoFormat segmentInfoFormat() {
    return segmentInfo;
  }

  @Override
  public StoredFieldsFormat storedFieldsFormat() {
    return storedFields;
  }

  @Override
  public PostingsFormat postingsFormat() {
    return postings;
  }

  @Override
  public DocValuesFormat docValuesFormat() {
    return docValues;
  }

  private static final class DocValuesPerField extends PerFieldDocValuesFormat {
    private final DocValuesFormat usual = new HoldfastDocValuesFormat();
    private final DocValuesFormat packed = new PackedDocValuesFormat();
    private final FieldFormats formats;

    DocValuesPerField(FieldFormats formats) {
      this.formats = formats;
    }

    @Override
    public DocValuesFormat getDocValuesFormatForField(String field) {
      return formats.areCompact() ? packed : usual;
    }
  }

  @Override
  public KnnVectorsFormat knnVectorsFormat() {
    return vectors;
  }

  private static final class VectorsPerField extends PerFieldKnnVectorsFormat {
    private final KnnVectorsFormat usual = new Lucene99HnswVectorsFormat();
    private final FieldFormats formats;

    VectorsPerField(FieldFormats formats) {
      this.formats = formats;
    }

    @Override
    public KnnVectorsFormat getKnnVectorsFormatForField(String field) {
      KnnVectorsFormat own = formats.vectors(field);
      return own == null ? usual : own;
    }
  }

  private static final class PerField extends PerFieldPostingsFormat {
    private final FieldFormats formats;
    private final PostingsFormat id;
    private final PostingsFormat other = new Lucene104PostingsFormat();

    PerField(FieldFormats formats) {
      this.formats = formats;
      this.id = new IdPostingsFormat(formats::areCompact);
    }

    @Override
    public PostingsFormat getPostingsFormatForField(String field) {
      if (field.equals(ID_FIELD)) {
        return id;
      }
      PostingsFormat own = formats.postings(field);
      return own == null ? other : own;
    }
  }
}
