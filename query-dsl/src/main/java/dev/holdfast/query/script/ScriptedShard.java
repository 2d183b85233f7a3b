package dev.holdfast.query.script;

import dev.holdfast.document.runtime.LookupParams;
import dev.holdfast.document.runtime.ScriptColumns;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.source.StoredDocument;
import dev.holdfast.script.ScriptSource;
import dev.holdfast.script.ScriptValues;
import dev.holdfast.script.Scripts;
import dev.holdfast.script.type.Shape;
import dev.holdfast.script.value.DocumentValues;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Constructor;
import java.util.Map;
import org.apache.lucene.index.LeafReaderContext;

/// A script compiled for a shard, which is given an instance of its own for each segment.
///
/// @param base the context's class
public record ScriptedShard<T>(
    ScriptSource script, Class<T> base, Constructor<?> compiled, QueryContext context) {
  /// @throws Refusal `script_exception`, 400, when it does not compile
  public static <T> ScriptedShard<T> of(
      ScriptSource script, Shape shape, Class<T> base, QueryContext context) {
    return new ScriptedShard<>(script, base, Scripts.compiled(script, shape), context);
  }

  public T in(LeafReaderContext leaf) {
    DocumentValues values = values(context, leaf);
    return Scripts.instance(base, compiled, new LookupParams(script.params(), values), values);
  }

  /// The columns of a segment for scripts.
  public static DocumentValues values(QueryContext context, LeafReaderContext leaf) {
    return new DocumentValues(
        context.index() + context.shard() + "#" + leaf.ord,
        new ScriptColumns(leaf.reader(), context.mapping(), context.index()),
        doc -> source(context, leaf, doc));
  }

  static Map<String, Object> source(QueryContext context, LeafReaderContext leaf, int doc) {
    try {
      byte[] source =
          StoredDocument.whole(
                  context.searcher().getIndexReader(), context.mapping(), leaf.docBase + doc)
              .source();
      return source == null ? Map.of() : ScriptValues.map(source, 0, source.length);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
