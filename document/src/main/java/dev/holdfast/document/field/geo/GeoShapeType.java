package dev.holdfast.document.field.geo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.holdfast.document.FieldColumns;
import dev.holdfast.document.GeoShapes;
import dev.holdfast.document.column.BytesColumn;
import dev.holdfast.document.column.BytesRows;
import dev.holdfast.document.field.FieldContext;
import dev.holdfast.document.field.FieldParameters;
import dev.holdfast.document.field.FieldParameters.Change;
import dev.holdfast.document.field.QueryFaults;
import dev.holdfast.document.field.UnqueryableField;
import dev.holdfast.document.scan.JsonValue;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.WorkMemory;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.LatLonShape;
import org.apache.lucene.document.column.Column;
import org.apache.lucene.geo.LatLonGeometry;
import org.apache.lucene.geo.Line;
import org.apache.lucene.geo.Point;
import org.apache.lucene.geo.Polygon;
import org.apache.lucene.util.BytesRef;

/// `geo_shape`: shapes on earth as the triangles of Lucene's `LatLonShape`, by the field's name.
public final class GeoShapeType implements UnqueryableField {
  private static final int DIMENSIONS = 7;
  private static final int INDEX_DIMENSIONS = 4;

  /// Shapes of fewer points are not asked for.
  private static final int SMALL_MAX_POINTS = 1_000;

  /// Of a point while its shape becomes triangles: itself, what joins it to others, a triangle, and
  /// that as bytes.
  private static final long POINT_BYTES = 320;

  private final FieldParameters parameters;
  private final boolean ignoresMalformed;
  private final boolean closesRings;
  private final boolean ignoresHeights;

  /// A ring that crosses itself is refused, as in Elasticsearch: one of thousands of points could
  /// keep a thread for hours. Earlier builds took it, and a log may have it.
  private final boolean refusesCrossings;

  public GeoShapeType(FieldParameters parameters, FieldContext context) {
    this.parameters = parameters;
    parameters.bool("index", true, Change.FIXED);
    parameters.bool("doc_values", true, Change.FIXED);
    ignoresMalformed =
        parameters.bool(
            "ignore_malformed",
            context.flag("index.mapping.ignore_malformed", false),
            Change.ALLOWED);
    closesRings =
        parameters.givenBool("coerce", context.flag("index.mapping.coerce", false), Change.ALLOWED);
    refusesCrossings = !context.isLenient();
    ignoresHeights = parameters.bool("ignore_z_value", true, Change.ALLOWED);
    parameters.accept("orientation", "store", "strategy");
    parameters.done();
  }

  @Override
  public FieldParameters parameters() {
    return parameters;
  }

  @Override
  public boolean readsObjects() {
    return true;
  }

  @Override
  public FieldColumns newColumns(String field) {
    return new Columns(field);
  }

  @Override
  public Refusal noMatch(String field) {
    return QueryFaults.noQuery(
        "Geometry fields do not support exact searching, use dedicated geometry queries instead: ["
            + field
            + "]");
  }

  private final class Columns implements FieldColumns {
    private final String field;
    private final FieldType type = new FieldType();
    private final BytesRows triangles = new BytesRows();

    Columns(String field) {
      this.field = field;
      type.setDimensions(DIMENSIONS, INDEX_DIMENSIONS, Integer.BYTES);
      type.freeze();
    }

    @Override
    public boolean add(int row, JsonValue value) {
      List<BytesRef> read = new ArrayList<>();
      try {
        JsonNode shape =
            value.kind() == JsonValue.Kind.OBJECT ? value.tree() : TextNode.valueOf(value.text());
        if (!ignoresHeights) {
          ThirdValues.refuse(shape);
        }
        for (LatLonGeometry part :
            closesRings ? GeoShapes.readClosing(shape) : GeoShapes.read(shape)) {
          for (Field triangle : triangles(part)) {
            read.add(triangle.binaryValue());
          }
        }
      } catch (IllegalArgumentException e) {
        if (ignoresMalformed) {
          return false;
        }
        throw new Refusal(ErrorType.ILLEGAL_ARGUMENT, String.valueOf(e.getMessage()), e);
      } catch (Refusal malformed) {
        if (ignoresMalformed && malformed.status() != 429) {
          return false;
        }
        throw malformed;
      }
      read.forEach(bytes -> triangles.add(row, bytes.bytes, bytes.offset, bytes.length));
      return true;
    }

    private Field[] triangles(LatLonGeometry part) {
      long points = GeoShapes.points(part);
      if (points > SMALL_MAX_POINTS) {
        WorkMemory.add(POINT_BYTES * points);
      }
      return switch (part) {
        case Point point ->
            LatLonShape.createIndexableFields(field, point.getLat(), point.getLon());
        case Line line -> LatLonShape.createIndexableFields(field, line);
        case Polygon polygon -> LatLonShape.createIndexableFields(field, polygon, refusesCrossings);
        default -> throw Refusal.badArgument("unknown shape " + part);
      };
    }

    @Override
    public void truncate(int row) {
      triangles.truncate(row);
    }

    @Override
    public void finish(int rows, Consumer<Column> columns) {
      if (triangles.count() > 0) {
        columns.accept(new BytesColumn(field, type, triangles, rows));
      }
    }

    @Override
    public void clear() {
      triangles.clear();
    }
  }
}
