package dev.holdfast.query.aggregation.kernel;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.compoundcommit.call.WireInput;
import dev.holdfast.compoundcommit.call.WireOutput;
import dev.holdfast.document.FieldType;
import dev.holdfast.document.MappedField;
import dev.holdfast.document.MappingFactory;
import dev.holdfast.document.ValueFormat;
import dev.holdfast.document.ValuesKind;
import dev.holdfast.document.field.number.NumberFormat;
import dev.holdfast.world.Json;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Promise;
import java.io.IOException;
import java.time.ZoneId;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// How values of a field are shown, in a form that travels: the field's mapping with the request's
/// format and zone.
///
/// @param isStandIn whether no index gave it: another's is better
/// @param mapping the field's mapping as JSON; null for a [PlainFormat]
public record DisplayFormat(
    ValueFormat format,
    ValuesKind kind,
    @Nullable String mapping,
    @Nullable String pattern,
    @Nullable ZoneId zone,
    boolean isStandIn) {

  public static final DisplayFormat PLAIN_DOUBLE = plain(PlainFormat.DOUBLE);
  private static final int VERSION = 1;

  public static DisplayFormat of(FieldType type, @Nullable String pattern, @Nullable ZoneId zone) {
    ValueFormat format = type.format(pattern, zone);
    return new DisplayFormat(
        type.values() == ValuesKind.DATE_NANOS ? new MillisOfNanos(format) : format,
        type.isConstant() ? ValuesKind.KEYWORD : type.values(),
        type.toJson().toString(),
        pattern,
        zone,
        false);
  }

  public static DisplayFormat plain(PlainFormat format) {
    ValuesKind kind =
        switch (format) {
          case LONG -> ValuesKind.LONG;
          case DOUBLE -> ValuesKind.DOUBLE;
          case TERM -> ValuesKind.KEYWORD;
        };
    return new DisplayFormat(format, kind, null, null, null, true);
  }

  /// How the numbers of a pipeline are shown: by its own `format`.
  public static DisplayFormat computed(JsonObject body) {
    String pattern = body.string("format");
    return pattern == null
        ? PLAIN_DOUBLE
        : new DisplayFormat(
            NumberFormat.ofDoubles(pattern), ValuesKind.DOUBLE, null, pattern, null, true);
  }

  /// This, unless it came from an index without the field.
  public DisplayFormat or(DisplayFormat other) {
    return isStandIn ? other : this;
  }

  public DisplayFormat asStandIn() {
    return new DisplayFormat(format, kind, mapping, pattern, zone, true);
  }

  /// Whether text is shown beside numbers.
  public boolean showsText() {
    return format.showsText();
  }

  public void write(WireOutput out) throws IOException {
    out.writeByte((byte) VERSION);
    out.writeString(mapping == null ? "" : mapping);
    if (mapping == null) {
      out.writeString(((PlainFormat) format).name());
    } else {
      out.writeString(pattern == null ? "" : pattern);
      out.writeString(zone == null ? "" : zone.getId());
      out.writeByte((byte) (isStandIn ? 1 : 0));
    }
  }

  public static DisplayFormat read(PartialInput in) throws IOException {
    WireInput data = in.data();
    Promise.keep(data.readByte() == VERSION, "version of a format", "version", VERSION);
    String mapping = data.readString();
    if (mapping.isEmpty()) {
      return plain(PlainFormat.valueOf(data.readString()));
    }
    String pattern = data.readString();
    String zone = data.readString();
    boolean isStandIn = data.readByte() == 1;
    String text = mapping + '\n' + pattern + '\n' + zone + '\n' + isStandIn;
    return in.shown(
        text,
        () -> {
          DisplayFormat made = made(in.mappings(), mapping, pattern, zone);
          return isStandIn ? made.asStandIn() : made;
        });
  }

  private static DisplayFormat made(
      MappingFactory mappings, String mapping, String pattern, String zone) {
    ObjectNode whole = Json.object();
    whole.putObject("properties").set("f", Json.parseObject(mapping));
    MappedField field = mappings.create(whole, new TreeMap<>()).field("f");
    Promise.keep(field != null, "field type of a format", "mapping", mapping);
    return of(
        Objects.requireNonNull(field).type(),
        pattern.isEmpty() ? null : pattern,
        zone.isEmpty() ? null : ZoneId.of(zone));
  }
}
