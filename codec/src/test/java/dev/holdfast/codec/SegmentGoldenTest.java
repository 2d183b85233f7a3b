package dev.holdfast.codec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.codec.docvalues.HoldfastDocValuesFormat;
import dev.holdfast.codec.docvalues.PackedDocValuesFormat;
import dev.holdfast.codec.ordinal.OrdinalPostingsFormat;
import dev.holdfast.world.Golden;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.codecs.DocValuesConsumer;
import org.apache.lucene.codecs.DocValuesFormat;
import org.apache.lucene.codecs.DocValuesProducer;
import org.apache.lucene.codecs.FieldsConsumer;
import org.apache.lucene.codecs.FieldsProducer;
import org.apache.lucene.codecs.FilterCodec;
import org.apache.lucene.codecs.PostingsFormat;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.SortedDocValuesField;
import org.apache.lucene.index.CodecReader;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.DocValuesType;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.SegmentInfo;
import org.apache.lucene.index.SegmentReadState;
import org.apache.lucene.index.SegmentWriteState;
import org.apache.lucene.index.SortedDocValues;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.InfoStream;
import org.apache.lucene.util.Version;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Segments that this build and those before it wrote: what they hold is still read. Bytes change
/// with what compresses them and with Lucene's own files, too; then others are added
/// (`docs/upgrading.md`).
final class SegmentGoldenTest {
  /// More than a block of columns, and than two of terms.
  private static final int DOCUMENTS = 1100;

  private static final String NAME = "_0";
  private static final byte[] ID = "golden segment 1".getBytes(StandardCharsets.US_ASCII);

  private static Document document(int i) {
    Document document = new Document();
    document.add(new NumericDocValuesField("constant", 7));
    document.add(new NumericDocValuesField("small", i * 7919L % 100));
    document.add(new NumericDocValuesField("outlier", i % 97 == 0 ? Long.MIN_VALUE + i : i % 5));
    document.add(new NumericDocValuesField("rising", 1_700_000_000_000L + 1009L * i + i % 5));
    document.add(new NumericDocValuesField("falling", -1000L * i));
    document.add(new NumericDocValuesField("word", i % 9 == 0 ? 7_000_003L * (i % 30) : 200));
    if (i % 3 == 0) {
      document.add(new NumericDocValuesField("sparse", i * 31L % 1000));
    }
    document.add(new SortedDocValuesField("sorted", new BytesRef("s" + i % 11)));
    document.add(keyword("host", "host-" + i % 90, IndexOptions.DOCS));
    if (i % 4 == 0) {
      document.add(keyword("single", "a long prefix of all of them " + i, IndexOptions.DOCS));
    }
    for (int n = i % 3; n > 0; n--) {
      document.add(keyword("tags", "tag/" + i * 13 * n % 200, IndexOptions.DOCS_AND_FREQS));
      document.add(keyword("tags", "tag/" + i * 17 * n % 200, IndexOptions.DOCS_AND_FREQS));
    }
    return document;
  }

  private static Field keyword(String name, String value, IndexOptions options) {
    FieldType type = new FieldType();
    type.setIndexOptions(options);
    type.setTokenized(false);
    type.setOmitNorms(true);
    type.setDocValuesType(DocValuesType.SORTED_SET);
    type.freeze();
    return new Field(name, new BytesRef(value), type);
  }

  /// A segment of the formats that are looked at.
  ///
  /// @param postings null for none
  private record Formats(DocValuesFormat values, @Nullable PostingsFormat postings) {
    SegmentInfo info(Directory directory) {
      Codec codec =
          new FilterCodec("Golden", Codec.getDefault()) {
            @Override
            public DocValuesFormat docValuesFormat() {
              return values;
            }
          };
      return new SegmentInfo(
          directory,
          Version.LATEST,
          Version.LATEST,
          NAME,
          DOCUMENTS,
          false,
          false,
          codec,
          Map.of(),
          ID,
          Map.of(),
          null);
    }

    /// The files of a segment of all that a reader has.
    Map<String, byte[]> write(CodecReader from) throws IOException {
      try (Directory directory = new ByteBuffersDirectory()) {
        SegmentWriteState state =
            new SegmentWriteState(
                InfoStream.NO_OUTPUT,
                directory,
                info(directory),
                from.getFieldInfos(),
                null,
                IOContext.DEFAULT);
        DocValuesProducer read = Objects.requireNonNull(from.getDocValuesReader());
        try (DocValuesConsumer written = values.fieldsConsumer(state)) {
          for (FieldInfo field : from.getFieldInfos()) {
            switch (field.getDocValuesType()) {
              case NUMERIC -> written.addNumericField(field, read);
              case SORTED -> written.addSortedField(field, read);
              case SORTED_SET -> written.addSortedSetField(field, read);
              default -> throw new AssertionError(field.name);
            }
          }
        }
        if (postings != null) {
          try (FieldsConsumer written = postings.fieldsConsumer(state)) {
            written.write(Objects.requireNonNull(from.getPostingsReader()), null);
          }
        }
        Map<String, byte[]> files = new TreeMap<>();
        for (String file : directory.listAll()) {
          try (IndexInput in = directory.openInput(file, IOContext.DEFAULT)) {
            byte[] bytes = new byte[Math.toIntExact(in.length())];
            in.readBytes(bytes, 0, bytes.length);
            files.put(file, bytes);
          }
        }
        return files;
      }
    }

    void verify(Map<String, byte[]> files, CodecReader expected) throws IOException {
      try (Directory directory = new ByteBuffersDirectory()) {
        for (Map.Entry<String, byte[]> file : files.entrySet()) {
          try (IndexOutput out = directory.createOutput(file.getKey(), IOContext.DEFAULT)) {
            out.writeBytes(file.getValue(), file.getValue().length);
          }
        }
        SegmentReadState state =
            new SegmentReadState(
                directory, info(directory), expected.getFieldInfos(), IOContext.DEFAULT);
        try (DocValuesProducer found = values.fieldsProducer(state)) {
          found.checkIntegrity();
          for (FieldInfo field : expected.getFieldInfos()) {
            compare(found, Objects.requireNonNull(expected.getDocValuesReader()), field);
          }
        }
        if (postings != null) {
          try (FieldsProducer found = postings.fieldsProducer(state)) {
            found.checkIntegrity();
            for (String field : found) {
              compare(
                  Objects.requireNonNull(found.terms(field)),
                  Objects.requireNonNull(expected.terms(field)));
            }
          }
        }
      }
    }
  }

  private static void compare(DocValuesProducer found, DocValuesProducer expected, FieldInfo field)
      throws IOException {
    switch (field.getDocValuesType()) {
      case NUMERIC -> {
        NumericDocValues one = expected.getNumeric(field);
        NumericDocValues other = found.getNumeric(field);
        while (one.nextDoc() != DocIdSetIterator.NO_MORE_DOCS) {
          assertThat(other.nextDoc()).as(field.name).isEqualTo(one.docID());
          assertThat(other.longValue()).as(field.name).isEqualTo(one.longValue());
        }
        assertThat(other.nextDoc()).isEqualTo(DocIdSetIterator.NO_MORE_DOCS);
      }
      case SORTED -> {
        SortedDocValues one = expected.getSorted(field);
        SortedDocValues other = found.getSorted(field);
        while (one.nextDoc() != DocIdSetIterator.NO_MORE_DOCS) {
          assertThat(other.nextDoc()).as(field.name).isEqualTo(one.docID());
          assertThat(other.lookupOrd(other.ordValue())).isEqualTo(one.lookupOrd(one.ordValue()));
        }
      }
      default -> {
        SortedSetDocValues one = expected.getSortedSet(field);
        SortedSetDocValues other = found.getSortedSet(field);
        assertThat(other.getValueCount()).isEqualTo(one.getValueCount());
        while (one.nextDoc() != DocIdSetIterator.NO_MORE_DOCS) {
          assertThat(other.nextDoc()).as(field.name).isEqualTo(one.docID());
          assertThat(other.docValueCount()).isEqualTo(one.docValueCount());
          for (int n = one.docValueCount(); n > 0; n--) {
            BytesRef term = one.lookupOrd(one.nextOrd());
            assertThat(other.lookupOrd(other.nextOrd())).as(field.name).isEqualTo(term);
          }
        }
        assertThat(other.nextDoc()).isEqualTo(DocIdSetIterator.NO_MORE_DOCS);
      }
    }
  }

  private static void compare(Terms found, Terms expected) throws IOException {
    TermsEnum one = expected.iterator();
    TermsEnum other = found.iterator();
    for (BytesRef term = one.next(); term != null; term = one.next()) {
      assertThat(other.next()).isEqualTo(term);
      PostingsEnum documents = one.postings(null, PostingsEnum.FREQS);
      PostingsEnum others = other.postings(null, PostingsEnum.FREQS);
      while (documents.nextDoc() != DocIdSetIterator.NO_MORE_DOCS) {
        assertThat(others.nextDoc()).isEqualTo(documents.docID());
        assertThat(others.freq()).isEqualTo(documents.freq());
      }
      assertThat(others.nextDoc()).isEqualTo(DocIdSetIterator.NO_MORE_DOCS);
    }
    assertThat(other.next()).isNull();
  }

  @Test
  void packedColumnsAndPostingsByOrdinals() throws IOException {
    check("segments/packed", new Formats(new PackedDocValuesFormat(), new OrdinalPostingsFormat()));
  }

  @Test
  void columnsOfWholeBytes() throws IOException {
    check("segments/columns", new Formats(new HoldfastDocValuesFormat(), null));
  }

  private static void check(String name, Formats formats) throws IOException {
    try (Directory directory = new ByteBuffersDirectory()) {
      try (IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig())) {
        for (int i = 0; i < DOCUMENTS; i++) {
          writer.addDocument(document(i));
        }
        writer.forceMerge(1);
      }
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        CodecReader from = (CodecReader) reader.leaves().getFirst().reader();
        Map<String, byte[]> now = formats.write(from);
        List<byte[]> all = Golden.of(name, together(now));
        for (byte[] each : all) {
          formats.verify(apart(each), from);
        }
      }
    }
  }

  /// Each file's name, length and bytes.
  private static byte[] together(Map<String, byte[]> files) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      for (Map.Entry<String, byte[]> file : files.entrySet()) {
        out.writeUTF(file.getKey());
        out.writeInt(file.getValue().length);
        out.write(file.getValue());
      }
    }
    return bytes.toByteArray();
  }

  private static Map<String, byte[]> apart(byte[] bytes) throws IOException {
    Map<String, byte[]> files = new TreeMap<>();
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      while (in.available() > 0) {
        String name = in.readUTF();
        files.put(name, in.readNBytes(in.readInt()));
      }
    }
    return files;
  }
}
