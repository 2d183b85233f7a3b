package dev.holdfast.document.runtime;

import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.holdfast.document.FieldType;
import dev.holdfast.document.ScriptedValues;
import dev.holdfast.document.ValuesKind;
import dev.holdfast.script.ScriptSource;
import dev.holdfast.script.Scripts;
import dev.holdfast.script.emit.BooleanFieldScript;
import dev.holdfast.script.emit.DateFieldScript;
import dev.holdfast.script.emit.DoubleFieldScript;
import dev.holdfast.script.emit.EmitScript;
import dev.holdfast.script.emit.GeoPointFieldScript;
import dev.holdfast.script.emit.TextFieldScript;
import dev.holdfast.script.value.DocumentValues;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.util.function.LongConsumer;

/// Runs the script of a mapped field on documents that are being indexed: what it emits, as
/// documents have values of that field. Of one thread.
public final class EmittedJson {
  private static final long NANOS_PER_MILLI = 1_000_000;

  private final FieldType type;
  private final EmitScript script;

  /// @param columns the document that the script runs on
  public EmittedJson(
      String path, FieldType type, ScriptedValues scripted, DocumentColumns columns) {
    this.type = type;
    ScriptSource source = scripted.script();
    DocumentValues values = columns.values();
    script =
        Scripts.instance(
            EmitScript.class,
            Scripts.compiled(source, scripted.shape()),
            new LookupParams(source.params(), values),
            values);
    script.of(new FieldHost(path, type));
  }

  private long docValue(long millis) {
    return type.values() == ValuesKind.DATE_NANOS
        ? Math.multiplyExact(millis, NANOS_PER_MILLI)
        : millis;
  }

  /// Runs on a document.
  ///
  /// @param number of it, another for each
  /// @throws Refusal `script_exception` when it fails
  public ArrayNode values(int number) {
    script.run(number);
    ArrayNode values = Json.MAPPER.createArrayNode();
    for (int i = 0; i < script.size(); i++) {
      long bits = script.bits(i);
      switch (script) {
        case DoubleFieldScript _ -> values.add(Double.longBitsToDouble(bits));
        case BooleanFieldScript _ -> values.add(bits == 1);
        case DateFieldScript _ -> values.add(type.format(null, null).toText(docValue(bits)));
        case GeoPointFieldScript _ -> {
          values
              .addObject()
              .put("lat", Double.longBitsToDouble(bits))
              .put("lon", Double.longBitsToDouble(script.bits(i + 1)));
          i++;
        }
        default -> values.add(bits);
      }
    }
    if (script instanceof TextFieldScript texts) {
      texts.texts().forEach(values::add);
    }
    return values;
  }

  /// The instants that it emitted last, as doc values have them.
  public void dates(LongConsumer each) {
    for (int i = 0; i < script.size(); i++) {
      each.accept(docValue(script.bits(i)));
    }
  }
}
