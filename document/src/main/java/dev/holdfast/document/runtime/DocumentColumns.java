package dev.holdfast.document.runtime;

import dev.holdfast.document.FieldType;
import dev.holdfast.document.MappedField;
import dev.holdfast.document.Mapping;
import dev.holdfast.script.ScriptValues;
import dev.holdfast.script.value.DocValuesOfField;
import dev.holdfast.script.value.DocumentValues;
import dev.holdfast.script.value.Numbers;
import dev.holdfast.script.value.Strings;
import dev.holdfast.script.value.Texts;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.function.Function;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.index.SortedSetDocValues;
import org.jspecify.annotations.Nullable;

/// A document that is being indexed, as scripts see documents: its doc values are read from its
/// source. One after the other, of one thread.
public final class DocumentColumns {
  private final Mapping mapping;
  private final Function<String, byte @Nullable []> made;
  private final DocumentValues values;
  private byte[] source = new byte[0];
  private int number;

  /// @param made a source with the values of a field that a script makes; null for other fields
  public DocumentColumns(Mapping mapping, Function<String, byte @Nullable []> made) {
    this.mapping = mapping;
    this.made = made;
    this.values =
        new DocumentValues("", this::open, _ -> ScriptValues.map(source, 0, source.length));
  }

  /// Goes to the next document.
  public void next(byte[] document) {
    source = document;
    number++;
  }

  /// Tells documents apart.
  public int number() {
    return number;
  }

  public DocumentValues values() {
    return values;
  }

  private @Nullable DocValuesOfField<?> open(String field) {
    MappedField mapped = mapping.field(field);
    if (mapped == null || mapped.type().isRuntime()) {
      return null;
    }
    FieldType type = mapped.type();
    String path = mapped.path();
    if (!mapping.copiedTo(path).isEmpty()) {
      throw Refusal.badArgument(
          "a script of a field cannot read [" + field + "], which others are copied to");
    }
    if (type.values().hasOrdinals()) {
      return new Strings(new Terms(path, type));
    }
    if (!type.values().isNumeric() && type.values() != dev.holdfast.document.ValuesKind.GEO_POINT) {
      throw Refusal.badArgument(
          "Can't load fielddata on ["
              + field
              + "] because fielddata is unsupported on fields of type ["
              + type.typeName()
              + "]. Use doc values instead.");
    }
    return ScriptColumns.of(type, new Longs(path, type));
  }

  private RuntimeColumn column(String path, FieldType type) {
    byte[] own = made.apply(path);
    if (own != null) {
      return RuntimeColumn.ofDocument(path, type, own);
    }
    int dot = path.lastIndexOf('.');
    String above = dot < 0 ? "" : path.substring(0, dot);
    // A multi-field has the values of the field that it is of.
    boolean isMulti = dot > 0 && !mapping.isObject(above) && mapping.field(above) != null;
    return RuntimeColumn.ofDocument(isMulti ? above : path, type, source);
  }

  private final class Longs implements Numbers {
    private final String path;
    private final FieldType type;
    private @Nullable SortedNumericDocValues of;

    Longs(String path, FieldType type) {
      this.path = path;
      this.type = type;
    }

    @Override
    public int count(int doc) throws IOException {
      SortedNumericDocValues numbers = column(path, type).numbers();
      of = numbers;
      return numbers.advanceExact(0) ? numbers.docValueCount() : 0;
    }

    @Override
    public long next() throws IOException {
      return of == null ? 0 : of.nextValue();
    }
  }

  private final class Terms implements Texts {
    private final String path;
    private final FieldType type;
    private @Nullable SortedSetDocValues of;

    Terms(String path, FieldType type) {
      this.path = path;
      this.type = type;
    }

    @Override
    public int count(int doc) throws IOException {
      SortedSetDocValues terms = column(path, type).terms();
      of = terms;
      return terms.advanceExact(0) ? terms.docValueCount() : 0;
    }

    @Override
    public String next() throws IOException {
      return of == null ? "" : type.format(null, null).toText(of.lookupOrd(of.nextOrd()));
    }
  }
}
