package dev.holdfast.document;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.DocValuesType;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.util.BytesRef;

/// The terms of a field by document, wherever they lie: in the field's own doc values, in those of
/// the keys of a `flattened` above it, or in the field data of a `text`.
public final class TermValues {
  /// Follows the path of a `text` with field data: its terms as doc values. A Lucene field of its
  /// own, since field data may be switched on late and Lucene lets no field change.
  public static final String FIELD_DATA = "#fielddata";

  /// Follows the path of a `flattened`: keys and values.
  public static final String KEYED = "._keyed";

  private TermValues() {}

  /// @param field full path
  public static SortedSetDocValues of(LeafReader reader, String field) throws IOException {
    if (hasValues(reader, field)) {
      return DocValues.getSortedSet(reader, field);
    }
    if (hasValues(reader, field + FIELD_DATA)) {
      return DocValues.getSortedSet(reader, field + FIELD_DATA);
    }
    for (int dot = field.lastIndexOf('.'); dot > 0; dot = field.lastIndexOf('.', dot - 1)) {
      String keyed = field.substring(0, dot) + KEYED;
      if (hasValues(reader, keyed)) {
        BytesRef prefix = keyPrefix(field.substring(dot + 1));
        return PrefixedValues.of(DocValues.getSortedSet(reader, keyed), prefix);
      }
    }
    return DocValues.emptySortedSet();
  }

  /// The same, each as often as a document has it: for what counts or shows values.
  ///
  /// @param field full path
  public static SortedSetDocValues repeated(LeafReader reader, String field) throws IOException {
    SortedSetDocValues terms = of(reader, field);
    return terms instanceof RepeatedTerms of ? of.repeated() : terms;
  }

  private static boolean hasValues(LeafReader reader, String field) {
    FieldInfo info = reader.getFieldInfos().fieldInfo(field);
    return info != null && info.getDocValuesType() != DocValuesType.NONE;
  }

  /// What terms of a key of a `flattened` begin with.
  public static BytesRef keyPrefix(String key) {
    return new BytesRef((key + "\0").getBytes(StandardCharsets.UTF_8));
  }
}
