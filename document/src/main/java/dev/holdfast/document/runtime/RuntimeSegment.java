package dev.holdfast.document.runtime;

import dev.holdfast.document.FieldType;
import dev.holdfast.document.ScriptedValues;
import dev.holdfast.script.value.DocumentValues;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.lucene.index.BinaryDocValues;
import org.apache.lucene.index.DocValuesSkipIndexType;
import org.apache.lucene.index.DocValuesSkipper;
import org.apache.lucene.index.DocValuesType;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.FieldInfos;
import org.apache.lucene.index.FilterLeafReader;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.PointValues;
import org.apache.lucene.index.SortedDocValues;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.VectorEncoding;
import org.apache.lucene.index.VectorSimilarityFunction;
import org.jspecify.annotations.Nullable;

/// A segment in which runtime fields have doc values, and nothing of mapped fields of their name is
/// seen.
final class RuntimeSegment extends FilterLeafReader {
  /// Fields that need each other's values, one after the other.
  private static final int CHAIN_MAX = 5;

  private final RuntimeUse runtime;

  /// The scripted fields whose values are being made with what is read here.
  private final List<String> chain;

  private volatile @Nullable FieldInfos infos;

  RuntimeSegment(LeafReader in, RuntimeUse runtime, List<String> chain) {
    super(in);
    this.runtime = runtime;
    this.chain = chain;
  }

  /// This segment as the script of a field sees it.
  ///
  /// @throws Refusal 400 when fields need each other in a circle, or too many
  private RuntimeSegment within(String path) {
    List<String> longer = new ArrayList<>(chain);
    longer.add(path);
    String shown = String.join(" -> ", longer);
    if (chain.contains(path)) {
      throw Refusal.badArgument(
          "Cyclic dependency detected while resolving runtime fields: " + shown);
    }
    if (longer.size() > CHAIN_MAX) {
      throw Refusal.badArgument("Field requires resolving too many dependent fields: " + shown);
    }
    return new RuntimeSegment(in, runtime, List.copyOf(longer));
  }

  private ScriptRows rows(String path, FieldType type, ScriptedValues scripted) {
    return new ScriptRows(
        path,
        type,
        scripted,
        new DocumentValues(
            "",
            new ScriptColumns(within(path), runtime.mapping(), ""),
            new SegmentSources(in, runtime.mapping().sources())),
        doc -> runtime.scores().of(in, doc));
  }

  /// The values of a scripted field in one document.
  RuntimeColumn one(int doc, String path, FieldType type) {
    ScriptedValues scripted = Objects.requireNonNull(type.scripted());
    ColumnBuilder builder = new ColumnBuilder(path, type);
    builder.add(rows(path, type, scripted).of(doc));
    return builder.finish();
  }

  private RuntimeColumn column(String path, FieldType type) throws IOException {
    ScriptedValues scripted = type.scripted();
    return runtime.column(
        in,
        path,
        type,
        !chain.isEmpty(),
        scripted == null
            ? memory ->
                ColumnLoader.load(
                    in, path, type, runtime.mapping().sources(), memory, runtime.isCancelled())
            : memory ->
                ColumnLoader.make(
                    in, path, type, rows(path, type, scripted), memory, runtime.isCancelled()));
  }

  private SortedNumericDocValues numbers(String path, FieldType type) throws IOException {
    ScriptedValues scripted = type.scripted();
    if (scripted == null) {
      return column(path, type).numbers();
    }
    RuntimeColumn known = runtime.known(in, path, type);
    if (known != null) {
      return known.numbers();
    }
    runtime.open(in, path);
    return new LazyNumbers(
        rows(path, type, scripted),
        maxDoc(),
        runtime.isCancelled(),
        () -> runtime.isWorthMaking(in, path, type) ? column(path, type) : null);
  }

  private @Nullable FieldType type(String field) {
    return runtime.types().get(field);
  }

  /// That of the segment: what is cached under it must have nothing to do with runtime fields.
  @Override
  public @Nullable CacheHelper getCoreCacheHelper() {
    return in.getCoreCacheHelper();
  }

  @Override
  public @Nullable CacheHelper getReaderCacheHelper() {
    return null;
  }

  @Override
  public FieldInfos getFieldInfos() {
    FieldInfos known = infos;
    if (known == null) {
      known = newInfos();
      infos = known;
    }
    return known;
  }

  private FieldInfos newInfos() {
    FieldInfos stored = in.getFieldInfos();
    List<FieldInfo> all = new ArrayList<>();
    int next = 0;
    for (FieldInfo info : stored) {
      next = Math.max(next, info.number + 1);
      if (type(info.name) == null) {
        all.add(info);
      }
    }
    for (Map.Entry<String, FieldType> field : runtime.types().entrySet()) {
      FieldInfo hidden = stored.fieldInfo(field.getKey());
      all.add(info(field.getKey(), hidden == null ? next++ : hidden.number, field.getValue()));
    }
    return new FieldInfos(all.toArray(FieldInfo[]::new));
  }

  private static FieldInfo info(String field, int number, FieldType type) {
    return new FieldInfo(
        field,
        number,
        false,
        false,
        false,
        IndexOptions.NONE,
        type.values().hasOrdinals() ? DocValuesType.SORTED_SET : DocValuesType.SORTED_NUMERIC,
        DocValuesSkipIndexType.NONE,
        -1,
        Map.of(),
        0,
        0,
        0,
        0,
        VectorEncoding.FLOAT32,
        VectorSimilarityFunction.EUCLIDEAN,
        false,
        false);
  }

  @Override
  public @Nullable SortedNumericDocValues getSortedNumericDocValues(String field)
      throws IOException {
    FieldType type = type(field);
    if (type == null) {
      return in.getSortedNumericDocValues(field);
    }
    return type.values().hasOrdinals() ? null : numbers(field, type);
  }

  @Override
  public @Nullable SortedSetDocValues getSortedSetDocValues(String field) throws IOException {
    FieldType type = type(field);
    if (type == null) {
      return in.getSortedSetDocValues(field);
    }
    return type.values().hasOrdinals() ? column(field, type).terms() : null;
  }

  @Override
  public @Nullable NumericDocValues getNumericDocValues(String field) throws IOException {
    return type(field) == null ? in.getNumericDocValues(field) : null;
  }

  @Override
  public @Nullable BinaryDocValues getBinaryDocValues(String field) throws IOException {
    return type(field) == null ? in.getBinaryDocValues(field) : null;
  }

  @Override
  public @Nullable SortedDocValues getSortedDocValues(String field) throws IOException {
    return type(field) == null ? in.getSortedDocValues(field) : null;
  }

  @Override
  public @Nullable DocValuesSkipper getDocValuesSkipper(String field) throws IOException {
    return type(field) == null ? in.getDocValuesSkipper(field) : null;
  }

  @Override
  public @Nullable PointValues getPointValues(String field) throws IOException {
    return type(field) == null ? in.getPointValues(field) : null;
  }

  @Override
  public @Nullable Terms terms(String field) throws IOException {
    return type(field) == null ? in.terms(field) : null;
  }

  @Override
  public @Nullable NumericDocValues getNormValues(String field) throws IOException {
    return type(field) == null ? in.getNormValues(field) : null;
  }
}
