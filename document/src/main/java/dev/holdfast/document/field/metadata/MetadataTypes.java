package dev.holdfast.document.field.metadata;

import dev.holdfast.document.FieldType;
import dev.holdfast.document.MappedField;
import dev.holdfast.document.MappingFactory;
import dev.holdfast.document.MetadataFields;
import dev.holdfast.document.TimeSeries;
import dev.holdfast.document.field.FieldContext;
import dev.holdfast.document.field.object.AliasType;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The types of the fields that every document has beside its own.
public final class MetadataTypes {
  private MetadataTypes() {}

  /// Metadata fields by name.
  public static SortedMap<String, MappedField> of(FieldContext context) {
    Object index = context.settings().get(MappingFactory.INDEX_NAME);
    SortedMap<String, MappedField> fields = new TreeMap<>();
    put(fields, new TermMetadata(MetadataFields.ID, true));
    put(fields, new TermMetadata(MetadataFields.ROUTING, false));
    put(fields, new TermMetadata(MetadataFields.IGNORED, false));
    put(fields, new TermMetadata(MetadataFields.FIELD_NAMES, false));
    put(fields, new NumberMetadata(MetadataFields.SEQ_NO));
    put(fields, new NumberMetadata(MetadataFields.PRIMARY_TERM));
    put(fields, new NumberMetadata(MetadataFields.VERSION));
    put(fields, new CountMetadata());
    put(fields, new SourceMetadata());
    put(fields, new ConstantMetadata(MetadataFields.INDEX, index == null ? "" : index.toString()));
    if (TimeSeries.is(context.settings())) {
      put(fields, new SeriesMetadata());
    }
    return Collections.unmodifiableSortedMap(fields);
  }

  private static void put(SortedMap<String, MappedField> fields, FieldType type) {
    fields.put(type.typeName(), new MappedField(type.typeName(), type));
  }

  /// The path that an alias stands for; null for other types.
  public static @Nullable String aliasTarget(FieldType type) {
    return type instanceof AliasType alias ? alias.target() : null;
  }
}
