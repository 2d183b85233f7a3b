package dev.holdfast.script.emit;

import dev.holdfast.script.type.Shape;
import java.util.SortedMap;
import java.util.TreeMap;

/// The context of each kind of field, by the name of the kind.
public final class EmitScripts {
  private static final SortedMap<String, Shape> ALL = new TreeMap<>();

  static {
    ALL.put("boolean", BooleanFieldScript.SHAPE);
    ALL.put("composite", CompositeFieldScript.SHAPE);
    ALL.put("date", DateFieldScript.SHAPE);
    ALL.put("double", DoubleFieldScript.SHAPE);
    ALL.put("geo_point", GeoPointFieldScript.SHAPE);
    ALL.put("ip", TextFieldScript.IP);
    ALL.put("keyword", TextFieldScript.KEYWORD);
    ALL.put("long", LongFieldScript.SHAPE);
  }

  private EmitScripts() {}

  /// @param kind of field, as mappings name it
  /// @throws IllegalArgumentException for a kind whose fields have no scripts
  public static Shape shape(String kind) {
    Shape shape = ALL.get(kind);
    if (shape == null) {
      throw new IllegalArgumentException("no scripts for fields of type [" + kind + "]");
    }
    return shape;
  }

  public static SortedMap<String, Shape> all() {
    return java.util.Collections.unmodifiableSortedMap(ALL);
  }
}
