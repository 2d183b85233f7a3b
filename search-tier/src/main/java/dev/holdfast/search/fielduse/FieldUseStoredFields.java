package dev.holdfast.search.fielduse;

import dev.holdfast.search.fielduse.FieldUse.Structure;
import java.io.IOException;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.StoredFieldDataInput;
import org.apache.lucene.index.StoredFieldVisitor;
import org.apache.lucene.index.StoredFields;

/// Stored fields that note which of them a visitor wants.
final class FieldUseStoredFields extends StoredFields {
  private final StoredFields in;

  FieldUseStoredFields(StoredFields in) {
    this.in = in;
  }

  @Override
  public void prefetch(int doc) throws IOException {
    in.prefetch(doc);
  }

  @Override
  public void document(int doc, StoredFieldVisitor visitor) throws IOException {
    in.document(doc, new Noting(visitor));
  }

  private static final class Noting extends StoredFieldVisitor {
    private final StoredFieldVisitor in;

    Noting(StoredFieldVisitor in) {
      this.in = in;
    }

    @Override
    public Status needsField(FieldInfo field) throws IOException {
      Status status = in.needsField(field);
      if (status == Status.YES) {
        FieldUse.mark(field.name, Structure.STORED_FIELDS);
      }
      return status;
    }

    @Override
    public void binaryField(FieldInfo field, StoredFieldDataInput value) throws IOException {
      in.binaryField(field, value);
    }

    @Override
    public void binaryField(FieldInfo field, byte[] value) throws IOException {
      in.binaryField(field, value);
    }

    @Override
    public void stringField(FieldInfo field, String value) throws IOException {
      in.stringField(field, value);
    }

    @Override
    public void intField(FieldInfo field, int value) throws IOException {
      in.intField(field, value);
    }

    @Override
    public void longField(FieldInfo field, long value) throws IOException {
      in.longField(field, value);
    }

    @Override
    public void floatField(FieldInfo field, float value) throws IOException {
      in.floatField(field, value);
    }

    @Override
    public void doubleField(FieldInfo field, double value) throws IOException {
      in.doubleField(field, value);
    }
  }
}
