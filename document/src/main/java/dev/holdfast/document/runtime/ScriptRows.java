package dev.holdfast.document.runtime;

import dev.holdfast.document.FieldType;
import dev.holdfast.document.ScriptedValues;
import dev.holdfast.script.ScriptSource;
import dev.holdfast.script.Scripts;
import dev.holdfast.script.context.ValueScript;
import dev.holdfast.script.emit.CompositeFieldScript;
import dev.holdfast.script.emit.EmitScript;
import dev.holdfast.script.emit.TextFieldScript;
import dev.holdfast.script.runtime.Budget;
import dev.holdfast.script.runtime.Contents;
import dev.holdfast.script.runtime.Script;
import dev.holdfast.script.runtime.ScriptLimitError;
import dev.holdfast.script.value.DocValuesOfField;
import dev.holdfast.script.value.DocumentValues;
import dev.holdfast.script.value.UnsignedLongs;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/// Runs the script of a field on documents of a segment, in any order. Of one thread.
final class ScriptRows {
  private final FieldType type;
  private final String path;
  private final ScriptedValues scripted;
  private final EmittedRow row;
  private final IntConsumer running;
  private final Budget budget = Budget.current();

  /// The scores of the segment's documents.
  interface Scores {
    float of(int doc) throws IOException;
  }

  /// @param scripted of the type
  ScriptRows(
      String path, FieldType type, ScriptedValues scripted, DocumentValues values, Scores scores) {
    this.type = type;
    this.path = path;
    this.scripted = scripted;
    this.row = new EmittedRow(type);
    ScriptSource source = scripted.script();
    Script script =
        Scripts.instance(
            Script.class,
            Scripts.compiled(source, scripted.shape()),
            new LookupParams(source.params(), values),
            values);
    this.running =
        switch (script) {
          case EmitScript emitting -> emitted(emitting);
          case ValueScript value -> made(value, values, scores);
          default -> throw new IllegalStateException("no script of a field " + scripted.shape());
        };
  }

  /// Runs on a document.
  ///
  /// @throws Refusal when the script fails, and the field does not go on then
  EmittedRow of(int doc) {
    row.clear();
    Budget.Spent before = budget.setAside();
    try {
      running.accept(doc);
    } catch (Refusal e) {
      if (!scripted.continuesOnError() || e.type() == ErrorType.TASK_CANCELLED) {
        throw e;
      }
      row.clear();
    } finally {
      budget.resume(before);
    }
    row.sort();
    return row;
  }

  private IntConsumer emitted(EmitScript script) {
    script.of(new FieldHost(path, type));
    return switch (script) {
      case TextFieldScript texts ->
          doc -> {
            texts.run(doc);
            texts.texts().forEach(row::text);
          };
      case CompositeFieldScript composite -> {
        String member = String.valueOf(scripted.member());
        yield doc -> {
          composite.run(doc);
          composite.values(member).forEach(row::object);
        };
      }
      default ->
          switch (type.values()) {
            case GEO_POINT ->
                doc -> {
                  script.run(doc);
                  for (int i = 0; i < script.size(); i += 2) {
                    row.point(
                        Double.longBitsToDouble(script.bits(i)),
                        Double.longBitsToDouble(script.bits(i + 1)));
                  }
                };
            default ->
                doc -> {
                  script.run(doc);
                  for (int i = 0; i < script.size(); i++) {
                    row.bits(script.bits(i));
                  }
                };
          };
    };
  }

  private static @Nullable Object bounded(@Nullable Object made) {
    try {
      return Contents.bounded(made);
    } catch (ScriptLimitError e) {
      throw new Refusal(
          ErrorType.ILLEGAL_ARGUMENT,
          "Iterable object is self-referencing itself (ScriptBytesValues value)",
          e);
    } catch (UnsupportedOperationException e) {
      // It is no map to be walked, but one that is asked by name.
      throw Refusal.badArgument(String.valueOf(e.getMessage()));
    }
  }

  /// Instants and booleans are the numbers that columns hold.
  private static Object plain(Object value) {
    return switch (value) {
      case ZonedDateTime at -> at.toInstant().toEpochMilli();
      case Boolean is -> is ? 1L : 0L;
      default -> value;
    };
  }

  private IntConsumer made(ValueScript script, DocumentValues values, Scores scores) {
    int[] current = new int[1];
    script.scoreBy(() -> scores.of(current[0]));
    String field = scripted.field();
    if (field == null) {
      return doc -> {
        current[0] = doc;
        script.moveTo(doc);
        row.object(bounded(script.execute()));
      };
    }
    return doc -> {
      current[0] = doc;
      script.moveTo(doc);
      if (!values.containsKey(field)) {
        return;
      }
      for (Object value : all(values.get(field))) {
        script.of(plain(value));
        row.object(bounded(script.execute()));
      }
    };
  }

  private static List<?> all(DocValuesOfField<?> given) {
    try {
      return given instanceof UnsignedLongs large ? large.doubles() : List.copyOf(given);
    } catch (UnsupportedOperationException e) {
      // A vector, which is no list of values.
      throw Refusal.badArgument(String.valueOf(e.getMessage()));
    }
  }
}
